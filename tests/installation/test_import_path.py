from pathlib import Path

import pytest

from conformance.suite.import_guard import HOME, PACKAGES, import_path


def test_the_current_folder_comes_first(tmp_path: Path) -> None:
    """As `python -m` has it; an empty entry, which means the same, is not kept."""
    assert import_path(tmp_path, ["", "/somewhere", str(tmp_path)]) == [str(tmp_path), "/somewhere"]


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_of_the_same_name_puts_the_suite_in_front(tmp_path: Path, package: str) -> None:
    (tmp_path / package).mkdir()
    assert import_path(tmp_path, ["/somewhere", str(HOME)]) == [str(HOME), str(tmp_path), "/somewhere"]


def test_a_module_of_the_same_name_puts_the_suite_in_front(tmp_path: Path) -> None:
    (tmp_path / "reference.py").touch()
    assert import_path(tmp_path, []) == [str(HOME), str(tmp_path)]


def test_a_checkout_is_not_in_its_own_way() -> None:
    assert import_path(HOME, ["/somewhere"]) == [str(HOME), "/somewhere"]
