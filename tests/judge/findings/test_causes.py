"""Causes, and the findings that follow from others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.judge.events import (
    ACCEPTANCE,
    OWN_VALUE,
    REJECTION,
    SURVIVAL,
    Answered,
    Counted,
    Differs,
    Expected,
    Shown,
    number,
    these_bytes,
    value_at,
)
from conformance.judge.findings.causes import causes_of
from conformance.judge.findings.finding import Findings
from conformance.judge.subject import WAYS
from reference import Difference
from tests.helpers.cases import violation

if TYPE_CHECKING:
    from conformance.judge.case import Violation

CRASHED: dict[str, Any] = {"direction": "decode", "expectation": SURVIVAL}
REFUSED: dict[str, Any] = {
    "direction": "decode",
    "expectation": ACCEPTANCE,
    "observation": Answered("rejected", explanation="no"),
}
WRITTEN: dict[str, Any] = {"expectation": these_bytes(b"\0")}
COUNTED: dict[str, Any] = {"expectation": number(Expected.SIZE, 4), "observation": Counted("size", 2)}
ROUND_TRIP: dict[str, Any] = {"expectation": OWN_VALUE}


def crash(text: str) -> Answered:
    """Return a crash with its explanation."""
    return Answered("crashed", explanation=text)


def causes(*violations: Violation) -> list[list[str]]:
    """Return the rules of each cause and of its followers."""
    findings = Findings()
    for each in violations:
        findings.add(each)
    found = causes_of(findings.ordered(), WAYS)
    return [[cause.finding.rule, *(link.finding.rule for link in cause.followers)] for cause in found]


def test_crashes_of_a_reader_in_the_same_words_are_one_cause() -> None:
    """Neither the broken rule nor the numbers in the text count."""
    first = violation("count.within-input", "FetchRequest", **CRASHED, observation=crash("no room for 7 bytes"))
    second = violation("length.negative", "VoteRequest", **CRASHED, observation=crash("no room for 9 bytes"))
    other = violation("codec.survival", "VoteRequest", **CRASHED, observation=crash("assertion failed"))
    assert causes(first, second, other) == [["count.within-input", "length.negative"], ["codec.survival"]]


def test_crash_of_a_writer_in_the_same_words_is_another_cause() -> None:
    """The writer is another part of the codec."""
    reader = violation("count.within-input", "FetchRequest", **CRASHED, observation=crash("end"))
    writer = violation("null.not-written", "FetchRequest", observation=crash("end"))
    assert len(causes(reader, writer)) == 2


def test_crash_of_a_writer_on_valid_values_explains_those_on_others() -> None:
    valid = violation("message.writable", "FetchRequest", **WRITTEN, observation=crash("end"))
    null = violation("null.not-written", "FetchRequest", observation=crash("end"))
    elsewhere = violation("number.range", "VoteRequest", observation=crash("end"))
    assert causes(null, valid, elsewhere) == [["message.writable", "null.not-written", "number.range"]]


def test_crashes_of_a_writer_on_invalid_values_are_one_cause_per_rule() -> None:
    null = violation("null.not-written", "FetchRequest", observation=crash("end"))
    number = violation("number.range", "FetchRequest", observation=crash("end"))
    assert len(causes(null, number)) == 2


def test_failed_round_trip_follows_from_wrong_bytes_at_its_place() -> None:
    """Own bytes are read only where they are wrong."""
    one = violation("null.compact", "FetchRequest", path="Rack", **WRITTEN)
    back = [
        violation("codec.round-trip", message, path=path, **ROUND_TRIP)
        for message, path in (("FetchRequest", "Topics"), ("VoteRequest", "Name"))
    ]
    assert causes(one, back[0]) == [["null.compact", "codec.round-trip"]]
    assert len(causes(one, back[1])) == 2


def test_finding_at_the_place_of_another_one_is_another_cause() -> None:
    wrong = violation("int.width-and-order", "FetchRequest", path="Topics[0].Count", **WRITTEN)
    inside = violation("codec.size", "FetchRequest", path="Topics[0].Count", **COUNTED)
    assert len(causes(wrong, inside)) == 2


def test_plurals_and_numbers_make_no_other_words() -> None:
    texts = ("ordinal of 1 character", "ordinal of 2 characters")
    refused = [
        violation(rule, message, **{**REFUSED, "observation": Answered("rejected", explanation=text)})
        for rule, message, text in zip(("string.utf8", "value.accepted"), ("A", "B"), texts, strict=True)
    ]
    assert len(causes(*refused)) == 1


def test_sound_value_refused_by_a_writer_ranks_with_refusals_of_a_reader() -> None:
    """The class of the exception does not count."""
    empty = violation(
        "message.writable",
        "FetchRequest",
        **WRITTEN,
        observation=Answered("rejected-unclassified", explanation="TypeError"),
    )
    wrong = violation("int.width-and-order", "FetchRequest", path="At", **WRITTEN)
    assert [head for head, *_ in causes(wrong, empty)] == ["message.writable", "int.width-and-order"]


def test_values_refused_in_the_same_words_are_one_cause() -> None:
    """This holds in one direction, and in both if the rules are those of one value."""
    first = violation("value.accepted", "FetchRequest", path="At", **REFUSED)
    second = violation("string.length", "FetchRequest", path="Rack", **REFUSED)
    assert len(causes(first, second)) == 1
    written = {**REFUSED, "direction": "encode"}
    assert len(causes(first, violation("value.writable", "FetchRequest", path="At", **written))) == 1
    assert len(causes(first, violation("value.writable", "FetchRequest", path="Rack", **written))) == 2


def test_form_misread_and_miswritten_is_one_cause() -> None:
    """The explanations may differ."""
    written = violation("version.field-presence", "FetchRequest", path="Rack", **WRITTEN)
    texts = ("truncated", "too long")
    refusals = [{**REFUSED, "observation": Answered("rejected", explanation=text)} for text in texts]
    read = [violation("version.field-presence", "FetchRequest", path="Rack", **refusal) for refusal in refusals]
    assert len(causes(written, *read)) == 1
    assert len(causes(written, violation("version.field-presence", "FetchRequest", path="At", **refusals[0]))) == 2


def test_nothing_follows_from_a_finding_without_a_place() -> None:
    """The most severe finding of a cause decides its place."""
    whole = violation("version.flexible", "FetchRequest", **WRITTEN)
    misread = Differs.of(Difference("Rack", "a", None, "null"))
    facts: dict[str, Any] = {"direction": "decode", "expectation": value_at("Rack", "a"), "observation": misread}
    inside = violation("null.compact", "FetchRequest", path="Rack", **facts)
    graver = violation("tag.unknown-accepted", "VoteRequest", path="_tags", **REFUSED)
    assert causes(whole, inside, graver) == [["tag.unknown-accepted"], ["null.compact"], ["version.flexible"]]


def test_two_findings_in_one_field_are_two_causes() -> None:
    """A field may be wrong in two ways, even in one message."""
    one = violation("null.not-written", "FetchRequest", path="Rack")
    other = violation("string.too-long", "FetchRequest", path="Rack")
    assert len(causes(one, other)) == 2
    texts = ("ValueError: negative", "ValueError: too late")
    refusals = [{**REFUSED, "observation": Answered("rejected", explanation=text)} for text in texts]
    clusters = [violation("value.accepted", "A", path="At", **refusal) for refusal in refusals]
    assert len(causes(*clusters)) == 2


def test_a_rule_broken_on_both_sides_is_one_cause() -> None:
    """Neither writer nor reader knows the limit."""
    writer = violation("string.too-long", "FetchRequest", path="Rack")
    read = Answered("value", value=Shown.of({"Rack": "a"}))
    facts: dict[str, Any] = {"direction": "decode", "expectation": REJECTION, "observation": read}
    reader = violation("string.too-long", "FetchRequest", path="Rack", **facts)
    assert causes(writer, reader) == [["string.too-long", "string.too-long"]]


def test_finding_in_more_messages_does_not_follow() -> None:
    """The rest of it would have no cause."""
    narrow = violation("int.width-and-order", "FetchRequest", path="Count", **WRITTEN)
    wide = [violation("codec.round-trip", message, path="Count") for message in ("FetchRequest", "VoteRequest")]
    assert len(causes(narrow, *wide)) == 2


def misread(rule: str, message: str, version: int = 0, path: str = "Rack", **facts: Any) -> Violation:
    """Return a misread value, or an invalid one that was read."""
    of_reader: dict[str, Any] = {"direction": "decode", "expectation": REJECTION, "observation": TAKEN}
    return violation(rule, message, version, path=path, **{**of_reader, **facts})


TAKEN = Answered("value", value=Shown.of(1))
NULL_READ = Differs.of(Difference("Rack", "", None, "null"))


def test_stopped_loops_are_one_cause_in_every_function() -> None:
    """The time limit decides about the function."""
    stopped = [Answered("timed-out", explanation=f"stopped after {n} steps, in read{n}") for n in (100_000, 200_000)]
    ends = [
        violation(rule, "FetchRequest", **CRASHED, observation=each)
        for rule, each in zip(("header.count", "count.within-input"), stopped, strict=True)
    ]
    assert len(causes(*ends)) == 1
    late = violation(
        "record.layout", "FetchRequest", **CRASHED, observation=Answered("timed-out", explanation="no answer")
    )
    assert len(causes(*ends, late)) == 2


def test_exhausted_memory_is_one_cause_with_and_without_a_crash() -> None:
    """A null joins the largest request for memory."""
    lives = violation("count.within-input", "FetchRequest", **CRASHED, observation=Answered("exhausted-memory"))
    dies = violation("length.within-input", "VoteRequest", **CRASHED, observation=crash("fatal: out of memory"))
    null = violation("null.not-allowed", "VoteRequest", **CRASHED, observation=crash("fatal: out of memory"))
    assert len(causes(lives, dies, null)) == 1


def test_null_misread_in_both_forms_of_a_length_is_one_cause() -> None:
    """In many messages it is the reader of the type."""
    facts: dict[str, Any] = {"expectation": value_at("Rack", ""), "observation": NULL_READ}
    found = [misread(rule, rule, at, **facts) for rule in ("Null.legacy", "Null.compact") for at in range(30)]
    each = [replace(one, rule=one.rule.lower()) for one in found]
    assert len(causes(*each)) == 1
    assert len(causes(each[0], each[-1])) == 2


def test_field_refused_in_other_words_for_one_rule_is_one_cause() -> None:
    """Without a rule of its own, two refused values of a field have two causes."""
    texts = ("no such bit", "wrong size")
    for rule, count in (("record.attributes-unused", 1), ("value.accepted", 2)):
        refused = [
            violation(
                rule, "FetchRequest", path="At", **{**REFUSED, "observation": Answered("rejected", explanation=text)}
            )
            for text in texts
        ]
        assert len(causes(*refused)) == count


def test_refusal_in_the_words_of_another_rule_belongs_to_its_own() -> None:
    """The exception is an edge value about that rule alone with the same words."""
    own = {**REFUSED, "observation": Answered("rejected", explanation="bad stream")}
    stream = [violation("zstd.frame", "FetchRequest", **facts) for facts in (own, REFUSED)]
    other = violation("record.layout", "FetchRequest", **REFUSED)
    assert sorted(causes(*stream, other)) == [["record.layout"], ["zstd.frame", "zstd.frame"]]
    alone = violation("header.value-null", "FetchRequest", name="header-value-null", **REFUSED)
    assert sorted(causes(*stream, alone)) == [["header.value-null", "zstd.frame"], ["zstd.frame"]]


def test_derived_members_of_a_batch_written_as_given_are_one_cause() -> None:
    found = [violation(rule, "FetchRequest", **WRITTEN) for rule in ("batch.max-timestamp", "batch.last-offset-delta")]
    assert len(causes(*found)) == 1


SWAPPED: dict[str, Any] = {"expectation": value_at("At", 1), "observation": Differs.of(Difference("At", 1, 2, "value"))}


def test_value_misread_in_frame_and_body_is_one_cause() -> None:
    """In a frame null has other bytes than in a body, and two fields are two causes."""
    facts: dict[str, Any] = {"expectation": value_at("Rack", ""), "observation": NULL_READ}
    body = [misread("null.compact", "FetchRequest", **facts) for _ in range(2)]
    assert len(causes(*body, misread("null.compact", "FetchRequest", **SWAPPED))) == 1
    assert len(causes(*body, misread("null.compact", "FetchRequest", path="At", **SWAPPED))) == 2
