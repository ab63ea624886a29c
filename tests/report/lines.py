"""Lines of a report, to be changed by tests."""

import json
from typing import Any

from conformance.judge.events import Expectation, Observation, these_bytes, wrote
from conformance.judge.findings.wording import actual_text, expected_text
from conformance.judge.forms import as_json
from conformance.report.facts import RunReport
from conformance.report.report_reading import report_from
from tests.helpers.releases import NEWEST

Event = dict[str, Any]

RUN: Event = {
    "event": "run",
    "suite": "0.1.0",
    "kind": "codec",
    "implementation": "honest",
    "implementation_version": "1",
    "impl": "myproj.adapter",
    "release": NEWEST,
    "options": [],
    "depth": "quick",
    "pairs": 2,
}

EXTENT: Event = {"event": "extent", "state": "complete", "why": "", "items": 2}


def broken(expectation: Expectation, observation: Observation) -> Event:
    """Return the expectation and the observation of a case, as data and in words."""
    return {
        "outcome": observation.outcome,
        "expectation": as_json(expectation),
        "observation": as_json(observation),
        "expected": expected_text(expectation),
        "actual": actual_text(observation),
    }


CASE: Event = {
    "kind": "value",
    "rule": "int.width-and-order",
    "message": "HeartbeatResponse",
    "version": 0,
    "path": "ErrorCode",
    **broken(these_bytes(b"\0\1"), wrote(b"\1\0")),
    "cluster": "",
    "direction": "encode",
    "case": "ErrorCode=1",
    "wire": "0001",
    "value": '{"ErrorCode": 1}',
    "deterministic": True,
}

FINDING: Event = {
    "event": "finding",
    "rule": "int.width-and-order",
    "outcome": "bytes",
    "cluster": "",
    "count": 3,
    "pairs": ["HeartbeatResponse-v0"],
    "fields": {"ErrorCode": 3},
    "example": CASE,
    "impact": "wrong-bytes",
    "replay": "kafka-conformance replay --impl myproj.adapter --message HeartbeatResponse --version 0 --value '…'",
}

FOLLOWER: Event = {
    **FINDING,
    "rule": "codec.round-trip",
    "follows": {"rule": FINDING["rule"], "outcome": FINDING["outcome"], "cluster": "", "why": "read back"},
}
"""A finding that follows from the other one."""

VIOLATION: Event = {**CASE, "event": "violation", "count": 3, "fields": {"ErrorCode": 3}}

KNOWN: Event = {
    **FINDING,
    "event": "known-failure",
    "entry": "int.width-and-order (bytes) in HeartbeatResponse",
    "reason": "writes the low byte first",
    "link": "https://example.com/issues/7",
}

SUMMARY: Event = {"event": "summary", "causes": 0, "findings": 0, "known": {}, "unclassified": {}, "stale": []}


def text_of(*events: Event) -> list[str]:
    """Return the lines of a whole report with these events."""
    return [json.dumps(event) for event in (RUN, *events, EXTENT, SUMMARY)]


def report_of(*events: Event, source: str = "run.jsonl", **run: Any) -> RunReport:
    """Return the facts of a whole report with these events and facts of the run."""
    lines = text_of(*events)
    lines[0] = json.dumps({**RUN, **run})
    return report_from(lines, source)
