"""Where this copy of the suite is, and whether another one is in the way.

The suite is found by name, like any package: a wheel, a checkout and a project's own folder `conformance` can stand in
for one another. Half of one and half of another is the worst of all, so it is refused.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PACKAGE = Path(__file__).resolve().parent
"""The suite."""

HOME = PACKAGE.parent
"""What has to be on the import path: a checkout, or site-packages."""

PACKAGES = ("conformance", "reference", "specs")

_MARKS = ("__about__.py", "adapter.py", "plugin.py", "test_edge_values.py")
"""Files that any copy of the suite has, and nobody else's folder of that name."""


def refuse_other_copies(arguments: Iterable[str], *, by_name: bool = False) -> None:
    """See that pytest is asked for tests that belong to the copy that is running.

    With `by_name` (pytest's --pyargs) the name of a module stands for the copy that is found on the import path.

    Raises:
        pytest.UsageError: they belong to another one; names both.
    """
    for argument in arguments:
        path = argument.partition("::")[0]
        copy = None if by_name and os.sep not in path else _copy_around(Path(path).resolve())
        if copy is not None and copy != PACKAGE:
            raise pytest.UsageError(
                f"two copies of the conformance suite: {PACKAGE} is running, and is to collect tests of {copy}. "
                f"For the first, run `kafka-conformance run`; for the second, `python -m pytest conformance/` in "
                f"{copy.parent}; or uninstall kafka-wire-conformance"
            )


def _copy_around(path: Path) -> Path | None:
    """The copy of the suite that `path` is part of, or stands beside."""
    for folder in (path, *path.parents):
        for candidate in (folder, folder / PACKAGE.name):
            if candidate.name == PACKAGE.name and all((candidate / mark).is_file() for mark in _MARKS):
                return candidate
    return None


def import_path(folder: Path, path: Sequence[str]) -> list[str]:
    """`path` with `folder` in front, as `python -m` has it, but never in front of this suite's own packages."""
    kept = [entry for entry in path if entry not in {"", str(folder)}]
    if folder.resolve() != HOME and any(_holds(folder, package) for package in PACKAGES):
        return [str(HOME), str(folder), *(entry for entry in kept if entry != str(HOME))]
    return [str(folder), *kept]


def _holds(folder: Path, package: str) -> bool:
    return (folder / package).is_dir() or (folder / f"{package}.py").is_file()
