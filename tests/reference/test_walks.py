"""The walks over a schema, over a value along its schema, and the change of each part of a value."""

from typing import Any

from reference import FieldSchema
from tests.reference.inline import message

SCHEMA = message("""
    { "name": "Number", "type": "int8", "versions": "0+" },
    { "name": "Topics", "type": "[]Topic", "versions": "0+", "fields": [
        { "name": "Name", "type": "string", "versions": "0+" },
        { "name": "Ids", "type": "[]int32", "versions": "0+" }
    ]}""")

VALUE = {"Number": 1, "Topics": [{"Name": "a", "Ids": [2]}, {"Name": "b", "Ids": []}]}


def test_every_field_and_element_has_its_path() -> None:
    paths = ["Number", "Topics", "Topics[]", "Topics[].Name", "Topics[].Ids", "Topics[].Ids[]"]
    assert [path for path, _ in SCHEMA.body.within()] == paths


def test_outer_parts_come_first() -> None:
    found = [(path, part) for path, _, part in SCHEMA.body.parts(VALUE) if not isinstance(part, dict)]
    assert found == [
        ("Number", 1),
        ("Topics", VALUE["Topics"]),
        ("Topics[0].Name", "a"),
        ("Topics[0].Ids", [2]),
        ("Topics[0].Ids[0]", 2),
        ("Topics[1].Name", "b"),
        ("Topics[1].Ids", []),
    ]


def test_each_part_comes_with_its_own_field() -> None:
    known = {"": SCHEMA.body, **dict(SCHEMA.body.within())}
    for path, field, _ in SCHEMA.body.parts({**VALUE, "Topics": VALUE["Topics"][:1]}):  # type: ignore[index]
        assert field is known[path.replace("[0]", "[]")]


def test_inner_parts_are_changed_first() -> None:
    def change(field: FieldSchema, part: Any) -> Any:
        return len(part) if field.element is not None else part * 10 if field.type.startswith("int") else part

    assert SCHEMA.body.mapped(VALUE, change) == {"Number": 10, "Topics": 2}


def test_missing_and_unknown_members_stay_as_they_are() -> None:
    value = {"Number": 1, "Unheard": 5, "Topics": None}
    assert SCHEMA.body.mapped(value, lambda _, part: part) == value
    assert [path for path, _, _ in SCHEMA.body.parts(value)] == ["", "Number", "Topics"]
