from dataclasses import replace

import pytest

from reference import ArrayType, FieldSchema, PrimitiveType, StructType, load_release
from reference.definitions.model import KINDS
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)
NUMBER = FieldSchema("A", PrimitiveType("int32"), default=0)
PAIR = FieldSchema("B", StructType("Pair", (NUMBER,), flexible=True))
PAIRS = FieldSchema("C", ArrayType(PAIR), default=[])


@pytest.mark.parametrize(
    ("field", "item", "struct_name"), [(NUMBER, NUMBER, None), (PAIR, PAIR, "Pair"), (PAIRS, PAIR, "Pair")]
)
def test_item_and_struct_are_those_inside_a_possible_array(
    field: FieldSchema, item: FieldSchema, struct_name: str | None
) -> None:
    assert field.item == item
    assert field.struct_name == struct_name


@pytest.mark.parametrize("field", [PAIR, PAIRS], ids=["struct", "array"])
def test_another_struct_is_put_where_the_old_one_was(field: FieldSchema) -> None:
    assert field.struct is not None
    other = field.with_struct(replace(field.struct, fields=()))
    assert other.item.fields == ()
    assert other.with_struct(field.struct) == field


@pytest.mark.parametrize(
    ("kind", "direction", "stored"),
    [
        ("request", "request", None),
        ("response", "response", None),
        ("header", "response", None),
        ("data", "response", "prefixed"),
        ("metadata", "response", "record"),
        ("coordinator-key", "response", "prefixed"),
        ("coordinator-value", "response", "prefixed"),
    ],
)
def test_direction_and_stored_form_follow_from_the_kind(kind: str, direction: str, stored: str | None) -> None:
    assert kind in KINDS
    schema = replace(RELEASE.schema("HeartbeatRequest", 4), kind=kind)
    assert (schema.direction, schema.stored_form) == (direction, stored)
