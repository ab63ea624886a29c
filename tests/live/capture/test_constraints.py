"""Each row of specs/constraints.toml, with a value on each side, both read by the reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from conformance.definitions.catalogue import catalogue
from conformance.definitions.defining_releases import Definitions
from conformance.judge.events import Expected, wrote_such
from conformance.live.capture.constraints import constraints, constraints_of
from conformance.live.capture.frame_verdict import judge_request, judge_response, value_departures
from reference import completed, encode, encode_frame, judge, load_release, newest_release, releases
from reference.error_codes import error_codes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.live.capture.constraints import Condition, Constraint
    from conformance.live.capture.frame_verdict import BrokenRule, JudgedFrame
    from reference import FieldSchema, MessageSchema

DEFINITIONS = Definitions.beginning_with(load_release(newest_release()))
API_VERSIONS, LIST_OFFSETS, SIZE = 18, 2, 4
OTHER = {"string": "a", "uuid": UUID(int=1), "struct": {}}
"""A value that is no default, by type; of numbers it is 7."""

each_row = pytest.mark.parametrize("row", constraints(), ids=str)


def schemas(row: Constraint) -> Iterator[MessageSchema]:
    """Yield the schemas of a row in every release."""
    for name in releases():
        release = load_release(name)
        if row.message in release.messages:
            versions = release.definition(row.message).valid_versions.intersect(row.versions)
            yield from (release.schema(row.message, version) for version in versions)


def sides(field: FieldSchema, condition: Condition) -> tuple[Any, Any]:
    """Return a value within a condition, as near to its bound as possible, and one outside of it."""
    kind, bound = condition
    element = field.element
    other = OTHER.get(field.type, 7) if element is None else [OTHER.get(element.type, 7)]
    if kind == "set":
        return (other, field.default) if bound else (field.default, other)
    pair = around(kind, bound)
    return pair if element is None else ([pair[0]], [pair[1]])


def around(kind: str, bound: Any) -> tuple[Any, Any]:
    """Return a number or a text on each side of a bound, the allowed one first."""
    match kind:
        case "at-least":
            return bound, bound - 1
        case "at-most":
            return bound, bound + 1
        case "among":
            return max(bound), max(bound) + 1
        case "errors":
            return 0, error_codes()[bound[0]]
    return "Dead", "Dead."


def value_of(row: Constraint, schema: MessageSchema, *, keeps: bool) -> dict[str, Any]:
    """Return a message with one field of the row, within its condition or outside of it."""
    *steps, last = row.path.split(".")
    fields, arrays = schema.fields, []
    for step in steps:
        [field] = (each for each in fields if each.name == step)
        arrays.append(field.element is not None)
        fields = (field.element or field).fields
    named = {field.name: field for field in fields}
    inner = {name: sides(named[name], each)[0] for name, each in row.where.items()}
    inner[last] = sides(named[last], row.condition)[0 if keeps else 1]
    for step, is_array in zip(reversed(steps), reversed(arrays), strict=True):
        inner = {step: [inner] if is_array else inner}
    return completed(schema, inner)


def departures(row: Constraint, schema: MessageSchema, *, keeps: bool) -> list[BrokenRule]:
    """Return the departures of a message from a row, without those from other rows."""
    found = value_departures(schema, value_of(row, schema, keeps=keeps))
    about = (row.path, row.asked)
    return [each for each in found if (each.path.replace("[0]", ""), each.expectation.name) == about]


@each_row
def test_row_is_about_existing_versions_and_names_its_sources(row: Constraint) -> None:
    assert list(schemas(row))
    assert catalogue()[row.rule].side == "connection"
    assert row.sources


@each_row
def test_value_within_a_row_has_no_departure(row: Constraint) -> None:
    for schema in schemas(row):
        assert departures(row, schema, keeps=True) == []


@each_row
def test_value_outside_of_a_row_is_blamed_on_it(row: Constraint) -> None:
    """It is blamed once, at the field, with the demand of the row and its source."""
    for schema in schemas(row):
        [departure] = departures(row, schema, keeps=False)
        assert (departure.rule, departure.expectation.what) == (row.rule, Expected.ALLOWED_VALUE)
        assert row.sources[0] in departure.expectation.name


@each_row
def test_codecs_write_and_read_values_outside_of_a_row(row: Constraint) -> None:
    for schema in schemas(row):
        value = value_of(row, schema, keeps=False)
        assert judge(schema, encode(schema, value)).value == value


@each_row
def test_other_versions_of_a_message_are_not_held_to_a_row(row: Constraint) -> None:
    for name in releases():
        release = load_release(name)
        if row.message in release.messages:
            for version in release.definition(row.message).valid_versions:
                assert (row in constraints_of(release.schema(row.message, version))) == (version in row.versions)


def asked(**fields: Any) -> JudgedFrame:
    """Return the verdict on a request for ApiVersions."""
    release = DEFINITIONS.among[0]
    value = completed(release.schema("ApiVersionsRequest", 3), fields)
    return judge_request(DEFINITIONS, encode_frame(release, "request", API_VERSIONS, 3, 7, None, value)[SIZE:])


def test_frame_within_its_rows_tries_their_rules() -> None:
    assert "connection.refused-value" in asked(ClientSoftwareName="a", ClientSoftwareVersion="1.0").tried


def test_each_departing_field_is_named_with_its_value() -> None:
    name, version = asked(ClientSoftwareName="a b").departures
    assert (name.path, name.observation) == ("ClientSoftwareName", wrote_such("'a b'"))
    assert (version.path, version.observation) == ("ClientSoftwareVersion", wrote_such("''"))


def test_a_row_is_blamed_once_in_a_message() -> None:
    release = DEFINITIONS.among[0]
    partitions = [{"PartitionIndex": index, "Timestamp": timestamp} for index, timestamp in enumerate((-2, -3, -4))]
    schema = release.schema("ListOffsetsRequest", 6)
    value = completed(schema, {"Topics": [{"Name": "t", "Partitions": partitions}]})
    frame = encode_frame(release, "request", LIST_OFFSETS, 6, 7, None, value)
    [departure] = judge_request(DEFINITIONS, frame[SIZE:]).departures
    assert (departure.path, departure.observation) == ("Topics[0].Partitions[1].Timestamp", wrote_such("-3"))


def test_body_in_another_form_is_judged_by_its_bytes_alone() -> None:
    body = bytes.fromhex("0000 01 00000000 01 00 08 02 02 66 0000 0002 00")
    frame = bytes(4) + body
    assert [each.rule for each in judge_response(DEFINITIONS, API_VERSIONS, 3, frame).departures] == [
        "connection.refused-value"
    ]
    [departure] = judge_response(DEFINITIONS, API_VERSIONS, 3, frame + b"\0").departures
    assert departure.rule == "message.nothing-else"
