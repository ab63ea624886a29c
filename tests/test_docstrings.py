import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROMPT = ">>> "


def modules_with_examples() -> list[str]:
    paths = [path for package in ("reference", "conformance") for path in (ROOT / package).rglob("*.py")]
    shown = [path.relative_to(ROOT).with_suffix("") for path in paths if PROMPT in path.read_text(encoding="utf-8")]
    return sorted(".".join(path.parts).removesuffix(".__init__") for path in shown)


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_in_docstrings_print_their_output(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_modules_have_examples() -> None:
    assert "reference.codec" in modules_with_examples()
