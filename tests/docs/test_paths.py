"""Every path that a page of the documentation names exists."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.commands.schema import HINT

ROOT = Path(__file__).parents[2]
ROOMS = (ROOT, ROOT / "conformance", ROOT / "reference", ROOT / "specs", ROOT / "tests" / "programs")
"""The folders that paths are relative to, beside that of the page and those of its links."""

PATH = re.compile(r"(?:[\w.-]+/)*[\w.-]+\.(?:py|toml|ini|schema\.json)|(?:[\w-]+/){2,}")
"""A file of this project, or a folder below another one."""

OF_USERS = re.compile(r"pyproject\.toml|(\./)?(known|my)[\w-]*\.\w+|.*NAME\.\w+")
"""Files of users, and names that stand for several files."""


def named(page: Path) -> Iterator[str]:
    for code in re.findall(r"`([^`\n]+)`", page.read_text(encoding="utf-8")):
        if PATH.fullmatch(code) and not OF_USERS.fullmatch(code):
            yield code


def is_there(path: str, page: Path) -> bool:
    """Whether a path is relative to the repository, to a room, to the page, or is the end of a path of a file."""
    if any((folder / path).exists() for folder in (*ROOMS, page.parent)):
        return True
    return any(room.is_dir() and next(room.rglob(path), None) for room in ROOMS[1:])


PAGES = sorted((ROOT / "docs").rglob("*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_paths_on_a_page_exist(page: Path) -> None:
    assert [path for path in named(page) if not is_there(path, page)] == []


def test_the_hint_of_schema_names_a_page() -> None:
    assert (ROOT / HINT.rpartition(" ")[2]).is_file()


def test_missing_path_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("`suite/options.py`, `suite/no_such_module.py`, `FetchRequest`, `a b.py`", encoding="utf-8")
    assert [path for path in named(page) if not is_there(path, page)] == ["suite/no_such_module.py"]
