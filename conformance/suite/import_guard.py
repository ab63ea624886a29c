"""Finds this copy of the suite, and refuses other copies of it.

The suite is found by name, like any package: a wheel, a checkout and a project's own folder `conformance` can stand in
for one another. A mixture of two copies would be worst, so it is refused.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

PACKAGE = Path(__file__).resolve().parents[1]
"""The suite."""

HOME = PACKAGE.parent
"""The folder on the import path, a checkout or site-packages."""

PACKAGES = ("conformance", "reference", "specs")

_MARKS = ("adapter.py", "suite/plugin.py", "suite/test_codec.py")
"""Files in every copy of the suite, but in no other folder of that name."""


def refuse_other_copies(arguments: Iterable[str], *, by_name: bool = False) -> None:
    """Check that the requested tests belong to the running copy, or raise `pytest.UsageError` with the names of both.

    With `by_name` the name of a module stands for the copy on the import path, as with pytest's --pyargs.
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
    for folder in (path, *path.parents):
        for candidate in (folder, folder / PACKAGE.name):
            # Unlike Path.is_file, it is false for a name that is too long for the system.
            if candidate.name == PACKAGE.name and all(os.path.isfile(candidate / mark) for mark in _MARKS):  # noqa: PTH113
                return candidate
    return None


def refuse_hidden_adapter(impl: str, folder: Path) -> None:
    """Raise `pytest.UsageError` if a package in `folder` with the name of one of the suite's hides an adapter."""
    if "/" in impl:  # a file, or a program
        return
    module = impl.partition(":")[0].split(".")
    if module[0] in PACKAGES and _has(folder, module) and not _has(HOME, module):
        raise pytest.UsageError(
            f"--impl={impl}: {folder / module[0]} is not the suite's package {module[0]!r}, and cannot be imported "
            "beside it; put the adapter into a module of another name"
        )


def _has(folder: Path, module: Sequence[str]) -> bool:
    path = folder.joinpath(*module)
    return path.is_dir() or path.with_name(f"{path.name}.py").is_file()
