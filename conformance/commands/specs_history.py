"""`kafka-conformance specs history`: every release of Kafka compared with every later one."""

from __future__ import annotations

import time

import click

from conformance.catalogue import history as records
from conformance.commands.specs_diff import counts
from conformance.commands.specs_parts import NotDoneError, definitions, errors_shown
from reference.evolution import Change, release_changes


@click.command()
def history() -> None:
    """Compare every release in specs/history.toml with every later one.

    Releases that are not committed are fetched with Maven. The exit status is 1 if an incompatible change has no reason
    in that file, or if a reason there has no change.
    """
    known = records.history()
    with errors_shown(NotDoneError):
        members = {release: definitions(release) for release in known.releases}
    found: dict[tuple[str, str], tuple[Change, ...]] = {}
    start = time.perf_counter()
    for old, new in known.pairs():
        changes = found[old, new] = release_changes(members[old], members[new])
        missing = len(known.unexplained(old, new, changes))
        numbers = ", ".join(f"{number} {effect}" for effect, number in counts(changes).items())
        click.echo(f"{old} -> {new}: {numbers}; without a reason: {missing}")
    click.echo(f"{len(found)} pairs in {time.perf_counter() - start:.1f} s")
    wrong = [
        *(
            f"without a reason, from {old} to {new}: {change}"
            for (old, new), changes in found.items()
            for change in known.unexplained(old, new, changes)
        ),
        *(f"no such change: {entry.rule} of {message} by {entry.by}" for entry, message in known.stale(found)),
    ]
    for line in wrong:
        click.echo(line)
    if wrong:
        raise SystemExit(1)
