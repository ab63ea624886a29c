import pytest

from conformance.generate.hostile_bodies import hostile_cases
from conformance.generate.structure import EXPLICIT_DEFAULT, explicit_defaults
from reference import MessageSchema, Result, judge, load_release, newest_release
from tests.helpers.probes import field, message, tagged

RULES = ("tag.explicit-default",)
ID = tagged("Id", "string", 0, nullableVersions="0+", default="null")
NULL = message(ID, tagged("Number", "int32", 1, default="7"))
NESTED = message(field("Items", "[]Item", field("Name", "string"), tagged("Mark", "int8", 0)))
WITHIN = message(tagged("Outer", "Outer", 0, tagged("Inner", "int8", 0)))


def written(schema: MessageSchema) -> dict[str, str]:
    return {path: wire.hex(" ") for path, wire in explicit_defaults(schema)}


def test_null_is_written_where_it_is_the_default() -> None:
    assert written(NULL)["Id"] == "01 00 01 00"


def test_default_other_than_null_is_written_alone() -> None:
    assert written(NULL)["Number"] == "01 01 04 00 00 00 07"


def test_a_field_of_an_element_is_written_in_one_element() -> None:
    assert written(NESTED) == {"Items[0].Mark": "02 01 01 00 01 00 00"}


def test_a_field_inside_another_tagged_one_is_left_out() -> None:
    assert written(WITHIN).keys() == {"Outer"}


@pytest.mark.parametrize(
    ("name", "version"), [("FetchRequest", 17), ("FetchResponse", 18), ("PartitionChangeRecord", 2)]
)
def test_the_bytes_are_valid_and_written_otherwise(name: str, version: int) -> None:
    schema = load_release(newest_release()).schema(name, version)
    verdicts = [judge(schema, wire) for _, wire in explicit_defaults(schema)]
    assert {(verdict.result, verdict.rules) for verdict in verdicts} == {(Result.VALID, RULES)}


def test_each_is_a_case_of_the_suite_in_its_field() -> None:
    cases = {case.path: case.wire.hex(" ") for case in hostile_cases(NULL) if case.name.endswith(EXPLICIT_DEFAULT)}
    assert cases == written(NULL)
