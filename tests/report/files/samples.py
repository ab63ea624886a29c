"""Reports with something of everything, hostile names and texts among it."""

from xml.etree import ElementTree as ET

from conformance.judge.events import SOME_BYTES, wrote_such
from conformance.report.facts import RunReport
from tests.report.lines import CASE, FINDING, KNOWN, Event, report_of
from tests.report.lines import broken as broken_by

HOSTILE = "\x00\x1b[31m<script>alert(1)</script> & \"quoted\" 'text' | ``` ]]> \u202egnp.exe \ud800"
"""What an implementation might say: control characters, markup of each format, marks of direction, a surrogate."""

COUNTS: Event = {"event": "case-counts", "cases": {"edge values": 12}, "outcomes": []}
PART: Event = {"event": "not-tested", "what": "sizes", "why": "no size"}
HELD: Event = {"event": "unrepresentable", "message": "FetchRequest", "reason": "too large", "count": 7}
TRIED: tuple[Event, ...] = (
    {"event": "rule", "rule": "int.width-and-order", "pairs": 2},
    {"event": "rule", "rule": "bool.byte", "pairs": 1},
)
SHOULD: Event = {**KNOWN, "rule": "tag.default-omitted", "entry": "tag.default-omitted (bytes) in *"}


def clean(name: str = "clean") -> RunReport:
    """Nothing was found."""
    return report_of(COUNTS, *TRIED, implementation=name)


def known(name: str = "known") -> RunReport:
    """A report with known failures only."""
    return report_of(COUNTS, *TRIED, KNOWN, implementation=name)


def broken(name: str = "broken") -> RunReport:
    """Something new was found, and something known under another rule."""
    return report_of(COUNTS, PART, HELD, *TRIED, FINDING, SHOULD, implementation=name)


def hostile() -> RunReport:
    """A report with hostile names and texts of an implementation."""
    text = broken_by(SOME_BYTES, wrote_such(HOSTILE))
    case = {**CASE, **text, "case": HOSTILE, "path": HOSTILE, "cluster": HOSTILE}
    finding = {**FINDING, "cluster": HOSTILE, "example": case, "replay": HOSTILE}
    entry = {**KNOWN, "entry": HOSTILE, "reason": HOSTILE, "link": HOSTILE}
    part = {**PART, "what": HOSTILE, "why": HOSTILE}
    fault = {"event": "adapter-fault", "kind": HOSTILE, "text": HOSTILE, "count": 1}
    error = {"event": "error", "item": HOSTILE}
    events = (fault, COUNTS, part, error, finding, entry)
    return report_of(*events, implementation=HOSTILE, implementation_version=HOSTILE, impl=HOSTILE)


def parsed(text: str) -> ET.Element:
    """Return the root of XML written by this project."""
    return ET.fromstring(text)  # noqa: S314  # our own
