"""Reads the report of a run: JSON Lines in, facts out, and a clear error for a line that is no event.

report = read_report(Path("kio.jsonl"))
report.title, report.release, len(report.findings)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from conformance.findings.report.extent import extent_from
from conformance.implementation.selection import NOTHING_SHARED, Shared
from conformance.reports.facts import (
    Coverage,
    FindingKey,
    Origin,
    Profile,
    ReportedCase,
    ReportedFinding,
    RunReport,
    Untested,
)
from reference import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.json_text import packaged_json, parse_json, read_json_lines
from reference.inputs.schemas import conform, packaged

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from conformance.reports.facts import Json

FINDINGS = "conformance.findings.report"
SCHEMA = "report.schema.json"
HINT = "give a file that `--report` of this version has written"

ABSENT = ("unsupported", "unrepresentable", "not-run")
DECLARED = ("representation", "not-compared", "note")


class BadReport(ConformanceError):
    """A file is no report; the text names file and line, and says why."""


class Events:
    """The events of one report, by kind, each kind in the order of the file."""

    def __init__(self, events: Iterable[Json]) -> None:
        self._by_kind: defaultdict[str, list[Json]] = defaultdict(list)
        for event in events:
            self._by_kind[event["event"]].append(event)

    def __getitem__(self, kind: str) -> list[Json]:
        return self._by_kind.get(kind, [])

    def only(self, kind: str) -> Json:
        """Return the event of which each report has one; an empty one if it is missing."""
        return next(iter(self[kind]), {})


def read_report(path: Path) -> RunReport:
    """Return the facts of a report.

    Raises:
        BadReport: the file is no whole report.
        OSError: it cannot be read.
    """
    try:
        return _report_of((_event(line, str(path), number) for number, line in read_json_lines(path)), str(path))
    except BadInput as error:
        raise BadReport(f"{error}; {HINT}") from error


def report_from(lines: Iterable[str], source: str) -> RunReport:
    """Return the facts of a report's lines; `source` is the name of the file, for errors.

    Raises:
        BadReport: a line is no event, or the first or the last event of a report is missing.
    """
    numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
    documents = ((number, parse_json(line, source, number)) for number, line in numbered)
    try:
        return _report_of((_event(document, source, number) for number, document in documents), source)
    except BadInput as error:
        raise BadReport(f"{error}; {HINT}") from error


def _report_of(found: Iterable[Json], source: str) -> RunReport:
    events = list(found)
    kinds = [event["event"] for event in events]
    if not events or kinds[0] != "run":
        raise BadReport(f"{source} is no report: its first line is no `run` event; {HINT}")
    if kinds.count("run") > 1:
        raise BadReport(f"{source} has the reports of {kinds.count('run')} runs: give each one as a file of its own")
    if kinds[-1] != "summary":
        raise BadReport(f"{source} is cut off: its last line is no `summary` event; run the suite again")
    if kinds.count("extent") != 1:
        raise BadReport(f"{source} does not say once whether its run came to its end (event `extent`); {HINT}")
    return _report(Events(events), PurePath(source).name)


def _event(event: Any, source: str, number: int) -> Json:
    """Return the event of a line, after a look at its form."""
    place = f"{source}, line {number}"
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        raise BadReport(f"{place} is no event: it has no `event`, which names its kind; {HINT}")
    kind = event["event"]
    if kind not in event_kinds():
        raise BadReport(f"{place}: this version knows no event {kind!r}; use the version that wrote the report")
    try:
        conform(event, packaged(FINDINGS, SCHEMA, f"event-{kind}"), source, number)
    except BadInput as error:
        raise BadReport(f"{place}, event {kind}: {error.path}: {error.problem}; {HINT}") from error
    return event


@cache
def event_kinds() -> tuple[str, ...]:
    """Return the kinds of events, in the order of a report."""
    return tuple(kind["const"] for kind in packaged_json(FINDINGS, SCHEMA)["properties"]["event"]["oneOf"])


def _report(events: Events, source: str) -> RunReport:
    """Return the facts of whole events; a program behind a port has the name of the file, since an address is none."""
    run, counts = events.only("run"), events.only("case-counts")
    is_codec = run["kind"] == "codec"
    return RunReport(
        source=source,
        kind=run["kind"],
        implementation=run["implementation"] if is_codec else PurePath(source).stem,
        version=run["implementation_version"] if is_codec else "",
        impl=run["impl"],
        release=run["release"],
        extent=extent_from(events.only("extent")),
        suite=run["suite"],
        depth=run.get("depth", ""),
        pairs=run.get("pairs"),
        options=tuple(run.get("options", ())),
        cases=counts.get("cases", {}),
        outcomes={(way, kind): count for way, kind, count in counts.get("outcomes", ())},
        findings=tuple(_finding(event) for event in events["finding"]),
        known=tuple(_finding(event) for event in events["known-failure"]),
        violations=tuple(ReportedCase.of(event, event["count"], event["fields"]) for event in events["violation"]),
        coverage={event["pair"]: _coverage(event["tests"]) for event in events["pair"]},
        tried={event["rule"]: event["pairs"] for event in events["rule"]},
        profiles=_profiles(events["unspecified-profile"]),
        readings={(event["rule"], event["reading"]): event["count"] for event in events["unspecified-reading"]},
        shared=_shared(events.only("shared")),
        parts=tuple((event["what"], event["why"]) for event in events["not-tested"]),
        untested=tuple(_untested(event) for kind in ABSENT for event in events[kind]),
        declared=tuple((sort, event["text"]) for sort in DECLARED for event in events[sort]),
        effective={event["cases"]: event["fraction"] for event in events["effective"]},
        refused_bases={(event["cases"], event["pair"]): event["count"] for event in events["refused-base"]},
        tamed_bases=tuple((event["pair"], event["path"]) for event in events["tamed-base"]),
        reasons={(event["reference"], event["given"]): event["count"] for event in events["reason"]},
        seen={f"{event['message']}-v{event['version']}": _frames(event) for event in events["seen"]},
        faults=tuple((event["kind"], event["text"], event["count"]) for event in events["adapter-fault"]),
        errors=tuple(event["item"] for event in events["error"]),
        stale=tuple(events.only("summary").get("stale", ())),
    )


def _shared(event: Json) -> Shared:
    return Shared(**{name: event[name] for name in Shared._fields}) if event else NOTHING_SHARED


def _finding(event: Json) -> ReportedFinding:
    follows = event.get("follows")
    return ReportedFinding(
        key=_key(event),
        example=ReportedCase.of(event["example"], event["count"], event["fields"], event["replay"]),
        count=event["count"],
        pairs=tuple(event["pairs"]),
        fields=event["fields"],
        harm=event["harm"],
        follows=None if follows is None else Origin(_key(follows), follows["why"]),
        entry=event.get("entry", ""),
        reason=event.get("reason", ""),
        link=event.get("link", ""),
    )


def _key(event: Json) -> FindingKey:
    return FindingKey(event["rule"], event["outcome"], event["cluster"])


def _coverage(tests: dict[str, dict[str, int]]) -> dict[str, Coverage]:
    return {test: Coverage(**counts) for test, counts in tests.items()}


def _profiles(events: Iterable[Json]) -> dict[str, Profile]:
    counts: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    for event in events:
        counts[event["rule"]][event["accepts"]] += event["count"]
    return {rule: Profile(both[True], both[False]) for rule, both in counts.items()}


def _untested(event: Json) -> Untested:
    return Untested(event["event"], event["message"], event["reason"], event["count"])


def _frames(event: Json) -> dict[str, Any]:
    return {name: event[name] for name in ("frames", "canonical", "departing", "unknown")}
