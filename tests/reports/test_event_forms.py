from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from conformance.reports import event_forms
from conformance.reports.event_forms import fault_of
from tests.reports.lines import FINDING, KNOWN, RUN, SUMMARY, VIOLATION, Event

COUNTS: Event = {"event": "case-counts", "cases": {"edge values": 2}, "outcomes": [["encode", "bytes", 1]]}
PAIR: Event = {"event": "pair", "pair": "HeartbeatResponse-v0", "tests": {"test_edge_values": {"tried": 9}}}
EFFECTIVE: Event = {"event": "effective", "cases": "hostile inputs", "fraction": 0.5}

EVENTS = (RUN, FINDING, KNOWN, VIOLATION, SUMMARY, COUNTS, PAIR, EFFECTIVE)
OTHERS: tuple[Any, ...] = (
    None,
    True,
    -1,
    1.0,
    1.5,
    2,
    "",
    "0g",
    "0a\n",
    "\ud800",
    [],
    {},
    {"x": -1},
    [["a", "b", "c"]],
    [1, 2],
)
"""What is put in the place of a value: of every type, beyond limits, and what validators are known to differ about."""


def changed(value: Any) -> Iterator[Any]:
    """Yield what a value becomes by one change, at any depth."""
    yield from OTHERS
    if isinstance(value, dict):
        for key in value:
            yield {name: each for name, each in value.items() if name != key}
            yield from ({**value, key: each} for each in changed(value[key]))
    if isinstance(value, list):
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
            yield from ([*value[:index], each, *value[index + 1 :]] for each in changed(value[index]))


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: str(event["event"]))
def test_an_event_has_a_fault_if_its_schema_says_so(event: Event) -> None:
    """Of every event with one change the verdict is that of `jsonschema`, whichever validator has looked at it."""
    kind = event["event"]
    schema = Draft202012Validator(event_forms._schema_of(kind))
    verdicts = [(schema.is_valid(each), not fault_of(each, kind)) for each in changed(event)]
    assert all(one == other for one, other in verdicts)
    assert {one for one, _ in verdicts} == {True, False}


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: str(event["event"]))
def test_a_sound_event_is_taken_by_the_compiled_validator(event: Event) -> None:
    """No other one looks at it: that would take ten times as long."""
    assert event_forms._is_taken(event, event["event"])


def test_a_surrogate_that_stands_alone_is_a_text() -> None:
    """Implementations may say anything, and the compiled validator has no such texts."""
    assert not fault_of({"event": "note", "text": "\ud800"}, "note")
