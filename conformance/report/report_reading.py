"""The facts of a run, made of its lines, in memory or in a file of JSON Lines with one event per line."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

import msgspec
from msgspec import Struct, UnsetType, structs

from conformance.codec.selection import NOTHING_SHARED, Shared
from conformance.judge import count_lines
from conformance.judge.findings import lines
from conformance.judge.findings.extent import COMPLETE, extent_of
from conformance.judge.findings.lines import tag_of
from conformance.judge.tally import Tally
from conformance.report.facts import AcceptanceProfile, RunReport
from reference import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json, read_json_lines

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from conformance.judge.findings.lines import Line

Event = TypeVar("Event", bound=Struct)

HINT = "give a file that `--report` of this version has written"

UNTRIED = (count_lines.Untried, count_lines.UnrepresentableLine, count_lines.NotRun)

KINDS = tuple(map(tag_of, get_args(lines.Line)))
"""The kinds of events, in the order of a report."""


class BadReport(ConformanceError):
    """A file is no report. The text names the file and the line, and says why."""


class Events:
    """The events of one report by kind, in the order of the file."""

    def __init__(self, events: Iterable[Line]) -> None:
        self._by_kind: defaultdict[type[Struct], list[Any]] = defaultdict(list)
        self.tally = Tally()
        for event in events:
            self._by_kind[type(event)].append(event)
            if isinstance(event, count_lines.CountLine):
                self.tally.take(event)

    def of(self, kind: type[Event]) -> list[Event]:
        """Return the events of a kind."""
        return self._by_kind[kind]

    def only(self, kind: type[Event]) -> Event | None:
        """Return the only event of a kind, or None if it is missing."""
        return next(iter(self.of(kind)), None)


def read_report(path: Path) -> RunReport:
    """Return the facts of a report, or raise `BadReport` if the file is no whole one, or `OSError`."""
    try:
        return report_of((_event(line, str(path), number) for number, line in read_json_lines(path)), str(path))
    except BadInput as error:
        raise BadReport(f"{error}; {HINT}") from error


def report_from(texts: Iterable[str], source: str) -> RunReport:
    """Return the facts of the lines of a report, or raise `BadReport`. Errors name the file as `source`."""
    numbered = ((number, line) for number, line in enumerate(texts, start=1) if line.strip())
    documents = ((number, parse_json(line, source, number)) for number, line in numbered)
    try:
        return report_of((_event(document, source, number) for number, document in documents), source)
    except BadInput as error:
        raise BadReport(f"{error}; {HINT}") from error


def report_of(found: Iterable[Line], source: str = "") -> RunReport:
    """Return the facts of the lines of a run, or raise `BadReport` if they are not those of one whole report."""
    events = list(found)
    kinds = Counter(map(type, events))
    if not events or not isinstance(events[0], lines.Run):
        raise BadReport(f"{source} is no report: its first line is no `run` event; {HINT}")
    if kinds[lines.Run] > 1:
        raise BadReport(f"{source} has the reports of {kinds[lines.Run]} runs: give each one as a file of its own")
    if not isinstance(events[-1], lines.Summary):
        raise BadReport(f"{source} is cut off: its last line is no `summary` event; run the suite again")
    if kinds[lines.ExtentLine] != 1:
        raise BadReport(f"{source} does not say once whether its run came to its end (event `extent`); {HINT}")
    return _report(events[0], Events(events), PurePath(source).name)


def _event(event: Any, source: str, number: int) -> Line:
    place = f"{source}, line {number}"
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        raise BadReport(f"{place} is no event: it has no `event`, which names its kind; {HINT}")
    kind = event["event"]
    if kind not in KINDS:
        raise BadReport(f"{place}: this version knows no event {kind!r}; use the version that wrote the report")
    try:
        return cast("Line", msgspec.convert(event, lines.Line))
    except msgspec.ValidationError as error:
        raise BadReport(f"{place}, event {kind}: {error}; {HINT}") from error


def _report(run: lines.Run, events: Events, source: str) -> RunReport:
    cases, extent, summary = events.only(lines.CaseCounts), events.only(lines.ExtentLine), events.only(lines.Summary)
    is_codec = run.kind == "codec"
    return RunReport(
        source=source,
        kind=run.kind,
        # A server or a client is named after the file of its report, since the address of a port is no name.
        implementation=(run.implementation or "") if is_codec or not source else PurePath(source).stem,
        version=(run.implementation_version or "") if is_codec else "",
        impl=run.impl,
        release=run.release,
        extent=COMPLETE if extent is None else extent_of(extent),
        suite=run.suite,
        depth=run.depth or "",
        pairs=None if isinstance(run.pairs, UnsetType) else run.pairs,
        options=tuple(run.options or ()),
        cases=cases.cases if cases else {},
        outcomes={(way, kind): count for way, kind, count in (cases.outcomes if cases else ())},
        findings=tuple(events.of(lines.FindingLine)),
        known=tuple(events.of(lines.KnownFailureLine)),
        violations=tuple(events.of(lines.ViolationLine)),
        coverage={event.pair: _coverage(event.tests) for event in events.of(lines.Pair)},
        tried={event.rule: event.pairs for event in events.of(lines.RuleTried)},
        profiles=_profiles(events.tally.of(count_lines.UnspecifiedProfile)),
        readings=events.tally.of(count_lines.UnspecifiedReading),
        shared=_shared(events.only(lines.SharedLine)),
        parts=tuple((event.what, event.why) for event in events.of(lines.NotTested)),
        untested=tuple(event for kind in UNTRIED for event in events.of(kind)),
        declared=tuple((name, event.text) for name, kind in lines.DECLARED.items() for event in events.of(kind)),
        conclusive={event.cases: event.fraction for event in events.of(lines.Conclusive)},
        inconclusive=events.tally.of(count_lines.Inconclusive),
        adapted_bases=tuple(events.tally.of(count_lines.AdaptedBase)),
        reasons=events.tally.of(count_lines.ReasonLine),
        seen={f"{event.message}-v{event.version}": event for event in events.of(lines.Seen)},
        faults=tuple((event.kind, event.text, event.count) for event in events.of(lines.AdapterFault)),
        following=tuple(events.of(lines.AdapterFindingLine)),
        errors=tuple(events.of(lines.SuiteError)),
        limits=tuple(events.of(count_lines.Limit)),
        beyond=events.tally.of(count_lines.BeyondLimit),
        unclassified=summary.unclassified if summary else {},
        remarks=tuple(events.of(lines.Remark)),
        stale=tuple(summary.stale if summary else ()),
    )


def _shared(event: lines.SharedLine | None) -> Shared:
    return NOTHING_SHARED if event is None else Shared(event.release, event.pairs, event.others, event.selected)


def _coverage(tests: dict[str, lines.TestCounts]) -> dict[str, lines.Coverage]:
    return {test: lines.Coverage(*structs.astuple(counts)) for test, counts in tests.items()}


def _profiles(counts: Counter[tuple[str, bool]]) -> dict[str, AcceptanceProfile]:
    return {rule: AcceptanceProfile(counts[rule, True], counts[rule, False]) for rule, _ in counts}
