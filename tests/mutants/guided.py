"""`python -m tests.mutants.guided`: executions until each mutant dies, by guided search and by plain random cases.

The mutants are those of messages whose rules are about tags, varints and null. Cases are made, run and judged as in a
campaign, but in this process; the pairs of a mutant take turns. `unguided` makes the moves of a search, but keeps every
input and counts no tries: what it lacks is what guidance is good for.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import count, islice
from statistics import mean

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from conformance.campaign.guide import BATCH, Guide
from conformance.campaign.recording import BEFORE_ALL, Call, Journal, Progress, RecordingSession
from conformance.checks.hostile_bytes import HostileBytesCase, hostile_outcomes, judge_hostile
from conformance.generate.guided.novelty import Answer
from conformance.generate.guided.search import Search
from conformance.implementation.driver import Implementation
from conformance.pipeline.rows import made_wire
from reference import MessageSchema, Verdict, judge, load_release
from tests.mutants.catalogue import MUTANTS
from tests.mutants.mutant import Mutant

GROUPS = ("tag", "varint", "null")
UNREACHABLE = {"null-written-where-not-allowed": "what is read from bytes has no null where none is allowed"}
"""Mutants that no bytes kill, and why: they lie about values that only the suite itself has written."""

Executions = Callable[[RecordingSession, MessageSchema, str], Iterator[bool]]
"""Runs one case after the other, and says of each whether it killed."""


def chosen() -> list[Mutant]:
    """The mutants that are measured."""
    return [each for each in MUTANTS if each.rule.partition(".")[0] in GROUPS and each.name not in UNREACHABLE]


def random_cases(session: RecordingSession, schema: MessageSchema, seed: str) -> Iterator[bool]:
    """Those of `campaign run --generate`."""
    for index in count():
        yield _run(session, _case(schema, made_wire(schema, index, seed)))[0]


def guided_cases(session: RecordingSession, schema: MessageSchema, seed: str) -> Iterator[bool]:
    """Those of `campaign run --generate --guided`."""
    guide = Guide(schema, seed, "guided")
    while cases := guide.cases(BATCH):
        for case in cases:
            killed, calls = _run(session, case)
            yield killed
            guide.learn(case, calls)


class Unguided(Search):
    """A search to which everything is new, and no way is better than another."""

    def learn(
        self, wire: bytes, verdict: Verdict, answers: Iterable[Answer], lines: frozenset[int] = frozenset()
    ) -> bool:
        self._seen.clear()
        self._tried.clear()
        self._used.clear()
        return super().learn(wire, verdict, answers, lines)


def unguided_cases(session: RecordingSession, schema: MessageSchema, seed: str) -> Iterator[bool]:
    """The moves of a search, without its memory."""
    search = Unguided(schema, seed)
    while wires := search.propose(BATCH):
        for wire in wires:
            yield _run(session, _case(schema, wire))[0]
            search.learn(wire, judge(schema, wire), [Answer("decode", "value")])


WAYS: dict[str, Executions] = {"random": random_cases, "unguided": unguided_cases, "guided": guided_cases}


def _case(schema: MessageSchema, wire: bytes) -> HostileBytesCase:
    return HostileBytesCase(schema, "", "", wire, deterministic=False)


def _run(session: RecordingSession, case: HostileBytesCase) -> tuple[bool, list[Call]]:
    """Run a case as a campaign does; return whether it broke a rule, and its calls."""
    session.progress.begin(BEFORE_ALL)
    [outcome] = hostile_outcomes(session, case.schema, [case])
    killed = any(True for _ in judge_hostile(session, case, outcome, set()))
    return killed, [Call("decode", outcome, 0.0), *session.progress.calls]


def executions(mutant: Mutant, way: Executions, seed: str, most: int) -> int | None:
    """How many cases are run until the mutant dies, the last one included; None if so many do not kill it."""
    with tempfile.TemporaryFile() as notes:
        progress = Progress(Journal(notes.fileno()), {})
        session = RecordingSession(Implementation(mutant.adapter()), load_release(mutant.release), progress=progress)
        turns = zip(*(way(session, schema, seed) for schema in mutant.schemas()), strict=False)
        run = (killed for turn in turns for killed in turn)
        return next((number for number, killed in enumerate(islice(run, most), 1) if killed), None)


@click.command()
@click.option("--seeds", default=10, show_default=True, help="So many seeds, the same for each way.")
@click.option("--most", default=20_000, show_default=True, help="Give a mutant up after so many executions.")
def main(seeds: int, most: int) -> None:
    """Compare the executions until each mutant dies; the last line has those until the last of them is dead."""
    numbers = [str(seed) for seed in range(1, seeds + 1)]
    needed: dict[tuple[str, str], list[int]] = {}
    for mutant in track(chosen(), "mutants", console=Console(stderr=True), transient=True):
        for name, way in WAYS.items():
            # one that lives counts as dead one execution later: the figure is the least that it can be
            needed[mutant.name, name] = [executions(mutant, way, seed, most) or most + 1 for seed in numbers]
    table = Table("mutant", "rule", *(f"{name}, mean (most)" for name in WAYS), box=None)
    for mutant in chosen():
        table.add_row(mutant.name, mutant.rule, *(_cell(needed[mutant.name, name]) for name in WAYS))
    last = {name: _last([needed[mutant.name, name] for mutant in chosen()]) for name in WAYS}
    table.add_row("the last of them", "", *(_cell(last[name]) for name in WAYS))
    console = Console()
    console.print(table)
    for name in ("unguided", "guided"):
        console.print(f"random needs {mean(last['random']) / mean(last[name]):.1f} x the executions of {name}")


def _last(needed: list[list[int]]) -> list[int]:
    """By seed, the executions of the mutant that needs most."""
    return [max(each) for each in zip(*needed, strict=True)]


def _cell(needed: list[int]) -> str:
    return f"{mean(needed):,.0f} ({max(needed):,})"


if __name__ == "__main__":
    main()
