"""Causes: which findings follow from which."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.findings.causes import causes_of, same_end, same_place
from conformance.findings.finding import Findings
from tests.helpers.cases import violation

if TYPE_CHECKING:
    from conformance.findings.violations import Violation

CRASHED: dict[str, Any] = {"outcome": "crashed", "direction": "decode", "expected": "no crash"}
REFUSED: dict[str, Any] = {"outcome": "rejected", "direction": "decode", "expected": "accepted"}
READ: dict[str, Any] = {"outcome": "value", "direction": "decode"}


def causes(*violations: Violation) -> list[list[str]]:
    """The rules of each cause and of what follows from it."""
    findings = Findings()
    for each in violations:
        findings.add(each)
    found = causes_of(findings.ordered(), (same_end, same_place))
    return [[cause.finding.rule, *(link.finding.rule for link in cause.followers)] for cause in found]


def test_what_ends_a_reader_in_the_same_way_is_one_cause() -> None:
    """Whichever rule the bytes break, and whatever numbers are in the text."""
    first = violation("count.within-input", "FetchRequest", **CRASHED, actual="crashed: no room for 7 bytes")
    second = violation("length.negative", "VoteRequest", **CRASHED, actual="crashed: no room for 9 bytes")
    other = violation("codec.survival", "VoteRequest", **CRASHED, actual="crashed: assertion failed")
    assert causes(first, second, other) == [["count.within-input", "length.negative"], ["codec.survival"]]


def test_a_writer_that_ends_in_the_same_way_has_its_own_cause() -> None:
    """It is another part of the codec."""
    reader = violation("count.within-input", "FetchRequest", **CRASHED, actual="crashed: end")
    writer = violation("null.not-written", "FetchRequest", outcome="crashed", actual="crashed: end")
    assert len(causes(reader, writer)) == 2


def test_what_is_marked_as_a_consequence_follows_from_what_is_wrong_in_its_places() -> None:
    """But not from what is wrong in other places, or on the other side."""
    wrong = violation("int.width-and-order", "FetchRequest", path="Topics[0].Count", expected="00")
    inside = violation("codec.round-trip", "FetchRequest", path="Topics[0].Count", expected="the value that it wrote")
    assert causes(wrong, inside) == [["int.width-and-order", "codec.round-trip"]]
    elsewhere = violation("codec.round-trip", "FetchRequest", path="Rack", expected="the value that it wrote")
    assert causes(wrong, elsewhere) == [["int.width-and-order"], ["codec.round-trip"]]
    reader = violation("message.accepted", "FetchRequest", path="Topics[0].Count", **REFUSED)
    assert causes(wrong, reader) == [["int.width-and-order"], ["message.accepted"]]


def test_everything_in_a_message_that_is_wrong_as_a_whole_follows() -> None:
    """The gravest finding of the cause decides where it stands."""
    whole = violation("version.flexible", "FetchRequest", expected="00")
    inside = violation("null.compact", "FetchRequest", path="Rack", **READ, expected="Rack: 'a'", actual="Rack: None")
    graver = violation("tag.unknown-accepted", "VoteRequest", path="_tags", **REFUSED)
    assert causes(whole, inside, graver) == [["tag.unknown-accepted"], ["version.flexible", "null.compact"]]


def test_two_findings_in_one_field_are_two_causes() -> None:
    """Even in one message only: a field may be wrong in two ways."""
    one = violation("null.not-written", "FetchRequest", path="Rack")
    other = violation("string.too-long", "FetchRequest", path="Rack")
    assert len(causes(one, other)) == 2
    texts = ("ValueError: negative", "ValueError: too late")
    clusters = [
        violation("int.width-and-order", "A", path="At", **REFUSED, actual=f"rejected: {text}") for text in texts
    ]
    assert len(causes(*clusters)) == 2


def test_a_rule_broken_on_both_sides_is_one_cause() -> None:
    """A limit that neither writer nor reader knows."""
    writer = violation("string.too-long", "FetchRequest", path="Rack")
    reader = violation("string.too-long", "FetchRequest", path="Rack", **READ, expected="rejected")
    assert causes(writer, reader) == [["string.too-long", "string.too-long"]]


def test_what_is_in_more_messages_does_not_follow() -> None:
    """The rest of it would have no cause."""
    narrow = violation("int.width-and-order", "FetchRequest", path="Count", expected="00")
    wide = [violation("codec.round-trip", message, path="Count") for message in ("FetchRequest", "VoteRequest")]
    assert len(causes(narrow, *wide)) == 2
