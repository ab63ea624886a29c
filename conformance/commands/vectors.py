"""`kafka-conformance vectors`: build the golden vectors, check them, run them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource
from rich.console import Console
from rich.progress import Progress

from conformance.commands.spark import master_option, settings_option
from conformance.commands.vectors_run import run
from conformance.golden.enumeration.enumerate import built_groups
from conformance.golden.enumeration.pairs import pairs
from conformance.golden.tree.files import write_tree
from conformance.golden.tree.paths import committed_vectors
from conformance.golden.verification.check import check_tree
from conformance.pipeline.session import spark_session

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from conformance.golden.enumeration.enumerate import Built

WORKERS = click.option("--workers", type=click.IntRange(1), default=2, show_default=True, help="How many processes.")
FOLDER = click.Path(file_okay=False, path_type=Path)


@click.group()
def vectors() -> None:
    """The golden vectors: bytes, values and verdicts for codecs of any language."""


vectors.add_command(run)


@vectors.command()
@click.option("--to", type=FOLDER, default=committed_vectors, help="The folder (default: the one of this checkout).")
@click.option("--in-process", is_flag=True, help="Build in processes of this machine, without Spark.")
@WORKERS
@master_option
@settings_option
@click.pass_context
def build(  # noqa: PLR0913  # one argument for each option
    context: click.Context, to: Path, workers: int, master: str, settings: Mapping[str, str], *, in_process: bool
) -> None:
    """Build every vector again: the same definitions give the same bytes, on Spark or in process.

    It is an error to remove an id that the folder has, unless its retired.json says why.
    """
    for name in ("master", "settings") if in_process else ("workers",):
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            option = "--conf" if name == "settings" else f"--{name}"
            raise click.UsageError(f"{option} goes {'without' if in_process else 'with'} --in-process")
    try:
        groups = _shown(built_groups(workers)) if in_process else _on_spark(master, settings)
        write_tree(to, groups)
    except OSError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"written to {to}")


def _on_spark(master: str, settings: Mapping[str, str]) -> list[Built]:
    with spark_session(master, settings) as session:
        from conformance.pipeline.engines import groups_on_spark  # noqa: PLC0415  # pyarrow is an extra

        return groups_on_spark(session)


@vectors.command()
@click.option(
    "--folder", type=FOLDER, default=committed_vectors, help="The folder (default: the one of this checkout)."
)
@WORKERS
def check(folder: Path, workers: int) -> None:
    """Check a folder of vectors: hashes, schemas, flags, ids, each verdict, and that a new build is equal.

    Each problem is one line: file, line, id, problem. The exit status is 1 if there is any.
    """
    problems = check_tree(folder, workers)
    for problem in problems:
        click.echo(str(problem))
    if problems:
        click.echo(f"{len(problems)} problems in {folder}", err=True)
        sys.exit(1)
    click.echo(f"{folder}: no problems")


def _shown(groups: Iterable[Built]) -> Iterator[Built]:
    """Yield the groups, with a progress bar on a terminal."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        yield from progress.track(groups, total=len(pairs()), description="Building vectors")
