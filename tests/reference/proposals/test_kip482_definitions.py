import pytest

from reference import encode, load_release
from reference.definitions.model import NO_VERSIONS, VersionRange
from reference.proposals import PROPOSALS
from reference.resolution import resolve
from tests.reference.proposals.kip482 import FIRST, SECOND, fields_of, message, optional, positional

both = pytest.mark.parametrize("dialect", [FIRST, SECOND])


@both
def test_documents_own_definition_loads(dialect: str) -> None:
    schema = load_release(dialect).schema("FooResponse", 9)
    [agent, foos] = schema.fields
    assert foos.element is not None
    [bar, baz] = foos.element.fields
    tag = {FIRST: 1, SECOND: 10}[dialect]
    assert (agent.name, agent.tag, foos.tag) == ("UserAgent", tag, None)
    assert (bar.name, bar.tag, bar.default, baz.tag) == ("Bar", tag, "hello world", None)


@both
def test_optional_fields_are_in_no_version_outside_the_range(dialect: str) -> None:
    schema = load_release(dialect).schema("FooResponse", 8)
    assert not schema.flexible
    assert [field.name for field in schema.fields] == ["Foos"]
    assert [field.name for field in schema.absent_fields] == ["UserAgent"]


@both
def test_range_of_versions_may_come_to_an_end(dialect: str) -> None:
    definition = load_release(dialect).definition("ClosedRangeData")
    assert definition.flexible_versions == VersionRange(1, 2)
    assert [load_release(dialect).schema("ClosedRangeData", each).flexible for each in range(4)] == [0, 1, 1, 0]


def test_every_version_of_the_second_draft_is_flexible_by_default() -> None:
    """The first draft requires the property."""
    definition = PROPOSALS[SECOND].loader.parse(message(SECOND, optional(SECOND), flexible=None), "Sample.json")
    assert str(definition.flexible_versions) == "0+"
    assert str(definition.fields[0].tagged_versions) == "0+"


@both
def test_message_may_have_no_version_with_optional_fields(dialect: str) -> None:
    definition = PROPOSALS[dialect].loader.parse(message(dialect, flexible="none"), "Sample.json")
    assert definition.flexible_versions == NO_VERSIONS


@both
def test_one_tag_serves_at_the_top_and_in_a_struct(dialect: str) -> None:
    inner = {"fields": [positional()], "optionalFields": [optional(dialect)]}
    text = message(dialect, optional(dialect, type="Inner", **inner))
    field = fields_of(dialect, text, 1)["Some"]
    assert (field.tag, field.fields[0].tag) == (1, 1)


@both
def test_common_struct_has_optional_fields(dialect: str) -> None:
    struct = {"name": "Node", "versions": "0+", "fields": [], "optionalFields": [optional(dialect)]}
    text = message(dialect, commonStructs=[struct], fields=[positional(type="Node")])
    assert fields_of(dialect, text, 1)["Other"].fields[0].tag == 1


def test_nullable_field_without_default_defaults_to_null() -> None:
    empty = optional(FIRST, name="B", tag="0x2", nullable=True, default="")
    fields = fields_of(FIRST, message(FIRST, optional(FIRST, nullable=True), empty), 1)
    assert (fields["Some"].default, fields["B"].default) == (None, "")


def test_field_without_null_has_the_default_of_its_type() -> None:
    assert fields_of(FIRST, message(FIRST, optional(FIRST)), 1)["Some"].default == ""


def test_nothing_is_compact_in_the_first_draft() -> None:
    fields = fields_of(FIRST, message(FIRST, optional(FIRST), fields=[positional(type="string")]), 1)
    assert not fields["Some"].compact
    assert not fields["Other"].compact


def test_everything_is_compact_in_the_second_draft() -> None:
    fields = fields_of(SECOND, message(SECOND, optional(SECOND), fields=[positional(type="string")]), 1)
    assert fields["Some"].compact
    assert fields["Other"].compact


@pytest.mark.parametrize("tag", ["0x0001", "0x7fff", "0x7FFF", "0x80", "0x1"])
def test_tag_of_the_first_draft_is_a_hexadecimal_text(tag: str) -> None:
    assert fields_of(FIRST, message(FIRST, optional(FIRST, tag=tag)), 1)["Some"].tag == int(tag, 16)


