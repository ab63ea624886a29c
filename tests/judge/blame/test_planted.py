"""Mistakes known from users of Kafka, each planted twice, and found as one cause with its rule first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from conformance.adapter import Decoded
from conformance.codec.python_codec import PythonCodec
from conformance.judge.case import Violation
from conformance.judge.findings.causes import Cause, causes_of
from conformance.judge.findings.finding import Findings
from conformance.judge.subject import WAYS
from reference import CodecError, FieldSchema, MessageSchema, PrimitiveType, StructType, load_release
from tests.helpers.releases import NEWEST
from tests.helpers.sessions import session_of
from tests.mutants.catalogue import MUTANTS
from tests.mutants.mutant import Mutant

Change = Callable[[Sequence[FieldSchema]], list[FieldSchema]]
"""Another list of the fields of a struct."""


class Planted(NamedTuple):
    """A mistake in the struct at a path of a message."""

    rule: str
    place: str
    pair: str
    path: str
    change: Change


def inserted(before: str, type_name: str, value: int) -> Change:
    """Return a change that inserts an unknown field before another one."""
    added = FieldSchema("Unknown", PrimitiveType(type_name), default=value)

    def change(fields: Sequence[FieldSchema]) -> list[FieldSchema]:
        at = [field.name for field in fields].index(before)
        return [*fields[:at], added, *fields[at:]]

    return change


def swapped(first: str, second: str) -> Change:
    """Two fields have changed places."""

    def change(fields: Sequence[FieldSchema]) -> list[FieldSchema]:
        by_name = {field.name: field for field in fields}
        names = {first: second, second: first}
        return [by_name[names.get(field.name, field.name)] for field in fields]

    return change


def moved_to_the_end(name: str) -> Change:
    """One field stands after all others."""
    return lambda fields: sorted(fields, key=lambda field: field.name == name)


def with_field(name: str, **facts: object) -> Change:
    """One field has other properties."""
    return lambda fields: [replace(each, **facts) if each.name == name else each for each in fields]  # type: ignore[arg-type]  # of its fields


class Codec(Mutant):
    """A codec without the inserted fields in its values."""

    def parse(self, schema: MessageSchema, data: bytes) -> Decoded:
        read = super().parse(schema, data)
        return Decoded(_without_unknown(read.value), read.consumed)


def _without_unknown(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_unknown(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: _without_unknown(each) for name, each in value.items() if name != "Unknown"}


def planted(mistake: Planted, schema: MessageSchema) -> MessageSchema:
    body = _changed(schema.struct, [step for step in mistake.path.split(".") if step], mistake.change)
    return replace(schema, fields=body.fields)


def _changed(struct: StructType, steps: list[str], change: Change) -> StructType:
    if not steps:
        return replace(struct, fields=tuple(change(struct.fields)))
    fields = (
        field.with_struct(_changed(field.struct, steps[1:], change))
        if field.struct and field.name == steps[0]
        else field
        for field in struct.fields
    )
    return replace(struct, fields=tuple(fields))


RELEASE = NEWEST
PARTITIONS = "Responses.PartitionResponses"
PLANTED = {
    "an int32 of 0": Planted(
        "version.field-presence",
        "Responses[].PartitionResponses[].BaseOffset",
        "ProduceResponse-v8",
        PARTITIONS,
        inserted("BaseOffset", "int32", 0),
    ),
    "an int16 of -1": Planted(
        "version.field-presence", "MemberId", "HeartbeatRequest-v4", "", inserted("MemberId", "int16", -1)
    ),
    "another tag": Planted(
        "tag.number",
        "Responses[].Partitions[].CurrentLeader",
        "FetchResponse-v12",
        "Responses.Partitions",
        with_field("CurrentLeader", tag=7),
    ),
    "the tag of another field": Planted(
        "tag.number",
        "Responses[].Partitions[].CurrentLeader",
        "FetchResponse-v16",
        "Responses.Partitions",
        with_field("CurrentLeader", tag=0),
    ),
    "the tag of no field": Planted("tag.number", "ClusterId", "FetchRequest-v15", "", with_field("ClusterId", tag=3)),
    "a swap over two fields": Planted(
        "struct.field-order", "GroupId", "JoinGroupRequest-v5", "", swapped("GroupId", "ProtocolType")
    ),
    "a swap in an array": Planted(
        "struct.field-order",
        "Topics[].Partitions[].PartitionIndex",
        "OffsetCommitRequest-v8",
        "Topics.Partitions",
        swapped("PartitionIndex", "CommittedMetadata"),
    ),
    "a field at the end": Planted(
        "struct.field-order", "GroupId", "SyncGroupRequest-v3", "", moved_to_the_end("GroupId")
    ),
    "a length of another form": Planted(
        "string.compact-length",
        "Members[].MemberId",
        "LeaveGroupRequest-v4",
        "Members",
        with_field("MemberId", compact=False),
    ),
}


def causes_of_mutant(mutant: Mutant) -> list[Cause]:
    findings = Findings()
    for event in mutant.check(session_of(PythonCodec(mutant.adapter()), load_release(mutant.release))):
        if isinstance(event, Violation):
            findings.add(event)
    return causes_of(findings.ordered(), WAYS)


def test_null_skipped_one_byte_short_is_one_cause() -> None:
    """Each later field is misread or refused in other words, but all failing values have a null in common."""
    mutant = next(each for each in MUTANTS if each.name == "null-skipped-as-one-byte-back")
    causes = causes_of_mutant(mutant)
    assert [cause.finding.rule for cause in causes] == ["null.legacy"]
    assert list(causes[0].finding.totals) == ["TransactionalId"]


@pytest.mark.parametrize("name", PLANTED)
def test_a_mistake_is_named_first_and_is_one_cause(name: str) -> None:
    mistake = PLANTED[name]
    mutant = Codec(name, mistake.rule, mistake.pair, schema=lambda schema: planted(mistake, schema), release=RELEASE)
    causes = causes_of_mutant(mutant)
    assert [cause.finding.rule for cause in causes] == [mistake.rule]
    assert list(causes[0].finding.totals) == [mistake.place]


@pytest.mark.parametrize(("message", "version", "other"), [("OffsetFetchResponse", 8, 7), ("MetadataResponse", 9, 7)])
def test_version_mistaken_for_another_is_one_cause(message: str, version: int, other: int) -> None:
    def as_other(schema: MessageSchema) -> MessageSchema:
        taken = load_release(RELEASE).schema(message, other)
        return replace(schema, fields=taken.fields, absent_fields=taken.absent_fields, flexible=taken.flexible)

    mutant = Codec("ignored", "version.field-presence", f"{message}-v{version}", schema=as_other, release=RELEASE)
    [cause] = causes_of_mutant(mutant)
    assert cause.finding.rule == "version.field-presence"
    assert f"takes it for {message}-v{other}" in " ".join(link.why for link in cause.followers)


class Lengths(Codec):
    """A reader of strings with lengths of another form."""

    def parse(self, schema: MessageSchema, data: bytes) -> Decoded:
        decoded = super().parse(schema, data)
        return Decoded(_with_texts(decoded.value, LENGTHS[self.name]), decoded.consumed)


def _with_texts(value: Any, text: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        return {name: _with_texts(item, text) for name, item in value.items()}
    if isinstance(value, list):
        return [_with_texts(item, text) for item in value]
    return text(value) if isinstance(value, str) else value


def _refusing(length: int) -> Callable[[str], str]:
    def read(text: str) -> str:
        if len(text.encode()) >= length:
            raise Refused("decode() ends too early")
        return text

    return read


LENGTHS = {
    "one byte": _refusing(127),
    "two bytes": _refusing(16_383),
    "a signed byte": _refusing(128),
    "cut": lambda text: text[: len(text) % 256],
}


@pytest.mark.parametrize(
    ("name", "pair", "rule"),
    [
        ("one byte", "LeaveGroupRequest-v4", "string.compact-length"),
        ("two bytes", "MetadataRequest-v9", "string.compact-length"),
        ("a signed byte", "LeaveGroupRequest-v2", "string.length"),
        ("cut", "OffsetFetchRequest-v5", "string.length"),
    ],
)
def test_length_is_blamed_if_a_shorter_text_of_the_same_characters_is_read(name: str, pair: str, rule: str) -> None:
    causes = causes_of_mutant(Lengths(name, rule, pair, release=RELEASE))
    assert [cause.finding.rule for cause in causes] == [rule]


class Reader(Codec):
    """A codec with a wrong reader and a sound writer."""

    def parse(self, schema: MessageSchema, data: bytes) -> Decoded:
        decoded = super().parse(schema, data)
        return Decoded(READINGS[self.name](decoded.value), decoded.consumed)


def _without_forgotten_topics(value: Any) -> Any:
    if value["ForgottenTopicsData"]:
        raise Refused("decode() missing an argument")
    return value


def _one_a_name(array: str, name: str) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        return {**value, array: list({item[name]: item for item in value[array] or []}.values())}

    return read


class Refused(CodecError):
    """The error of a reader that accepts no element."""


READINGS: dict[str, Callable[[Any], Any]] = {
    "no element": _without_forgotten_topics,
    "topics by name": _one_a_name("Responses", "Topic"),
    "groups by name": _one_a_name("Groups", "GroupId"),
}


@pytest.mark.parametrize(
    ("name", "pair", "rule", "place"),
    [
        ("no element", "FetchRequest-v7", "message.accepted", "ForgottenTopicsData[]"),
        ("topics by name", "FetchResponse-v11", "array.all-elements", "Responses"),
        ("groups by name", "ListGroupsResponse-v2", "array.all-elements", "Groups"),
    ],
)
def test_reader_of_arrays_is_blamed_on_its_change_of_elements(name: str, pair: str, rule: str, place: str) -> None:
    """The number of elements is not blamed."""
    causes = causes_of_mutant(Reader(name, rule, pair, release=RELEASE))
    assert [cause.finding.rule for cause in causes] == [rule]
    assert place in causes[0].finding.totals


class Padding(Codec):
    """A codec that reads zeros after the end of its input."""

    def parse(self, schema: MessageSchema, data: bytes) -> Decoded:
        decoded = super().parse(schema, data + bytes(64))
        return Decoded(decoded.value, min(decoded.consumed or 0, len(data)))


@pytest.mark.parametrize("pair", ["DeleteGroupsRequest-v1", "OffsetFetchRequest-v5"])
def test_missing_bytes_read_as_zeros_are_one_cause(pair: str) -> None:
    causes = causes_of_mutant(Padding("padding", "input.truncated", pair, release=RELEASE))
    assert [cause.finding.rule for cause in causes] == ["input.truncated"]
