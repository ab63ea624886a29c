"""Mistakes of adapters, each alone, and with a mistake of the library beside it."""

from __future__ import annotations

import struct
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from conformance.adapter import Decoded, Unsupported
from conformance.codec.bridge.learning import learnt
from conformance.codec.python_codec import PythonCodec
from conformance.codec.session import Session
from conformance.codec.validation import check_members
from conformance.judge.case import Violation
from conformance.judge.checks.all_cases import case_from
from conformance.judge.checks.changed_bodies import hostile_cases, invalid_cases
from conformance.judge.checks.value_cases import value_cases
from conformance.judge.count_lines import Inconclusive
from conformance.judge.engine import run
from conformance.judge.findings.results import Results
from conformance.judge.recording import ItemRecord, KnownIndex
from conformance.judge.subject import WAYS
from reference import load_release, newest_release
from tests.codec.bridge.mapping_table import LOST, ODD, SOUND, TYPES
from tests.fakes.mistaken_adapters import SUPPORTED, Mistaken

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import reference
    from reference import FieldSchema, MessageSchema
    from tests.fakes.mistaken_adapters import Map


RELEASE = load_release(newest_release())


class Told(NamedTuple):
    """Faults, findings and following findings of a run."""

    faults: dict[str, list[str]]
    findings: list[str]
    following: list[str]
    inconclusive: int


def told(adapter: Mistaken, *, checks: tuple[Any, ...] = (value_cases,), messages: Iterable[str] = SUPPORTED) -> Told:
    """Return the faults and findings of a run on an adapter."""
    schemas = [RELEASE.schema(message, version) for message in messages for version in SUPPORTED[message]]
    implementation = PythonCodec(check_members("mistaken", adapter, __name__))
    session = Session(implementation, RELEASE, learn=partial(learnt, schemas=schemas))
    results = Results((), lambda event: Violation.of(event, case_from(event, RELEASE)), ways=WAYS)
    record = ItemRecord(KnownIndex(()))
    record.faults += session.mistakes.faults
    for schema in schemas:
        for check in checks:
            record.judge(run(session, check(session, schema)))
    results.add("test", record.result())
    findings = [f"{each.key.kind} {' '.join(each.totals)}" for cause in results.causes for each in [cause.finding]]
    following = [str(each.key) for each in results.following]
    return Told(results.all_faults(), findings, following, record.tally.of(Inconclusive).total())


def wrong_number(field: FieldSchema, item: Any) -> Any:
    """Return the item as read by a library with one wrong number."""
    return item + 1 if field.name == "ThrottleTimeMs" and item > 1000 else item


def wrong_text(field: FieldSchema, item: Any) -> Any:
    """Return the item as read by a library with a cut of long texts."""
    return item[:100] if field.type == "string" and item else item


@pytest.mark.parametrize(("gives", "sentence"), TYPES.values(), ids=TYPES)
def test_wrong_type_in_every_value_is_told_without_findings(gives: Map, sentence: str) -> None:
    faults, findings, following, _ = told(Mistaken(gives))
    assert any(sentence in texts[0] for texts in faults.values()), faults
    assert len(faults) < 4, faults
    assert not findings
    assert not following


@pytest.mark.parametrize(("name", "gives"), [(name, gives) for name, (gives, _) in TYPES.items()], ids=TYPES)
def test_library_is_judged_behind_wrong_types(name: str, gives: Map) -> None:
    both = lambda field, item: wrong_number(field, wrong_text(field, item))  # noqa: E731
    messages = ("SyncGroupRequest", "DescribeClientQuotasResponse")
    findings = told(Mistaken(gives, both), messages=messages).findings
    assert name in LOST or [text for text in findings if "ThrottleTimeMs" in text], findings
    assert name in LOST or [text for text in findings if text.startswith("string.")], findings


ONE_FIELD = {
    "bytes for text": "MemberId",
    "null for an empty text": "MemberId",
    "hex for bytes": "Assignment",
    "bool for 1": "TimeoutMs",
    "text for int": "TimeoutMs",
    "null for 0": "TimeoutMs",
    "int for bool": "AllowAutoTopicCreation",
    "null for false": "AllowAutoTopicCreation",
    "a tuple for an array": "Assignments",
    "null for an empty array": "Assignments",
    "false for null": "GroupInstanceId",
}


@pytest.mark.parametrize(("name", "field"), ONE_FIELD.items(), ids=ONE_FIELD)
def test_wrong_type_in_one_field_among_others_is_a_finding(name: str, field: str) -> None:
    gives = TYPES[name][0]
    faults, findings, *_ = told(Mistaken(library=lambda each, item: gives(each, item) if each.name == field else item))
    assert [text for text in findings if text.endswith(field)], findings
    assert not faults


SOMETIMES: dict[str, Callable[[Any], bool]] = {
    "bytes for text": lambda text: len(text) > 100,
    "hex for bytes": lambda data: len(data) > 100,
    "float for int": lambda number: number > 1000,
    "text for int": lambda number: number < 0,
    "text for uuid": lambda uuid: uuid.int >> 127 == 1,
    "a tuple for an array": lambda items: len(items) > 2,
}


@pytest.mark.parametrize(("name", "is_wrong"), SOMETIMES.items(), ids=SOMETIMES)
def test_wrong_type_in_some_values_is_a_finding(name: str, is_wrong: Callable[[Any], bool]) -> None:
    gives = TYPES[name][0]

    def library(field: FieldSchema, item: Any) -> Any:
        given = gives(field, item)
        return given if given is not item and is_wrong(item) else item

    faults, findings, *_ = told(Mistaken(library=library))
    assert findings
    assert not faults


