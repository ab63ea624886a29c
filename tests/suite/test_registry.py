import importlib
from pathlib import Path

import pytest

from conformance.suite.registry import PARTS, TESTS, SuiteTest

ROOT = Path(__file__).parents[2]
README = (ROOT / "conformance" / "README.md").read_text(encoding="utf-8")
SUITE = ROOT / "conformance" / "suite"


def test_every_module_of_the_suite_is_in_the_registry() -> None:
    assert {path.stem for path in SUITE.glob("test_*.py")} == {test.name for test in TESTS}


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.name)
def test_a_test_has_the_name_of_its_module(test: SuiteTest) -> None:
    module = importlib.import_module(f"conformance.suite.{test.name}")
    assert callable(getattr(module, test.name))


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.name)
def test_the_readme_has_the_row_of_a_test(test: SuiteTest) -> None:
    assert f"| `{test.name}` | {test.about} |" in README


@pytest.mark.parametrize("test", TESTS, ids=lambda test: test.name)
def test_what_a_test_needs_is_a_part_of_an_adapter(test: SuiteTest) -> None:
    assert set(test.needs) <= {part.what for part in PARTS}
