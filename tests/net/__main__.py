"""Keep the net of a commit, compare two, and count the files of a walk through the code, by `python -m tests.net`."""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from fnmatch import fnmatchcase
from multiprocessing import get_context
from pathlib import Path

import click

from conformance.commands.common import workers_option
from conformance.system.own_processes import worker_pool
from conformance.system.parents import end_with
from conformance.system.whole_files import write_text
from tests.net.comparison import compare
from tests.net.keeping import MUTANTS, VECTORS, kept
from tests.net.subjects import Subject, subjects
from tests.net.walk import WALKS, walked

SHOWN = 12


@click.group()
def main() -> None:
    """Show the effects of a change of judging, generating, blame or reports."""


@main.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--all", "whole", is_flag=True, help="All pairs of all subjects, not every fourth of most.")
@click.option("--subjects", "pattern", default="*", help="A glob over the subjects, mutants and vectors among them.")
@click.option("--messages", multiple=True, help="As --messages of the suite; mutants and vectors have all of theirs.")
@workers_option
def keep(file: Path, pattern: str, messages: tuple[str, ...], workers: int, *, whole: bool) -> None:
    """Write the net of this commit."""
    chosen = [each for each in _all() if fnmatchcase(each.name, pattern)]
    if not chosen:
        raise click.UsageError(f"no subject matches {pattern!r}: {', '.join(each.name for each in _all())}")
    lines = list[str]()
    with ProcessPoolExecutor(workers, get_context("spawn"), end_with, (os.getpid(),), max_tasks_per_child=1) as pool:
        running = {pool.submit(kept, each, list(messages), whole=whole): each for each in chosen}
        for done in as_completed(running):
            found, seconds = done.result()
            lines += found
            click.echo(f"{running[done].name}: {len(found):,} lines, {seconds:.0f} CPU seconds", err=True)
    file.parent.mkdir(parents=True, exist_ok=True)
    write_text(file, "".join(f"{line}\n" for line in sorted(lines)))


def _all() -> list[Subject]:
    return [*subjects(), Subject(MUTANTS, ""), Subject(VECTORS, "")]


@main.command("compare")
@click.argument("before", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("after", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--show", default=SHOWN, help="The number of lines of each list to print.")
def compare_files(before: Path, after: Path, show: int) -> None:
    """Print the lines that are gone, changed and new, and fail if there are any gone or changed."""
    found = compare(_read(before), _read(after))
    changed = [tuple(map(_change, *pair)) for pair in found.changed]
    for name, lines in (("gone", found.gone), ("changed", changed), ("new", found.new)):
        click.echo(f"{name}: {len(lines):,}")
        for line in lines[:show]:
            click.echo("  " + " | ".join(line))
    for (target, direction), count in sorted(found.counts().items()):
        click.echo(f"new of {target} {direction}: {count:,}")
    click.echo(f"without an answer in one of them: {found.unanswered:,}")
    sys.exit(bool(found.gone or found.changed))


def _change(old: str, new: str) -> str:
    return old if old == new else f"{old} -> {new}"


def _read(file: Path) -> Iterator[str]:
    with file.open(encoding="utf-8") as lines:
        yield from (line.rstrip("\n") for line in lines)


@main.command()
def walk() -> None:
    """Count files, and calls from file to file, from definition to text."""
    for name in WALKS:
        # A process of its own: what an earlier walk has cached would shorten the next one.
        with worker_pool(1) as pool:
            found = pool.submit(walked, name).result()
        click.echo(
            f"{name}: {len(found.files)} files, {len(found.calls)} pairs of files, "
            f"{found.calls.total():,} calls from file to file"
        )


if __name__ == "__main__":
    main()
