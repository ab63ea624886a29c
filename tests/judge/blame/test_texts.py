"""Blame of texts, with a rule of its own for an empty one; null in place of any other is a changed text."""

import pytest

from conformance.judge.blame.body_rules import blame_bytes, blame_refusal, blame_value
from conformance.judge.blame.wrong_codecs import ReadValue
from reference import MessageSchema, difference, encode, load_release
from tests.helpers.releases import BASE

FORMS = [load_release(BASE).schema("FindCoordinatorRequest", version) for version in (2, 3)]
each_form = pytest.mark.parametrize("schema", FORMS, ids=str)


def of_reading(schema: MessageSchema, text: str, read: object) -> str:
    value, other = {"Key": text, "KeyType": 1}, {"Key": read, "KeyType": 1}
    place = difference(schema, value, other)
    assert place is not None
    return blame_value(schema, ReadValue(encode(schema, value), other), place).rule


def of_writing(schema: MessageSchema, text: str, written: str) -> str:
    value = {"Key": text, "KeyType": 1}
    return blame_bytes(schema, value, encode(schema, value), encode(schema, {**value, "Key": written})).rule


@each_form
@pytest.mark.parametrize("read", [None, " "])
def test_misread_empty_text_breaks_its_own_rule(schema: MessageSchema, read: object) -> None:
    assert of_reading(schema, "", read) == "string.empty"


@each_form
def test_refused_empty_text_breaks_its_own_rule(schema: MessageSchema) -> None:
    assert blame_refusal(schema, {"Key": "", "KeyType": 1}, "Key", "encode").rule == "string.empty"


@each_form
@pytest.mark.parametrize("read", [None, "NULL"])
def test_text_read_as_null_or_another_text_is_changed(schema: MessageSchema, read: object) -> None:
    assert of_reading(schema, "null", read) == "string.utf8"


@each_form
def test_text_written_shorter_is_changed(schema: MessageSchema) -> None:
    """Its length is right for the written text."""
    assert of_writing(schema, " a ", "a") == "string.utf8"


def test_text_written_as_a_forbidden_null_is_changed() -> None:
    value = {"Key": "null", "KeyType": 1}
    assert blame_bytes(FORMS[0], value, encode(FORMS[0], value), bytes.fromhex("ffff01")).rule == "string.utf8"
