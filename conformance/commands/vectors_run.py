"""`kafka-conformance vectors run`: which golden vectors an implementation fails."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import Progress

from conformance.bridge.isolation import IsolatedDecoder
from conformance.golden.consume import Failure, Tried, run_part
from conformance.golden.files import read_tree
from conformance.golden.flags import flags
from conformance.golden.location import committed_vectors
from conformance.golden.parts import Part, chosen_parts, parts_of
from conformance.implementation.driver import Implementation
from conformance.implementation.loading import load_adapter
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


@click.command()
@click.option("--impl", required=True, metavar="MODULE[:ATTRIBUTE]", help="As in pytest's --impl.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=committed_vectors,
    help="Where the vectors are.",
)
@click.option("--messages", multiple=True, metavar="GLOBS", help="As in pytest's --messages.")
@click.option("--ids", type=click.IntRange(min=0), default=5, show_default=True, help="Ids for each flag; 0: all.")
def run(impl: str, folder: Path, messages: tuple[str, ...], ids: int) -> None:
    """Run golden vectors on an implementation, and say which it fails, by id, grouped by flag.

    Bytes that are not valid are read in a child process. The exit status is 1 if any vector fails.
    """
    try:
        parts = chosen_parts(parts_of(read_tree(folder)), messages)
        tried = Tried()
        with Progress(transient=True, console=Console(stderr=True)) as progress:
            for _ in progress.track(_run_all(impl, parts, tried), total=len(parts), description="messages"):
                pass
    except OSError as error:
        problem = f"the vectors cannot be read ({error}): name their folder with --folder, or make them"
        raise click.ClickException(f"{problem} with `kafka-conformance vectors build`") from error
    _print(tried, ids)
    raise SystemExit(1 if tried.failures else 0)


def _run_all(impl: str, parts: Sequence[Part], tried: Tried) -> Iterator[Part]:
    for name, own in groupby(parts, key=lambda each: each.release):
        implementation = Implementation(load_adapter(impl, load_release(name)))
        with IsolatedDecoder(impl, name) as decoder:
            for part in own:
                run_part(implementation, decoder, part, tried)
                yield part


def _print(tried: Tried, ids: int) -> None:
    by_flag: dict[str, list[Failure]] = defaultdict(list)
    for failure in tried.failures:
        by_flag[failure.flags[-1]].append(failure)
    for name, failures in sorted(by_flag.items(), key=lambda each: -len(each[1])):
        flag = flags().get(name)
        click.echo(f"{name}: {len(failures):,} fail. {flag.about if flag else ''}")
        for failure in failures[: ids or None]:
            click.echo(f"  {failure.id}\n    {failure.what}")
        if ids and len(failures) > ids:
            click.echo(f"  and {len(failures) - ids:,} more: --ids 0 shows them all")
    click.echo(_profile(tried))
    counts = ", ".join(f"{count:,} {result}" for result, count in sorted(tried.counts.items()))
    total, failed = tried.counts.total(), len(tried.failures)
    click.echo(f"{total:,} vectors ({counts}): {failed:,} fail, {tried.not_tried:,} not tried")


def _profile(tried: Tried) -> str:
    """What is made of unspecified bytes: no failure, whatever it is."""
    names: Iterable[str] = sorted({flag for flag, _ in tried.accepted})
    lines = (
        f"  {each}: accepts {tried.accepted[each, True]:,}, rejects {tried.accepted[each, False]:,}" for each in names
    )
    return "\n".join(("unspecified, for information:", *lines))
