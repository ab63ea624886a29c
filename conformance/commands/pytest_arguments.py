"""The arguments by which pytest runs this suite, wherever one stands, and how its options and tests are shown."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from conformance.suite.import_guard import HOME, PACKAGE
from conformance.system.terminal import new_console

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

CACHE = "--override-ini=cache_dir="
CONFIGURATION = PACKAGE / "commands" / "run.ini"


def pytest_arguments(arguments: Sequence[str]) -> list[str]:
    """Return the arguments by which pytest runs this suite with those arguments of a user.

    They take nothing from the folder but modules to import.

    Plugins that are installed, and PYTEST_ADDOPTS, hold as in any other run. Node ids are relative to --rootdir, the
    same in every installation. Above --confcutdir there are no conftest.py files. The cache belongs to the folder, for
    site-packages may not be writable.
    Without pytest's plugin of the cache there is no such option.
    """
    words = [*shlex.split(os.environ.get("PYTEST_ADDOPTS", "")), *arguments]
    has_cache = not {"no:cacheprovider", "-pno:cacheprovider"}.intersection(words)
    return [
        f"--config-file={CONFIGURATION}",
        f"--rootdir={HOME}",
        f"--confcutdir={PACKAGE}",
        *([f"{CACHE}{Path.cwd() / '.pytest_cache'}"] if has_cache else []),
        str(PACKAGE),
        *(word for word in arguments if has_cache or not word.startswith(CACHE)),
    ]


def print_rows(rows: Iterable[tuple[str, str]]) -> None:
    """Print options or tests with their meaning, in two columns."""
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, meaning in rows:
        table.add_row(f"  {name}", meaning)
    new_console(highlight=False, markup=False).print(table)
