"""Blame of null by the form of its field, a legacy one even in some flexible versions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from conformance.judge.blame.body_rules import blame_bytes, blame_refusal, blame_value
from conformance.judge.blame.wrong_codecs import ReadValue
from reference import FieldSchema, MessageSchema, Unencodable, difference, encode, load_release, minimal
from tests.helpers.releases import BASE

EMPTY: dict[str, Any] = {"string": "", "array": [], "bytes": b"", "records": b""}

MESSAGES = ("MetadataRequest", "MetadataResponse", "JoinGroupRequest", "ProduceRequest", "ConsumerProtocolSubscription")


def nullable_fields() -> Iterator[tuple[MessageSchema, FieldSchema]]:
    """Yield the nullable fields at the top of messages, without structs and tagged fields."""
    release = load_release(BASE)
    for name in MESSAGES:
        for version in release.definition(name).valid_versions:
            yield from _nullable_fields(release.schema(name, version))


def _nullable_fields(schema: MessageSchema) -> Iterator[tuple[MessageSchema, FieldSchema]]:
    for field in schema.fields:
        if field.nullable and field.type in EMPTY and field.tag is None:
            yield schema, field


def rules(of: str) -> set[tuple[bool, str]]:
    """Whether a field is compact, and the rule blamed for null in it."""
    found = set()
    for schema, field in nullable_fields():
        empty, null = ({**minimal(schema), field.name: content} for content in (EMPTY[field.type], None))
        try:
            empty_wire, null_wire = encode(schema, empty), encode(schema, null)
        except Unencodable:
            continue
        if of == "null written":
            rule = blame_bytes(schema, empty, empty_wire, null_wire).rule
        elif of == "null refused":
            rule = blame_refusal(schema, null, field.name, "encode").rule
        else:
            place = difference(schema, empty, null)
            assert place is not None
            rule = blame_value(schema, ReadValue(empty_wire, null), place).rule
        found.add((field.compact, rule))
    return found


OTHER_FORM = {(True, "null.legacy"), (False, "null.compact")}


def test_refused_null_is_blamed_on_the_form_of_its_field() -> None:
    assert {(True, "null.compact"), (False, "null.legacy")} <= rules("null refused")


def test_empty_text_written_as_null_is_blamed_on_one_rule_in_both_forms() -> None:
    assert {(True, "string.empty"), (False, "string.empty")} <= rules("null written")


def test_empty_array_written_as_null_is_blamed_on_null() -> None:
    assert (False, "null.legacy") in rules("null written")


@pytest.mark.parametrize("of", ["null written", "null read", "null refused"])
def test_null_is_never_blamed_on_the_other_form(of: str) -> None:
    assert rules(of) & OTHER_FORM == set()


def test_negative_length_in_a_flexible_header_is_blamed_on_the_form_of_its_field() -> None:
    """ClientId is not compact, though the header has a tag section."""
    schema = load_release(BASE).schema("RequestHeader", 2)
    value = {"RequestApiKey": 18, "RequestApiVersion": 3, "CorrelationId": 1, "ClientId": None}
    wire = encode(schema, value)
    assert blame_bytes(schema, value, wire, wire.replace(b"\xff\xff", b"\xff\xfe")).rule == "null.legacy"
