"""`kafka-conformance run`: the suite, from any folder.

It is pytest, with the files of this package as the tests and nothing taken from the folder that it is run in but
modules to import: neither configuration nor conftest.py files. Plugins that are installed, and what PYTEST_ADDOPTS
says, hold as in any other run of pytest.
"""

from __future__ import annotations

from pathlib import Path

import click
import pytest
from rich.console import Console
from rich.table import Table

from conformance.suite.import_guard import HOME, PACKAGE
from conformance.suite.options import OPTIONS

CONFIGURATION = PACKAGE / "commands" / "run.ini"

EXAMPLES = """\
kafka-conformance run --impl=myproj.adapter --smoke
kafka-conformance run --impl=myproj.adapter -n 2 --known-failures=known.toml
kafka-conformance run --impl=myproj.adapter --messages='Fetch*,MetadataRequest-v9..12' -k generated
"""


@click.command(
    add_help_option=False, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False}
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run(arguments: tuple[str, ...]) -> None:
    """Test an implementation: every check, on every message and version that it offers."""
    if {"-h", "--help"} & set(arguments):
        _help()
        return
    raise SystemExit(int(pytest.main([*_own_arguments(Path.cwd()), *arguments])))


def _own_arguments(folder: Path) -> list[str]:
    """What makes pytest run this suite, whatever there is in `folder`.

    Node ids are relative to --rootdir: conformance/suite/test_edge_values.py::... in every installation. Above
    --confcutdir there are no conftest.py files. The cache belongs to the folder, for site-packages may not be writable.
    """
    return [
        f"--config-file={CONFIGURATION}",
        f"--rootdir={HOME}",
        f"--confcutdir={PACKAGE}",
        f"--override-ini=cache_dir={folder / '.pytest_cache'}",
        str(PACKAGE),
    ]


def _help() -> None:
    """Show the suite's own options; pytest shows all of its own by itself."""
    click.echo("Usage: kafka-conformance run --impl=MODULE[:ATTRIBUTE] [OPTIONS] [PYTEST'S OPTIONS]\n")
    click.echo(f"{run.help}\n")
    table = Table(box=None, show_header=False, pad_edge=False)
    for option in OPTIONS:
        table.add_row(f"  {option.usage}", option.help)
    Console(highlight=False, markup=False).print(table)
    click.echo("\n-v shows each known failure in full, -vv each test item, too; -q prints one line for the whole run.")
    click.echo("All other options are pytest's: -n 2, -x, -k EXPRESSION, --durations=5 (see `pytest --help`).")
    click.echo("The exit status is pytest's: 0 nothing new, 1 new findings, 4 a wrong option.\n\nExamples:\n")
    click.echo("".join(f"  {line}\n" for line in EXAMPLES.splitlines()), nl=False)
