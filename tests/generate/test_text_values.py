from itertools import pairwise

import pytest

from conformance.generate import edges
from conformance.generate.text_values import text_values
from conformance.generate.unusual_values import SchemaPlace
from reference import MessageSchema, decode, encode, load_release, minimal, newest_release
from tests.helpers.probes import field, message, tagged

MOST = 10
TEXTS = {*edges.CHANGED_TEXTS.values()}
SHAPES = message(
    field("Name", "string"),
    field("Size", "int32"),
    field("Items", "[]Item", field("Labels", "[]string"), field("Rank", "int8")),
    field("Numbers", "[]int32"),
    field("Child", "Child", field("Text", "string"), nullableVersions="0+", default="null"),
    tagged("Mark", "string", 0, nullableVersions="0+", default="null"),
)
RELEASE = load_release(newest_release())
PAIRS = [RELEASE.schema(name, version) for name, version in (("MetadataResponse", 12), ("CreateTopicsRequest", 7))]
each_schema = pytest.mark.parametrize("schema", [SHAPES, *PAIRS], ids=str)


def texts_at(schema: MessageSchema) -> dict[str, list[str]]:
    """Return the texts of each text field, of the values together."""
    found: dict[str, list[str]] = {}
    for value in text_values(schema):
        for each in value.alone:
            found.setdefault(each.path, []).append(edges.CHANGED_TEXTS[each.what.removeprefix("text-")])
    return found


@each_schema
def test_every_text_field_has_every_text_once(schema: MessageSchema) -> None:
    found = texts_at(schema)
    places = SchemaPlace("", schema.body).inside()
    assert found.keys() == {place.path for place in places if place.field.type == "string"}
    assert all(sorted(texts) == sorted(TEXTS) for texts in found.values())


@each_schema
def test_there_are_at_most_ten_values(schema: MessageSchema) -> None:
    assert len([*text_values(schema)]) <= MOST


@each_schema
def test_every_value_can_be_written_and_read(schema: MessageSchema) -> None:
    for value in text_values(schema):
        for each in (value.whole, *value.alone):
            assert decode(schema, encode(schema, each.value)).value == each.value


def test_a_value_has_the_texts_of_its_parts_and_nothing_else() -> None:
    value = next(text_values(SHAPES))
    alone = {each.path: each.value for each in value.alone}
    assert value.whole.value == {
        **minimal(SHAPES),
        "Name": alone["Name"]["Name"],
        "Items": alone["Items[0].Labels[0]"]["Items"],
        "Child": alone["Child.Text"]["Child"],
        "Mark": alone["Mark"]["Mark"],
    }


def test_a_message_without_a_text_has_no_value() -> None:
    assert not [*text_values(message(field("Numbers", "[]int32")))]


def test_the_ends_of_texts_differ() -> None:
    """A codec may strip one kind of white space at one end only."""
    ends = {(text[0], text[-1]) for text in TEXTS if text != text.strip()}
    assert all(one[0] != other[0] and one[1] != other[1] for one, other in pairwise(sorted(ends)))
