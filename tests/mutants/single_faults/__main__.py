"""The command `python -m tests.mutants.single_faults`, codecs with one faulty step and the checks to find it.

A fault without a difference on any input of its family's generator is not counted. The run fails on a fault missed by
the suite or the vectors without an entry in misses.toml, on a stale entry, and on an accused legal variant.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest

import click

from conformance.commands.common import workers_option
from tests.helpers.durations import now
from tests.mutants.around import KINDS
from tests.mutants.kit.known import Comparison
from tests.mutants.kit.pool import tried
from tests.mutants.kit.samples import of_each, rank
from tests.mutants.single_faults.family import CodecFaults
from tests.mutants.single_faults.fault import Family, Fault, Seen
from tests.mutants.single_faults.records.family import RecordFaults
from tests.mutants.single_faults.table import TABLE, Miss, misses_of

FAMILIES: dict[str, Family] = {
    "records": RecordFaults(),
    **{kind: CodecFaults(kind) for kind, each in KINDS.items() if each.folder},
}
"""The families of faults by their names."""

CHUNK = 8
COLUMNS = ("faults", "fixed", "generated alone", "suite misses", "vectors miss", "both miss", "first: accepted")


def sampled(faults: Sequence[Fault], count: int | None) -> list[Fault]:
    """Return as many faults of each kind and side in turn, drawn by their names, or all without a count."""
    if count is None:
        return list(faults)
    groups = of_each(faults, lambda fault: (fault.family, fault.kind, fault.side), lambda fault: fault.name)
    groups.sort(key=lambda group: rank(group[0].name))
    return list(islice(filter(None, chain.from_iterable(zip_longest(*groups))), count))


def seen(fault: Fault) -> Seen:
    """Return the results of a fault."""
    return FAMILIES[fault.family].seen(fault)


def counts_of(results: Mapping[Fault, Seen]) -> dict[str, Counter[str]]:
    """Return the columns of the table by family, kind and side."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for fault, shown in results.items():
        if fault.legal or not shown.differs:
            continue
        by_suite = shown.fixed or shown.generated
        row = {
            "faults": True,
            "fixed": bool(shown.fixed),
            "generated alone": bool(shown.generated),
            "suite misses": not by_suite,
            "vectors miss": not shown.vectors,
            "both miss": not (by_suite or shown.vectors),
            "first: accepted": shown.first in {"message.accepted", "message.writable"},
        }
        for name in (f"{fault.family} {fault.kind}, {fault.side}", "all"):
            counts[name].update({column: int(value) for column, value in row.items()})
    return counts


def rows(results: Mapping[Fault, Seen]) -> Iterator[str]:
    """Yield the lines of the table by kind."""
    counts = counts_of(results)
    yield " " * 28 + "".join(f"{column:>17}" for column in COLUMNS)
    for name in sorted(counts, key=lambda name: (name == "all", name)):
        yield f"{name:28}" + "".join(f"{counts[name][column]:17,}" for column in COLUMNS)


def accused(results: Mapping[Fault, Seen]) -> list[Fault]:
    """Return the accused legal variants."""
    return [fault for fault, shown in results.items() if fault.legal and shown.first]


def print_report(results: Mapping[Fault, Seen], result: Comparison[Miss]) -> None:
    """Print the differences from the table, the table by kind, and the counts of uncounted faults."""
    for title, misses in {"new": result.new, "stale": result.stale}.items():
        for miss in misses:
            click.echo(f"{title}: {miss.family} {miss.fault}: not shown by {', '.join(miss.by)}")
    for fault in accused(results):
        click.echo(f"accused: {fault.family} {fault.name}: {results[fault].first}")
    for fault in sorted((each for each in results if not results[each].differs), key=lambda each: each.name):
        click.echo(f"no difference: {fault.family} {fault.name}")
    for row in rows(results):
        click.echo(row)
    click.echo(f"legal variants: {sum(fault.legal for fault in results)}, accused: {len(accused(results))}")
    click.echo(f"known misses: {len(result.known)}, new: {len(result.new)}, stale: {len(result.stale)}")


@click.command()
@click.option("--family", "families", multiple=True, type=click.Choice(sorted(FAMILIES)), help="Only these families.")
@workers_option
@click.option("--sample", type=int, metavar="N", help="Only N faults, of each kind some.")
@click.option("--update", is_flag=True, help="Write misses.toml anew: what is new has no reason, what is stale goes.")
def main(families: tuple[str, ...], workers: int, sample: int | None, *, update: bool) -> None:
    """Try faults, and fail on one missed by suite and vectors without an entry in misses.toml."""
    if update and sample:
        raise click.UsageError("--update takes a run of all faults of its families")
    known = [fault for name in families or FAMILIES for fault in FAMILIES[name].faults()]
    chosen = sampled(known, sample)
    results = dict(zip(chosen, tried(seen, chosen, workers, CHUNK), strict=True))
    result = misses_of(TABLE.read(), results, known)
    print_report(results, result)
    if update:
        TABLE.write(result.updated)
    click.echo(f"{now().cpu:.0f} CPU seconds")
    failed = bool(accused(results)) or bool(not update and (result.new or result.stale))
    sys.exit(failed)


if __name__ == "__main__":
    main()
