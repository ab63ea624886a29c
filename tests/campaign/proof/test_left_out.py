"""What the comparison with Apache Kafka leaves out, and the documentation of it."""

import re
from pathlib import Path

import pytest

import specs
from conformance.campaign.proof.left_out import (
    LEFT_OUT,
    NAN_DEFAULT,
    NO_BYTES,
    LeftOut,
    has_unsigned_elements,
    left_out,
)
from conformance.campaign.proof.proven_contents import body_questions
from reference import MessageSchema, load_release
from reference.definitions.parse import parse_definition
from reference.resolution import resolve
from tests.helpers.releases import NEWEST

PAGE = Path(specs.__path__[0]).parent / "docs" / "explanation" / "oracle.md"
HEAD = '"type": "data", "name": "A", "validVersions": "0-1", "flexibleVersions": "none"'
NUMBERS = '{"name": "N", "type": "[]uint16", "versions": "0+"}'
NUMBER = '{"name": "One", "type": "uint16", "versions": "0+"}'
ABSENT = '{"name": "F", "type": "float64", "versions": "1+", "default": "NaN"}'
DROPPED = '{"name": "F", "type": "float64", "versions": "1+", "default": "NaN", "ignorable": true}'
HOLES = '{"name": "H", "type": "[]Hole", "versions": "0+", "fields": [{"name": "D", "type": "int8", "versions": "1+"}]}'


def schema(*fields: str) -> MessageSchema:
    """The version 0 of a message with these fields."""
    return resolve(parse_definition(f'{{{HEAD}, "fields": [{", ".join(fields)}]}}', "A.json"), 0)


def test_the_documentation_lists_what_is_left_out() -> None:
    rows = [f"| {each.what} | {each.reason} | {each.run} |" for each in LEFT_OUT]
    unlinked = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", PAGE.read_text(encoding="utf-8"))
    assert [line for line in unlinked.splitlines() if line in rows] == rows


@pytest.mark.parametrize(
    ("field", "entry"), [(ABSENT, NAN_DEFAULT), (DROPPED, None), (HOLES, NO_BYTES), (NUMBERS, None)]
)
def test_a_version_is_left_out_for_what_apache_kafka_does_not_write_or_read(field: str, entry: LeftOut | None) -> None:
    assert left_out(schema(field)) is entry


def test_no_message_of_the_newest_release_is_left_out() -> None:
    schemas = load_release(NEWEST).schemas()
    assert [str(each) for each in schemas if left_out(each) or has_unsigned_elements(each)] == []


def test_an_unsigned_element_out_of_range_is_no_question_and_a_field_is_one() -> None:
    """The setter of Apache Kafka checks the field, and nothing checks an element."""
    questions = body_questions(schema(NUMBERS, NUMBER), 0, edges=True)
    refused = [each.name for each in questions if each.kind == "not writable"]
    assert [name for name in refused if "One=65536" in name]
    assert [name for name in refused if "N[" in name and "null" not in name] == []
