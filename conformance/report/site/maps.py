"""Tables of what a run has tested: APIs by version, wire types, and groups of record batches."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from conformance.report.states import PairState, State, pair_states
from conformance.targets import RECORD_BATCHES, RECORD_GROUPS
from reference import ConformanceError, load_release, primitives

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conformance.report.facts import RunReport

KINDS = ("Request", "Response")
"""The ends of the names of the messages of an API."""

ORDER = list(State)

TRIED = frozenset((State.BROKEN, State.BROKEN_SHOULD, State.PART, State.KEPT))


@dataclass(frozen=True)
class MapCell:
    """An API, or a message without one, in one version, with its states by `request` and `response`, or by ""."""

    states: Mapping[str, PairState]

    @cached_property
    def state(self) -> State:
        """The most severe state."""
        return min((each.state for each in self.states.values()), key=ORDER.index)

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
    """APIs and messages in order of their names, with the cells by version, and the number of pairs in each state."""

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
    # A codec may have all pairs, a server all requests. Clients and captures have no expected pairs.
    if run.kind not in {"codec", "server"}:
        return
    try:
        schemas = list(load_release(run.release).schemas())
    except ConformanceError:
        return
    yield from ((each.message, each.version) for each in schemas if run.kind == "codec" or each.kind == "request")


def small_maps(run: RunReport) -> dict[str, dict[str, PairState]]:
    """Return the states of wire types and of groups of record batches by title and name, without empty maps."""
    states, has_groups = pair_states(run), not run.coverage.keys().isdisjoint(RECORD_GROUPS)
    maps = {}
    for title, names in (("Wire types", _WIRE_TYPES), ("Record batches", _BATCHES)):
        # Pairs of findings have a version, like `int32-v0`; pairs of coverage have none.
        found = {name: [states[pair] for pair in (name, f"{name}-v0") if pair in states] for name in names}
        # Findings of record batches name no group. A report that counts the groups counts them there.
        if has_groups:
            found.pop(RECORD_BATCHES, None)
        maps[title] = {name: min(own, key=lambda each: ORDER.index(each.state)) for name, own in found.items() if own}
    return {title: rows for title, rows in maps.items() if rows}


_WIRE_TYPES = primitives()
_BATCHES = (*RECORD_GROUPS, RECORD_BATCHES)
_SMALL = frozenset((*_WIRE_TYPES, *_BATCHES))
