"""Reports for the sites of tests."""

from typing import Any

from conformance.commands.replay_cases import replay_of
from conformance.judge.events import REJECTION, Answered, Expected, Noted, Shown, number, wrote_such
from conformance.report.changes import CampaignFacts, Trend
from conformance.report.facts import RunReport
from conformance.report.site.site import site_pages
from tests.helpers.releases import NEWEST
from tests.report.lines import CASE, FINDING, KNOWN, VIOLATION, Event, broken, report_of
from tests.report.site.reading_pages import Site

HOSTILE = "<script>alert('1')</script>\"' \x00\u202e onload=\"alert(2)\" " + "x" * 5_000

INVALID: Event = {
    **CASE,
    "kind": "invalid-bytes",
    "rule": "null.not-allowed",
    "message": "MetadataResponse",
    "version": 2,
    "path": "Brokers",
    **broken(REJECTION, Answered("value", value=Shown.of({"Brokers": None}))),
    "direction": "decode",
    "case": "Brokers=null",
    "wire": "ffffffff" + "00000001",
    "value": "",
}

COVERAGE: tuple[Event, ...] = (
    {
        "event": "pair",
        "pair": "HeartbeatResponse-v0",
        "tests": {"test_edge_values": {"tried": 20, "failed": 3}, "test_hostile_input": {"tried": 8, "skipped": 2}},
    },
    {"event": "pair", "pair": "MetadataResponse-v2", "tests": {"test_invalid_input": {"tried": 40, "known": 1}}},
    {"event": "pair", "pair": "VoteRequest-v0", "tests": {"test_edge_values": {"tried": 30}}},
    {"event": "pair", "pair": "VoteRequest-v1", "tests": {"test_edge_values": {"inconclusive": 5}}},
    {"event": "rule", "rule": "int.width-and-order", "pairs": 3},
    {"event": "rule", "rule": "bool.byte", "pairs": 2},
)

PROFILE: tuple[Event, ...] = (
    {"event": "unspecified-profile", "rule": "varint.overlong", "accepts": True, "count": 5},
    {"event": "unspecified-profile", "rule": "tag.duplicate", "accepts": False, "count": 2},
)


def finding(example: Event = CASE, **facts: Any) -> Event:
    """Return a new finding with an example."""
    about = {name: example[name] for name in ("rule", "outcome", "cluster")}
    pair = f"{example['message']}-v{example['version']}"
    return {**FINDING, **about, "pairs": [pair], "example": example, **facts}


def known(example: Event = INVALID, **facts: Any) -> Event:
    """Return a known failure with an example."""
    return {**KNOWN, **finding(example), "event": "known-failure", **facts}


def codec(**run: Any) -> RunReport:
    """Return the report of a codec with a finding, a known failure, and untested parts and calls."""
    parts: list[Event] = [{"event": "not-tested", "what": "header versions", "why": "no header_version"}]
    return report_of(*parts, *PROFILE, *COVERAGE, VIOLATION, finding(), known(), source="honest.jsonl", **run)


def server() -> RunReport:
    """Return the report of a server with one finding and no other facts."""
    frame = "00000012" + "0012000000000001000161"
    example = {**CASE, "kind": "exchange", "rule": "connection.answered", "direction": "frame", "wire": frame}
    sent = {"message": "ApiVersionsRequest", "frames": [frame], "release": NEWEST, "value": "", "path": ""}
    events = finding({**example, **sent, **broken(number(Expected.RESPONSE, 0), Noted("rejected", "closed"))})
    return report_of(events, source="kfake.jsonl", impl="broker:127.0.0.1:9092", kind="server")


def hostile() -> RunReport:
    """Return the report of an implementation with hostile texts for a page."""
    text = broken(number(Expected.RESPONSE, 0), wrote_such(HOSTILE))
    example = {**CASE, **text, "case": HOSTILE, "cluster": HOSTILE, "path": HOSTILE, "value": HOSTILE}
    texts: dict[str, Any] = {"reason": HOSTILE, "link": "javascript:alert(3)", "entry": HOSTILE, "replay": HOSTILE}
    events: list[Event] = [
        {"event": "note", "text": HOSTILE},
        {"event": "not-tested", "what": HOSTILE, "why": HOSTILE},
        {"event": "unsupported", "message": HOSTILE, "reason": HOSTILE, "count": 1},
        {"event": "pair", "pair": HOSTILE, "tests": {HOSTILE: {"tried": 1}}},
        {"event": "pair", "pair": "<b>-v99999999", "tests": {}},
        {"event": "adapter-fault", "kind": HOSTILE, "text": HOSTILE, "count": 1},
        {"event": "unspecified-profile", "rule": HOSTILE, "accepts": True, "count": 1},
        {"event": "unspecified-reading", "rule": HOSTILE, "reading": HOSTILE, "count": 1},
        finding(example, fields={HOSTILE: 1}, pairs=[HOSTILE]),
        finding({**example, "message": HOSTILE, "rule": HOSTILE, "kind": HOSTILE, "outcome": HOSTILE}),
        known(example, **texts),
    ]
    return report_of(*events, implementation=HOSTILE, impl=HOSTILE, release=HOSTILE, source=f"{HOSTILE}.jsonl")


def trend(implementation: str = "honest", *findings: int) -> Trend:
    """Return the trend of an implementation with so many findings in each campaign, or with three campaigns."""
    counts = findings or (4, 0, 7)
    before = (None, *counts)
    campaigns = (
        CampaignFacts(
            f"2026-01-{day:02}T03:00:00+00:00",
            "1",
            1000 * day,
            None if earlier is None else 12.5,
            count,
            None if earlier is None else max(0, count - earlier),
            None if earlier is None else max(0, earlier - count),
        )
        for day, (count, earlier) in enumerate(zip(counts, before, strict=False), start=1)
    )
    return Trend(implementation, tuple(campaigns))


def site_of(*runs: RunReport, baselines: tuple[RunReport, ...] = (), trends: tuple[Trend, ...] = ()) -> Site:
    """Return the site of reports."""
    return Site(dict(site_pages(runs, replay_of, baselines, trends)))
