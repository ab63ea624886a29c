"""`kafka-conformance vectors run`: the golden vectors that an implementation fails."""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import Progress

from conformance.bridge.isolation import IsolatedDecoder
from conformance.bridge.loading import load_adapter
from conformance.golden.flags import flags
from conformance.golden.tree.files import read_tree
from conformance.golden.tree.paths import Group, chosen_groups, committed_vectors, groups_of
from conformance.golden.verification.runner import Failure, Results, run_group
from conformance.implementation.driver import Implementation
from conformance.implementation.session import Session
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


@click.command()
@click.option("--impl", required=True, metavar="MODULE[:ATTRIBUTE]", help="As in pytest's --impl.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=committed_vectors,
    help="The folder of the vectors (default: the one of this checkout).",
)
@click.option("--messages", multiple=True, metavar="GLOBS", help="As in pytest's --messages.")
@click.option("--ids", type=click.IntRange(min=0), default=5, show_default=True, help="Ids for each flag; 0: all.")
def run(impl: str, folder: Path, messages: tuple[str, ...], ids: int) -> None:
    """Run golden vectors on an implementation; list those that fail by id, grouped by flag.

    Bytes that are not valid are read in a child process. The exit status is 1 if any vector fails.
    """
    try:
        groups = chosen_groups(groups_of(read_tree(folder)), messages)
        results = Results()
        with Progress(transient=True, console=Console(stderr=True)) as progress:
            for _ in progress.track(_run_all(impl, groups, results), total=len(groups), description="messages"):
                pass
    except OSError as error:
        problem = f"the vectors cannot be read ({error}): name their folder with --folder, or build them"
        raise click.ClickException(f"{problem} with `kafka-conformance vectors build`") from error
    _print(results, ids)
    raise SystemExit(1 if results.failures else 0)


def _run_all(impl: str, groups: Sequence[Group], results: Results) -> Iterator[Group]:
    for name, own in groupby(groups, key=lambda group: group.release):
        release = load_release(name)
        implementation = Implementation(load_adapter(impl, release))
        with IsolatedDecoder(impl, name) as decoder:
            session = Session(implementation, release, decoder)
            for group in own:
                run_group(session, group, results)
                yield group


def _print(results: Results, ids: int) -> None:
    by_flag: dict[str, list[Failure]] = defaultdict(list)
    for failure in results.failures:
        by_flag[failure.flags[-1]].append(failure)
    for name, failures in sorted(by_flag.items(), key=lambda item: -len(item[1])):
        flag = flags().get(name)
        click.echo(f"{name}: {len(failures):,} fail. {flag.about if flag else ''}")
        for failure in failures[: ids or None]:
            click.echo(f"  {failure.id}\n    {failure.text}")
        if ids and len(failures) > ids:
            click.echo(f"  and {len(failures) - ids:,} more: --ids 0 shows them all")
    click.echo(_profile(results))
    counts = ", ".join(f"{count:,} {result}" for result, count in sorted(results.counts.items()))
    total, failed = results.counts.total(), len(results.failures)
    click.echo(f"{total:,} vectors ({counts}): {failed:,} fail, {results.not_tried:,} not tried")


def _profile(results: Results) -> str:
    """Return the lines on unspecified bytes: the implementation may accept or reject them."""
    names: Iterable[str] = sorted({flag for flag, _ in results.accepted})
    lines = (
        f"  {name}: accepts {results.accepted[name, True]:,}, rejects {results.accepted[name, False]:,}"
        for name in names
    )
    return "\n".join(("unspecified, for information:", *lines))