@pytest.mark.parametrize("gives", SOUND.values(), ids=SOUND)
def test_sound_types_of_odd_libraries_are_not_accused(gives: Map) -> None:
    faults, findings, *_ = told(Mistaken(gives))
    assert not faults
    assert not findings


@pytest.mark.parametrize("library", ODD.values(), ids=ODD)
def test_odd_library_does_not_accuse_its_adapter(library: Map) -> None:
    assert not told(Mistaken(library=library)).faults


COUNTS: dict[str, tuple[Callable[[int, int], int], str]] = {
    "the size as well": (lambda count, _: count + 4, "consumed is always 4 more than the message has, in "),
    "one too few": (lambda count, _: count - 1, "consumed is always 1 fewer than the message has, in "),
    "none": (lambda _, __: -1, "consumed is wrong in "),
    "twice as many": (lambda count, _: 2 * count + 1, "consumed is wrong in "),
}


@pytest.mark.parametrize(("count", "sentence"), COUNTS.values(), ids=COUNTS)
def test_wrong_count_in_every_value_leaves_every_input_conclusive(
    count: Callable[[int, int], int], sentence: str
) -> None:
    adapter = Mistaken(finish=lambda read: Decoded(read.value, count(read.consumed, len(read.wire))))
    faults, findings, _, inconclusive = told(adapter, checks=(value_cases, invalid_cases, hostile_cases))
    assert [text for texts in faults.values() for text in texts if text.startswith(sentence)]
    assert not findings
    assert not inconclusive


def test_wrong_count_in_some_values_is_a_finding_and_leaves_every_input_conclusive() -> None:
    def finish(read: reference.Decoded) -> Decoded:
        return Decoded(read.value, read.consumed + (read.schema.message == "SyncGroupRequest"))

    faults, findings, _, inconclusive = told(
        Mistaken(finish=finish), checks=(value_cases, invalid_cases, hostile_cases)
    )
    assert not faults
    assert findings == ["codec.consumed (consumed) "]
    assert not inconclusive


ERRORS: dict[str, Callable[[Exception], Any]] = {
    "an empty dict": lambda _: {},
    "the text of the error": lambda error: {"error": str(error)},
    "nothing": lambda _: None,
    "false": lambda _: False,
}


@pytest.mark.parametrize("fails", ERRORS.values(), ids=ERRORS)
def test_value_in_place_of_every_error_is_told_without_findings(fails: Callable[[Exception], Any]) -> None:
    faults, findings, *_ = told(Mistaken(fails=fails), checks=(value_cases, invalid_cases, hostile_cases))
    assert [*faults] == ["hidden-errors"], faults
    assert " end too early, " in faults["hidden-errors"][0]
    assert not findings


@pytest.mark.parametrize("fails", ERRORS.values(), ids=ERRORS)
def test_refusal_of_a_library_is_found_behind_hidden_errors(fails: Callable[[Exception], Any]) -> None:
    adapter = Mistaken(fails=fails)
    plain = adapter.decode

    def decode(schema: MessageSchema, data: bytes) -> Any:
        return fails(ValueError("too long")) if len(data) > 100 else plain(schema, data)

    adapter.decode = decode  # type: ignore[method-assign]
    assert told(adapter).findings


class UnsupportedVersion(Exception):
    """A version missing in a library."""


def lacks(schema: MessageSchema) -> None:
    if schema.message == "SyncGroupRequest":
        raise UnsupportedVersion(f"unsupported {schema.message} version {schema.version}")


def is_not_offered(schema: MessageSchema) -> None:
    if schema.message == "SyncGroupRequest":
        raise Unsupported(schema.message)


def is_not_in_table(schema: MessageSchema) -> None:
    {name: None for name in SUPPORTED if name != "SyncGroupRequest"}[schema.message]


@pytest.mark.parametrize("before", [lacks, is_not_offered, is_not_in_table])
def test_version_missing_in_the_library_is_reported_without_findings(before: Callable[[MessageSchema], None]) -> None:
    faults, findings, following, _ = told(Mistaken(before=before))
    assert "leave SyncGroupRequest v5 " in faults["lacking"][0]
    assert not findings
    assert not following


def test_refusal_of_every_value_of_a_version_is_a_finding_without_words_of_a_lack() -> None:
    def before(schema: MessageSchema) -> None:
        if schema.message == "SyncGroupRequest":
            raise struct.error("pack expected 16 items for packing (got 1)")

    faults, findings, *_ = told(Mistaken(before=before))
    assert not faults
    assert findings


def comprehension(field: FieldSchema, item: Any) -> Any:
    return list(iter(item)) if field.element is not None else item


def attribute(field: FieldSchema, item: Any) -> Any:
    return item.strip() and item if field.type == "string" else item


def member(field: FieldSchema, item: Any) -> Any:
    return {"": ""}[item] if field.name == "ErrorMessage" else item


RAISING = {"comprehension": comprehension, "attribute": attribute, "member": member}


@pytest.mark.parametrize("gives", RAISING.values(), ids=RAISING)
def test_exception_in_the_mapping_is_told_with_its_place(gives: Map) -> None:
    faults, findings, following, _ = told(Mistaken(gives))
    assert "adapter's own code" in faults["raises-itself"][0]
    assert "(test_learning.py:" in faults["raises-itself"][0]
    assert not findings
    assert following


def test_exception_of_a_library_is_a_finding() -> None:
    def library(field: FieldSchema, item: Any) -> Any:
        if field.name == "ErrorMessage" and item is None:
            raise TypeError("text expected")
        return item

    faults, findings, following, _ = told(Mistaken(library=library))
    assert not faults
    assert findings
    assert not following


def test_list_of_refusals_with_every_exception_is_told() -> None:
    faults, findings, *_ = told(Mistaken(rejections=(Exception,)))
    assert [*faults] == ["rejections"]
    assert not findings
