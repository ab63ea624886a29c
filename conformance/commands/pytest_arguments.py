"""The arguments by which pytest runs this suite, wherever one stands, and how its options are shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from conformance.suite.import_guard import HOME, PACKAGE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.suite.option import Option

CONFIGURATION = PACKAGE / "commands" / "run.ini"


def own_arguments() -> list[str]:
    """Return the arguments that make pytest run this suite, and take nothing from the folder but modules to import.

    Plugins that are installed, and PYTEST_ADDOPTS, hold as in any other run. Node ids are relative to --rootdir, the
    same in every installation. Above --confcutdir there are no conftest.py files. The cache belongs to the folder, for
    site-packages may not be writable.
    """
    return [
        f"--config-file={CONFIGURATION}",
        f"--rootdir={HOME}",
        f"--confcutdir={PACKAGE}",
        f"--override-ini=cache_dir={Path.cwd() / '.pytest_cache'}",
        str(PACKAGE),
    ]


def print_options(options: Iterable[Option]) -> None:
    """Print options with their meaning, in two columns."""
    table = Table(box=None, show_header=False, pad_edge=False)
    for option in options:
        table.add_row(f"  {option.usage}", option.help)
    Console(highlight=False, markup=False).print(table)
