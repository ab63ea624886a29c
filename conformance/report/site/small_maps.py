"""Tables of wire types and record batches, beside the heat map of messages.

A row has the state of a wire type, or of a group of cases of record batches, in one run.
"""

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
    """A wire type or a group of record batches, with its state and its number of cases."""

    name: str
    state: State
    total: Coverage


@dataclass(frozen=True)
class SmallMap:
    """One of the tables.

    Attributes:
        id: the anchor on the page.
        title: the heading above the table.
        caption: the caption of the table.
        head: the heading of the first column.
        rows: the rows.
    """

    id: str
    title: str
    caption: str
    head: str
    rows: tuple[SmallRow, ...]


def is_small(name: str) -> bool:
    """Return whether a name of a report is that of a wire type or of record batches, and not of a message."""
    return name in _WIRE_TYPES or name in _BATCHES


def small_maps(run: RunReport) -> tuple[SmallMap, ...]:
    """Return the tables with at least one row.

    Both have rows for a codec. For other programs they have the names in the report.
    """
    states = pair_states(run)
    made = (
        (("wire-types", "Wire types", "Wire types alone", "Wire type"), _WIRE_TYPES),
        (("batches", "Record batches", "Record batches, by groups of cases", "Group"), _BATCHES),
    )
    maps = [SmallMap(*texts, tuple(_rows(run, states, names))) for texts, names in made]
    return tuple(each for each in maps if each.rows)


def _rows(run: RunReport, states: Mapping[str, PairState], names: Iterable[str]) -> Iterator[SmallRow]:
    """Yield a row for each name.

    Pairs of findings have a version, like `int32-v0`; pairs of coverage have none. Findings of record batches name no
    group. Where a report counts the groups, their numbers include these findings.
    """
    coverage = run.coverage
    for name in names:
        own = [states[pair] for pair in (name, f"{name}-v0") if pair in states]
        counted = [coverage_state(total_of(coverage[name].values()))] if name in coverage else []
        if name == RECORD_BATCHES and not coverage.keys().isdisjoint(GROUPS):
            continue
        if name in GROUPS and RECORD_BATCHES in run.shared.others:
            continue
        total = total_of(coverage.get(name, {}).values())
        if own:
            seen = Coverage(own[-1].cases, own[-1].failed, own[-1].known)
            worst = min([*counted, *(each.state for each in own)], key=list(State).index)
            yield SmallRow(name, worst, max(total, seen))
        elif run.kind == "codec" and name != RECORD_BATCHES:
            yield SmallRow(name, State.NOT_OFFERED, total)


_WIRE_TYPES = primitives()
_BATCHES = (*GROUPS, RECORD_BATCHES)
