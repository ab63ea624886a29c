"""Tables of what a run has tested: APIs by version, wire types, and groups of record batches."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from conformance.codec.targets import RECORD_BATCHES
from conformance.generate.records.records_edges import GROUPS
from conformance.judge.findings.lines import Coverage
from conformance.report.states import PairState, State, coverage_state, pair_states, total_of
from reference import ConformanceError, load_release, primitives

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from conformance.report.facts import RunReport

KINDS = ("Request", "Response")
"""The ends of the names of the messages of an API."""

TRIED = frozenset((State.BROKEN, State.BROKEN_SHOULD, State.PART, State.KEPT))


@dataclass(frozen=True)
class MapCell:
    """An API, or a message without one, in one version.

    Attributes:
        states: the states of its messages by `request` and `response`, or by "" for a message without an API.
    """

    states: Mapping[str, PairState]

    @cached_property
    def state(self) -> State:
        """The most severe state."""
        return min((each.state for each in self.states.values()), key=list(State).index)

    @property
    def broken(self) -> int:
        """The number of cases that broke a rule."""
        return sum(each.broken for each in self.states.values())

    @property
    def is_known(self) -> bool:
        """Whether the file of known failures has everything broken."""
        return all(each.is_known for each in self.states.values() if each.state.is_broken)

    @property
    def is_tried(self) -> bool:
        """Whether a case tried one of its messages."""
        return any(each.state in TRIED for each in self.states.values())

    @property
    def text(self) -> str:
        """The states in words, like `request follows, response broken`."""
        return ", ".join(f"{kind} {each.state.value}".strip() for kind, each in self.states.items())


@dataclass(frozen=True)
class HeatMap:
    """APIs and messages with all of their versions.

    Attributes:
        rows: the cells by version, by API or message, in order of their names.
        counts: the number of pairs in each state.
    """

    rows: Mapping[str, Mapping[int, MapCell]]
    counts: Counter[State]

    @property
    def tried(self) -> int:
        """The number of pairs with a case."""
        return sum(self.counts[state] for state in TRIED)

    @cached_property
    def shown(self) -> dict[str, Mapping[int, MapCell]]:
        """The rows with a version that is offered."""
        return {
            name: row
            for name, row in self.rows.items()
            if any(cell.state != State.NOT_OFFERED for cell in row.values())
        }

    @property
    def folded(self) -> list[str]:
        """The names of the rows without an offered version."""
        return [name for name in self.rows if name not in self.shown]

    @cached_property
    def versions(self) -> list[int]:
        """The versions of the rows shown."""
        return sorted({version for row in self.shown.values() for version in row})


def heat_map(run: RunReport) -> HeatMap:
    """Return the map of the messages of the release, and of all others in the report."""
    states: dict[tuple[str, int], PairState] = dict.fromkeys(_expected(run), PairState(State.NOT_OFFERED))
    for pair, state in pair_states(run).items():
        message, _, number = pair.rpartition("-v")
        if message and number.isdecimal() and message not in _SMALL:
            states[message, int(number)] = state
    rows: defaultdict[str, defaultdict[int, dict[str, PairState]]] = defaultdict(lambda: defaultdict(dict))
    for (message, version), state in sorted(states.items(), key=lambda entry: entry[0]):
        kind = next((kind for kind in KINDS if message.endswith(kind)), "")
        rows[message.removesuffix(kind)][version][kind.lower()] = state
    cells = {name: {version: MapCell(row[version]) for version in sorted(row)} for name, row in sorted(rows.items())}
    return HeatMap(cells, Counter(state.state for state in states.values()))


def _expected(run: RunReport) -> Iterator[tuple[str, int]]:
    """Yield the pairs expected in a run, from the definitions of its release.

    A codec may have all pairs, a server all requests. Clients and captures have no expected pairs.
    """
    if run.kind not in {"codec", "server"}:
        return
    try:
        schemas = list(load_release(run.release).schemas())
    except ConformanceError:
        return
    yield from ((each.message, each.version) for each in schemas if run.kind == "codec" or each.kind == "request")


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
        head: the heading of the first column.
        rows: the rows.
        folded: the names of what the implementation does not offer.
    """

    id: str
    title: str
    head: str
    rows: tuple[SmallRow, ...]
    folded: tuple[str, ...] = ()


def small_maps(run: RunReport) -> tuple[SmallMap, ...]:
    """Return the tables of wire types and record batches with at least one row."""
    states = pair_states(run)
    made = (
        (("wire-types", "Wire types", "Wire type"), _WIRE_TYPES),
        (("batches", "Record batches", "Group"), _BATCHES),
    )
    maps = [SmallMap(*texts, tuple(_rows(run, states, names)), _folded(run, names)) for texts, names in made]
    return tuple(each for each in maps if each.rows)


def _folded(run: RunReport, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that a codec does not offer."""
    if run.kind != "codec":
        return ()
    present = {pair.removesuffix("-v0") for pair in pair_states(run)}
    has_batches = RECORD_BATCHES in present
    return tuple(
        name for name in names if name not in {*present, RECORD_BATCHES} and not (has_batches and name in GROUPS)
    )


def _rows(run: RunReport, states: Mapping[str, PairState], names: Iterable[str]) -> Iterator[SmallRow]:
    """Yield a row for each name.

    Pairs of findings have a version, like `int32-v0`; pairs of coverage have none. Findings of record batches name no
    group. Where a report counts the groups, their numbers include these findings.
    """
    coverage = run.coverage
    for name in names:
        own = [states[pair] for pair in (name, f"{name}-v0") if pair in states]
        if not own or (name == RECORD_BATCHES and not coverage.keys().isdisjoint(GROUPS)):
            continue
        total = total_of(coverage.get(name, {}).values())
        known = own[-1].broken if own[-1].is_known else 0
        seen = Coverage(own[-1].cases, own[-1].broken - known, known)
        counted = [coverage_state(total).state] if name in coverage else []
        worst = min([*counted, *(each.state for each in own)], key=list(State).index)
        yield SmallRow(name, worst, max(total, seen))


_WIRE_TYPES = primitives()
_BATCHES = (*GROUPS, RECORD_BATCHES)
_SMALL = frozenset((*_WIRE_TYPES, *_BATCHES))
