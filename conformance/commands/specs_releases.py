"""The command `kafka-conformance specs releases`, which imports and lists every published release."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from conformance.commands.common import errors_shown, progress_bar
from conformance.definitions.published import NOT_HERE, OLDEST, REFUSED, ReleaseRow, known_releases, row_of
from conformance.system.terminal import echo

if TYPE_CHECKING:
    from collections.abc import Iterator

LINE = "{:9}{:12}{:>11}{:>8}  {}"


@click.command("releases")
@click.option("--offline", is_flag=True, help="Show what is here, and ask Maven for nothing.")
@click.option("--json", "in_json", is_flag=True, help="Print JSON, as specs/releases.schema.json describes it.")
def releases(*, offline: bool, in_json: bool) -> None:
    """Import every published release of Apache Kafka that has definitions, and list them.

    The releases are those that Maven finds, and those that are committed or in the user's cache. What was imported
    once is not fetched again, also after an interruption. The date is that of the definitions in their jars: the day
    of the build. The exit status is 1 if Maven gives no list, or if a release cannot be imported.
    """
    with errors_shown():
        names, problem = known_releases(offline=offline)
        if problem:
            echo(f"These are the releases that are here: {problem}", err=True)
        rows = []
        if not in_json:
            echo(LINE.format("release", "date", "definitions", "pairs", "imported").rstrip())
        for row in _rows(names, offline=offline or bool(problem)):
            rows.append(row)
            if not in_json:
                echo(_line(row))
    if in_json:
        echo(json.dumps([asdict(row) for row in rows], indent=2))
    else:
        echo(_summary(rows))
    if (problem and not offline) or any(row.state == REFUSED for row in rows):
        raise SystemExit(1)


def _rows(names: tuple[str, ...], *, offline: bool) -> Iterator[ReleaseRow]:
    with progress_bar() as progress:
        task = progress.add_task("", total=len(names))
        for name in names:
            progress.update(task, description=f"Kafka {name}")
            yield row_of(name, offline=offline)
            progress.advance(task)


def _line(row: ReleaseRow) -> str:
    if row.problem:
        problem = row.problem.replace("\n", f"\n{LINE.format('', '', '', '', '')}")
        return LINE.format(row.release, "", "", "", f"no: {row.state}, {problem}")
    return LINE.format(row.release, row.date, row.definitions, row.pairs, f"yes: {row.state}")


def _summary(rows: list[ReleaseRow]) -> str:
    counts = {state: sum(row.state == state for row in rows) for state in (REFUSED, NOT_HERE)}
    imported = len(rows) - sum(counts.values())
    return f"releases since {OLDEST}: {imported} imported, {counts[REFUSED]} refused, {counts[NOT_HERE]} not here"
