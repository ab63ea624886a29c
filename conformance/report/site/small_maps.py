"""What a run says of each wire type, and of each group of record batches: tables beside the heat map of messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.codec.targets import RECORD_BATCHES
from conformance.generate.records.records_edges import GROUPS
from conformance.judge.findings.lines import Coverage
from conformance.report.states import PairState, State, coverage_state, pair_states, total_of
from reference import primitives

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from conformance.report.facts import RunReport


@dataclass(frozen=True)
class SmallRow:
    """A wire type or a group of record batches, with what was done for it."""

    name: str
    state: State
    total: Coverage


@dataclass(frozen=True)
class SmallMap:
    """One of the tables.

    Attributes:
        id: its name on the page.
        head: what its rows are.
    """

    id: str
    title: str
    caption: str
    head: str
    rows: tuple[SmallRow, ...]


def is_small(name: str) -> bool:
    """Return whether a name of a report is no message, but a wire type or something of record batches."""
    return name in _WIRE_TYPES or name in _BATCHES


def small_maps(run: RunReport) -> tuple[SmallMap, ...]:
    """Return the tables that have rows: of codecs both, of others what their reports name."""
    states = pair_states(run)
    made = (
        (("wire-types", "Wire types", "Wire types alone", "Wire type"), _WIRE_TYPES),
        (("batches", "Record batches", "Record batches, by groups of cases", "Group"), _BATCHES),
    )
    maps = [SmallMap(*texts, tuple(_rows(run, states, names))) for texts, names in made]
    return tuple(each for each in maps if each.rows)


def _rows(run: RunReport, states: Mapping[str, PairState], names: Iterable[str]) -> Iterator[SmallRow]:
    """Yield a row for each name; pairs of findings have a version, as `int32-v0`, and those of coverage have none.

    Findings of record batches name no group: where groups are counted, their numbers tell of them.
    """
    coverage = run.coverage
    for name in names:
        own = [states[pair] for pair in (name, f"{name}-v0") if pair in states]
        told = [coverage_state(total_of(coverage[name].values()))] if name in coverage else []
        if name == RECORD_BATCHES and not coverage.keys().isdisjoint(GROUPS):
            continue
        if name in GROUPS and RECORD_BATCHES in run.shared.others:
            continue
        total = total_of(coverage.get(name, {}).values())
        if own:
            seen = Coverage(own[-1].cases, own[-1].failed, own[-1].known)
            worst = min([*told, *(each.state for each in own)], key=list(State).index)
            yield SmallRow(name, worst, max(total, seen))
        elif run.kind == "codec" and name != RECORD_BATCHES:
            yield SmallRow(name, State.NOT_OFFERED, total)


_WIRE_TYPES = primitives()
_BATCHES = (*GROUPS, RECORD_BATCHES)
