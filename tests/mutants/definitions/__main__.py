"""The command `python -m tests.mutants.definitions`, codecs of definitions with one property of one field changed.

The vectors are run against all of them, the suite against some. A surviving kind of mutant without an explanation in
survivors.toml fails the run.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import astuple
from functools import partial
from typing import TYPE_CHECKING

import click
from rich.console import Console

from conformance.commands.common import messages_option, workers_option
from conformance.vectors.enumeration.pairs import pairs_of as vectors_of_release
from reference import releases
from tests.helpers.durations import now
from tests.mutants.definitions.proof import one_of_each, refutations
from tests.mutants.definitions.runner import READING, SIDES, WRITING, VectorRun, pairs_by_message, results_of_message
from tests.mutants.definitions.suite import DRAWN, by_message, covering, first_violation, naming_of, pairs_of, trials_of
from tests.mutants.definitions.suite import rows as rows_of_names
from tests.mutants.definitions.table import TABLE, contradicted, equivalent, kinds_of
from tests.mutants.kit.known import EQUIVALENT, OPEN
from tests.mutants.kit.pool import followed, tried
from tests.mutants.kit.samples import drawn

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from tests.mutants.definitions.mutants import MutantKind
    from tests.mutants.definitions.runner import Pairs
    from tests.mutants.definitions.suite import SuiteTrial
    from tests.mutants.definitions.table import Entry, Key
    from tests.mutants.kit.known import Comparison

SAMPLES: dict[str, Callable[[Iterable[SuiteTrial]], list[SuiteTrial]]] = {
    "covering": covering,
    "drawn": partial(drawn, count=DRAWN),
}
"""The samples for the suite."""

DIRECTIONS = (
    ("reading, strict", (READING,), ("strict",)),
    ("reading, stream", (READING,), ("stream",)),
    ("writing", (WRITING,), ("writing",)),
    ("both, strict", SIDES, ("strict", "writing")),
    ("both, stream", SIDES, ("stream", "writing")),
)
"""The direction of a fault, its sides, and the kills to show it."""


def by_vectors(console: Console, jobs: Sequence[Pairs], workers: int) -> VectorRun:
    """Run the vectors against every mutant."""
    for name in releases():
        vectors_of_release(name)  # the workers inherit what this finds
    results = VectorRun()
    for of_message in followed(console, tried(results_of_message, jobs, workers), len(jobs), "messages"):
        results.add(of_message)
    return results


def print_comparison(console: Console, results: VectorRun, result: Comparison[Entry], *, is_listed: bool) -> None:
    """Print the differences from the table, each open kind with its reason, and the counts."""
    same = {entry.key for entry in result.found if entry.verdict == EQUIVALENT}
    if is_listed:
        print_open(console, results, same)
    notes = {"survives": result.new, "stale": result.stale, "not equivalent": contradicted(result)}
    opened = [entry for entry in result.found if entry.verdict == OPEN and entry not in result.new]
    for title, entries in {"open": opened, **notes}.items():
        for entry in sorted(entries, key=astuple):
            console.print(f"{title}: {entry}", markup=False)
    for row in rows(results, same):
        console.print(row, markup=False)


def rows(results: VectorRun, equivalent: Collection[Key]) -> Iterator[str]:
    """Yield a line for each direction and reader with the numbers of killed, equivalent and open mutants."""
    total = results.tried.total()
    for title, sides, readers in DIRECTIONS:
        hidden = results.hidden_from(readers)
        same = sum(all((each.kind, side) in equivalent for side in sides) for each in hidden)
        yield f"{title}: {total} mutants: {total - len(hidden)} killed, {same} equivalent, {len(hidden) - same} open"


def print_open(console: Console, results: VectorRun, equivalent: Collection[Key]) -> None:
    """Print every surviving mutant without an equivalence in its direction."""
    for title, sides, readers in DIRECTIONS:
        for each in sorted(results.hidden_from(readers)):
            if not all((each.kind, side) in equivalent for side in sides):
                console.print(f"{title}: {each}", markup=False)


def prove(console: Console, jobs: Sequence[Pairs]) -> int:
    """Try to refute one mutant of each kind with the verdict equivalent, and return the number refuted."""
    same = equivalent()
    chosen = one_of_each((pair for pairs in jobs for pair in pairs), {kind for kind, _ in same})
    refuted = 0
    for mutant in followed(console, chosen, len(chosen), "proofs"):
        found = next((each for each in refutations(mutant) if (mutant.kind, each.side) in same), None)
        refuted += found is not None
        console.print(f"{mutant}: {found or 'proven'}", markup=False)
    console.print(f"{len(chosen)} kinds: {len(chosen) - refuted} proven, {refuted} told apart")
    return refuted


def by_suite(console: Console, jobs: Sequence[Pairs], sample: str) -> int:
    """Run the suite against a sample of the mutants, print the survivors, and return their number."""
    trials = by_message(SAMPLES[sample](trials_of((pair for pairs in jobs for pair in pairs), equivalent())))
    counts: Counter[str] = Counter(trial.direction for trial in trials)
    survived: Counter[tuple[str, MutantKind]] = Counter()
    for trial in followed(console, trials, len(trials), "mutants"):
        if first_violation(trial) is None:
            survived[trial.direction, trial.mutant.kind] += 1
            console.print(f"survives: {trial}", markup=False)
    for (direction, kind), count in sorted(survived.items()):
        console.print(f"{direction}: {count} survive of {kind}", markup=False)
    for direction, count in sorted(counts.items()):
        left = sum(those for (of, _), those in survived.items() if of == direction)
        console.print(f"{direction}: {count} mutants: {count - left} killed, {left} survive")
    return survived.total()


def by_name(console: Console, jobs: Sequence[Pairs], workers: int, count: int, *, in_pairs: bool) -> None:
    """Print the mutants not named by the first cause of the suite, and the shares of the others."""
    chosen, namings = covering(trials_of((pair for pairs in jobs for pair in pairs), equivalent())), []
    trials = pairs_of(chosen, count) if in_pairs else [(trial,) for trial in drawn(chosen, count)]
    for naming in followed(console, tried(naming_of, trials, workers), len(trials), "mutants"):
        namings.append(naming)
        if not naming.is_named or len(naming.heads) > 1:
            console.print(f"{naming.trial}: {'; '.join(naming.heads) or 'nothing'}", markup=False)
    for row in rows_of_names(namings):
        console.print(row, markup=False)


@click.command()
@messages_option
@workers_option
@click.option("--list", "is_listed", is_flag=True, help="Print every mutant that survives and is not equivalent.")
@click.option("--update", is_flag=True, help="Write survivors.toml anew: what is new is open, what is stale goes.")
@click.option("--prove", "is_proof", is_flag=True, help="Try what is said to be equivalent on drawn values and bytes.")
@click.option("--suite", type=click.Choice(sorted(SAMPLES)), help="Run the suite against a sample, not the vectors.")
@click.option("--in-pairs", is_flag=True, help="With --names: codecs with two mistakes, both among the first causes.")
@click.option("--names", type=int, default=0, help="Print what the suite says of so many, and do not fail.")
def main(  # noqa: PLR0913  # options
    messages: tuple[str, ...],
    workers: int,
    suite: str | None,
    names: int,
    *,
    is_listed: bool,
    update: bool,
    is_proof: bool,
    in_pairs: bool,
) -> None:
    """Run the vectors against every mutant, and fail on a surviving kind without an explanation."""
    if update and (messages or suite or names or is_proof):
        raise click.UsageError("--update takes a run of the vectors on all messages")
    console, jobs = Console(soft_wrap=True), pairs_by_message(messages)
    if suite:
        failed = by_suite(console, jobs, suite) > 0
    elif names:
        by_name(console, jobs, workers, names, in_pairs=in_pairs)
        failed = False
    elif is_proof:
        failed = prove(console, jobs) > 0
    else:
        results = by_vectors(console, jobs, workers)
        result = kinds_of(TABLE.read(), results.counts(), is_whole=not messages)
        print_comparison(console, results, result, is_listed=is_listed)
        if update:
            TABLE.write(result.updated)
        failed = not update and bool(result.new or result.stale or contradicted(result))
    console.print(f"{now().cpu:.0f} CPU seconds")
    sys.exit(failed)


if __name__ == "__main__":
    main()
