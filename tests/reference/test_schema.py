import pytest

from reference import FieldSchema, MessageSchema, load_release
from reference.definitions.parse import parse_definition
from reference.resolution import resolve
from tests.helpers.releases import BASE
from tests.reference.inline import message, one_field

HISTORY = """
    { "name": "Always", "type": "int8", "versions": "0+" },
    { "name": "Removed", "type": "int8", "versions": "0-1", "default": "4", "ignorable": true },
    { "name": "Added", "type": "string", "versions": "2+", "nullableVersions": "3+" },
    { "name": "Moving", "type": "[]int32", "versions": "0+", "tag": 0, "taggedVersions": "3+" },
    { "name": "Late", "type": "int64", "versions": "3+", "tag": 1, "taggedVersions": "3+" }"""
"""Flexible from version 2."""


def at(version: int) -> MessageSchema:
    return message(HISTORY, version=version, flexible="2+")


def named(fields: tuple[FieldSchema, ...], name: str) -> FieldSchema:
    (found,) = (field for field in fields if field.name == name)
    return found


PRESENCE: list[tuple[int, str, str]] = [
    (0, "Always Removed Moving", "Added Late"),
    (1, "Always Removed Moving", "Added Late"),
    (2, "Always Added Moving", "Removed Late"),
    (3, "Always Added Moving Late", "Removed"),
    (9, "Always Added Moving Late", "Removed"),
]


@pytest.mark.parametrize(("version", "present", "absent"), PRESENCE)
def test_fields_of_a_version_in_the_order_of_the_definition(version: int, present: str, absent: str) -> None:
    schema = at(version)
    assert [field.name for field in schema.fields] == present.split()
    assert [field.name for field in schema.absent_fields] == absent.split()


@pytest.mark.parametrize(("version", "flexible"), [(0, False), (1, False), (2, True), (9, True)])
def test_flexible_versions_are_those_of_the_message(version: int, *, flexible: bool) -> None:
    assert at(version).flexible is flexible
    assert at(version).body.flexible is flexible


@pytest.mark.parametrize(("version", "compact"), [(0, False), (2, True), (3, True)])
def test_lengths_are_compact_in_flexible_versions(version: int, *, compact: bool) -> None:
    assert named(at(version).fields, "Moving").compact is compact


@pytest.mark.parametrize(("version", "nullable"), [(2, False), (3, True)])
def test_nullability_depends_on_the_version(version: int, *, nullable: bool) -> None:
    assert named(at(version).fields, "Added").nullable is nullable


@pytest.mark.parametrize(("version", "tag", "elsewhere"), [(0, None, {0, 1}), (2, None, {0, 1}), (3, 0, set())])
def test_tag_is_one_only_in_tagged_versions(version: int, tag: int | None, elsewhere: set[int]) -> None:
    """In the others the field has its place among the rest, and its tag counts as taken (rule 2.1.5)."""
    assert named(at(version).fields, "Moving").tag == tag
    assert at(version).tags_elsewhere == elsewhere


def test_absent_field_keeps_its_facts_for_writers() -> None:
    removed = named(at(2).absent_fields, "Removed")
    assert (removed.default, removed.ignorable, removed.type) == (4, True, "int8")
    assert named(at(0).absent_fields, "Added").nullable


def test_position_counts_over_all_versions() -> None:
    assert [field.position for field in at(2).fields] == [0, 2, 3]
    assert [field.position for field in at(2).absent_fields] == [1, 4]


def test_map_key_is_kept() -> None:
    fields = '"fields": [{ "name": "Key", "type": "int8", "versions": "0+", "mapKey": true }]'
    (field,) = one_field(f'"type": "[]Entry", "versions": "0+", {fields}').fields
    assert field.element is not None
    assert field.element.fields[0].map_key


def test_element_is_never_nullable() -> None:
    """Only the array itself may be null (rule 1.1.17)."""
    schema = one_field('"type": "[]string", "versions": "0+", "nullableVersions": "0+"')
    (field,) = schema.fields
    assert field.nullable
    assert field.element is not None
    assert not field.element.nullable


