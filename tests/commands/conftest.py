import pytest

from tests.definitions.conftest import make_jar

__all__ = ["make_jar"]


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    """Print for the same width in every terminal."""
    monkeypatch.setenv("COLUMNS", "80")