@pytest.mark.parametrize("tag", [1, 10, 2**31 - 1])
def test_tag_of_the_second_draft_is_a_number(tag: int) -> None:
    assert fields_of(SECOND, message(SECOND, optional(SECOND, tag=tag)), 1)["Some"].tag == tag


def test_arrays_of_structs_are_optional_fields_in_the_second_draft() -> None:
    text = message(SECOND, optional(SECOND, type="[]Inner", fields=[positional()]))
    assert fields_of(SECOND, text, 1)["Some"].element is not None


@both
@pytest.mark.parametrize("type_name", ["[]int32", "[]string", "[]uuid", "Inner"])
def test_arrays_of_primitives_and_structs_are_optional_fields(dialect: str, type_name: str) -> None:
    assert fields_of(dialect, message(dialect, optional(dialect, type=type_name)), 1)["Some"].tag == 1


def test_field_with_a_tag_alone_is_tagged_in_all_flexible_versions() -> None:
    text = message(SECOND, flexible="3+", fields=[{"name": "Some", "type": "int32", "tag": 7}])
    definition = PROPOSALS[SECOND].loader.parse(text, "Sample.json")
    [field] = definition.fields
    assert (str(field.versions), str(field.tagged_versions)) == ("3+", "3+")


def test_field_with_versions_and_a_tag_is_positional_before_the_flexible_versions() -> None:
    text = message(SECOND, flexible="3+", fields=[positional(tag=7)])
    assert [fields_of(SECOND, text, version)["Other"].tag for version in (2, 3)] == [None, 7]


def test_tagged_versions_may_be_some_of_the_versions() -> None:
    text = message(SECOND, optional(SECOND, versions="1+", taggedVersions="2-3"))
    assert [fields_of(SECOND, text, version)["Some"].tag for version in (1, 2, 3, 4)] == [None, 1, 1, None]


def test_optional_field_of_an_inflexible_version_is_positional() -> None:
    """Its bytes stand before those of the other fields, with nothing before them."""
    text = message(SECOND, optional(SECOND, type="int8", versions="0+"), fields=[positional(type="int8")])
    schema = resolve(PROPOSALS[SECOND].loader.parse(text, "Sample.json"), 0)
    assert encode(schema, {"Some": 7, "Other": 1}).hex() == "0701"


SPACE = [(FIRST, "0000", "04000100050000", "000005"), (SECOND, "0000", "0106000500", "000005")]


@pytest.mark.parametrize(("dialect", "absent", "optionally", "mandatorily"), SPACE)
def test_present_optional_field_takes_more_bytes_than_a_mandatory_one(
    dialect: str, absent: str, optionally: str, mandatorily: str
) -> None:
    """An int16 has 2 bytes after a section, and 5 or 4 inside it, and the last byte is another field."""
    last = positional(type="int8")
    texts = [message(dialect, optional(dialect, type="int16"), fields=[last])]
    texts.append(message(dialect, fields=[positional(name="Some", type="int16"), last]))
    one, two = (resolve(PROPOSALS[dialect].loader.parse(text, "Sample.json"), 1) for text in texts)
    assert encode(one, {"Some": 0, "Other": 0}).hex() == absent
    assert encode(one, {"Some": 5, "Other": 0}).hex() == optionally
    assert encode(two, {"Some": 5, "Other": 0}).hex() == mandatorily + "00"


@pytest.mark.parametrize(("type_name", "value", "saved"), [("[]int8", [1], 3), ("bytes", b"a", 3), ("string", "a", 1)])
def test_compact_length_saves_bytes(type_name: str, value: object, saved: int) -> None:
    """A flexible version has one byte for its section."""
    text = message(SECOND, fields=[positional(type=type_name)])
    definition = PROPOSALS[SECOND].loader.parse(text, "Sample.json")
    before, flexible = (len(encode(resolve(definition, version), {"Other": value})) for version in (0, 1))
    assert before - (flexible - 1) == saved