def test_element_follows_its_array_into_the_compact_form() -> None:
    """The elements' strings are compact where the array's count is (rule 1.1.17)."""
    for flexible, compact in (("0+", True), ("none", False)):
        (field,) = one_field('"type": "[]string", "versions": "0+"', flexible=flexible).fields
        assert field.element is not None
        assert field.element.compact is compact


def test_field_may_stay_out_of_flexible_versions() -> None:
    """Its own flexibleVersions decide on its length, and on nothing else (rule 1.1.18)."""
    schema = one_field('"type": "string", "versions": "0+", "flexibleVersions": "none"')
    assert schema.flexible
    assert not schema.fields[0].compact


def test_tagged_field_is_compact() -> None:
    (field,) = one_field('"type": "bytes", "versions": "0+", "tag": 0, "taggedVersions": "0+"').fields
    assert field.compact


def test_common_struct_is_resolved_wherever_it_is_used() -> None:
    """Two fields of one type have the same fields, without regard to the struct's own versions (rule 8.10)."""
    schema = message(
        '{ "name": "One", "type": "Shared", "versions": "0+" },'
        '{ "name": "More", "type": "[]Shared", "versions": "0+" }',
        common='{ "name": "Shared", "versions": "0-1", "fields": [{ "name": "X", "type": "int8", "versions": "0+" }] }',
        version=2,
    )
    one, more = schema.fields
    assert more.element is not None
    assert [field.name for field in one.fields] == [field.name for field in more.element.fields] == ["X"]
    assert one.struct_name == more.struct_name == "Shared"


def test_field_of_a_struct_follows_its_own_versions() -> None:
    definition = """"type": "Inner", "versions": "0+", "fields": [
        { "name": "A", "type": "int8", "versions": "0+" }, { "name": "B", "type": "int8", "versions": "1+" }]"""
    assert [field.name for field in one_field(definition, version=0).fields[0].fields] == ["A"]
    assert [field.name for field in one_field(definition, version=0).fields[0].absent_fields] == ["B"]
    assert [field.name for field in one_field(definition, version=1).fields[0].fields] == ["A", "B"]


def test_missing_version_is_refused() -> None:
    text = '{ "type": "data", "name": "Some", "validVersions": "2-4", "flexibleVersions": "none", "fields": [] }'
    definition = parse_definition(text, "Some.json")
    with pytest.raises(ValueError, match=r"Some .* version 5: .* 2-4"):
        resolve(definition, 5)


def test_schemas_of_two_readings_are_equal_and_have_one_hash() -> None:
    assert at(3) == at(3)
    assert hash(at(3)) == hash(at(3))
    assert at(3) != at(2)


def test_schema_is_called_by_message_and_version() -> None:
    assert str(load_release(BASE).schema("FetchRequest", 17)) == "FetchRequest-v17"


CLOSED = """
    { "type": "data", "name": "Sample", "validVersions": "0-2", "flexibleVersions": "1+",
      "commonStructs": [
        { "name": "Closed", "versions": "0", "fields": [
            { "name": "Kept", "type": "string", "versions": "0" },
            { "name": "Added", "type": "int8", "versions": "1+" },
            { "name": "Lasting", "type": "string", "versions": "0+" } ] } ],
      "fields": [ { "name": "Part", "type": "[]Closed", "versions": "0+" } ] }"""
"""A common struct used beyond its versions, and inflexible in its own."""


@pytest.mark.parametrize("version", [0, 1, 2])
def test_a_common_struct_beyond_its_versions_is_as_in_the_nearest_one(version: int) -> None:
    """It lacks the fields, the compact lengths and the tag section of later versions (rule 8.10)."""
    (array,) = resolve(parse_definition(CLOSED, "Sample"), version).fields
    assert array.compact is (version > 0)
    assert array.element is not None
    assert [(each.name, each.compact) for each in array.element.fields] == [("Kept", False), ("Lasting", False)]
    assert not array.element.flexible
