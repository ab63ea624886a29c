from typing import Any

from reference.evolution import changes
from tests.helpers.definitions import Properties, field, message, struct, tagged
from tests.reference.evolution.definitions import compared, in_dialect, short


def number(name: str, **properties: Any) -> Properties:
    """Return an int32 with a name."""
    return field(name=name, **properties)


def text(name: str) -> Properties:
    return field(name=name, type="string")


def test_equal_definitions_have_no_changes() -> None:
    sample = message(number("One"), tagged(name="Two"), field(name="Three", type="[]Inner", fields=[text("In")]))
    assert compared(sample, sample) == []


def test_field_in_a_new_version_is_no_change_of_others() -> None:
    new = message(number("One"), number("Two", versions="3+", ignorable=True), validVersions="0-3")
    assert compared(message(number("One")), new) == [("compatible", "version-added", "3", "")]


def test_field_bounded_in_released_versions_is_removed_from_them() -> None:
    found = compared(message(number("One"), number("Two")), message(number("One"), number("Two", versions="1")))
    assert found == [("incompatible", "field-removed", "0", "Two"), ("incompatible", "field-removed", "2", "Two")]


def test_several_names_may_change_at_once() -> None:
    found = compared(message(number("A"), text("B"), number("C")), message(number("X"), text("Y"), number("C")))
    assert found == [("compatible", "renamed", "0-2", "A"), ("compatible", "renamed", "0-2", "B")]


def test_field_of_another_name_and_type_is_another_field() -> None:
    found = compared(message(number("A"), number("B")), message(number("A"), text("C")))
    assert found == [("incompatible", "field-added", "0-2", "C"), ("incompatible", "field-removed", "0-2", "B")]


def test_fields_moved_into_a_struct_have_the_same_bytes() -> None:
    new = message(field(name="Both", type="Pair", versions="0", fields=[number("A"), number("B")]))
    old = message(number("A", versions="0"), number("B", versions="0"))
    assert compared(old, new) == [("compatible", "same-bytes", "0", "")]


def test_fields_reordered_on_their_way_into_a_struct_are_others() -> None:
    new = message(field(name="Both", type="Pair", versions="0", fields=[number("B"), number("A")]))
    found = compared(message(number("A", versions="0"), number("B", versions="0")), new)
    assert {effect for effect, *_ in found} == {"incompatible"}


def test_struct_in_another_struct_has_the_same_bytes_though_they_share_a_name() -> None:
    inner = field(name="A", type="Inner", versions="0", fields=[number("A", versions="0"), number("B", versions="0")])
    outer = field(name="Outer", type="Outer", versions="0", fields=[inner])
    found = compared(message(inner), message(outer))
    assert {effect for effect, *_ in found} == {"compatible"}


def test_nullable_field_may_go_into_a_struct() -> None:
    """The struct may not be null, but its content may."""
    old = text("A") | {"versions": "0", "nullableVersions": "0"}
    new = field(name="A", type="Inner", versions="0", fields=[old])
    assert compared(message(old), message(new)) == [("compatible", "same-bytes", "0", "A")]


def test_struct_flexible_on_one_side_has_no_further_changes() -> None:
    """A common struct is as in its nearest version, here the last inflexible one."""
    old, new = (
        message(field(type="Shared"), commonStructs=[struct(number(name), versions=versions)])
        for name, versions in (("A", "0+"), ("B", "0"))
    )
    found = [each for each in compared(old, new) if each[0] == "incompatible"]
    assert found == [("incompatible", "flexible", "1-2", "Some")]


def test_nullable_struct_has_other_bytes_than_its_fields() -> None:
    new = message(field(type="[]In", versions="0", fields=[field(name="Of", type="P", fields=[number("A")])]))
    nullable = field(name="Of", type="P", nullableVersions="0+", fields=[number("A")])
    found = compared(new, message(field(type="[]In", versions="0", fields=[nullable])))
    assert found == [("incompatible", "nullability", "0", "Some.Of")]


def test_change_in_a_common_struct_shows_wherever_it_is_used() -> None:
    fields = (field(name="One", type="Shared"), field(name="Two", type="[]Shared"))
    old = message(*fields, commonStructs=[struct(number("A"))])
    new = message(*fields, commonStructs=[struct(number("A", type="int16"))])
    assert compared(old, new) == [("incompatible", "type", "0-2", "One.A"), ("incompatible", "type", "0-2", "Two.A")]


def test_default_in_another_spelling_is_the_same() -> None:
    assert compared(message(number("A", default="")), message(number("A", default="0x0"))) == []


def test_tag_gets_another_name_in_later_versions_alone() -> None:
    new = message(tagged(name="Other", versions="3+", taggedVersions="3+"), validVersions="3")
    found = compared(message(tagged()), new)
    assert ("review", "tag-renamed", "1-2", "Sample.Some") in found


def test_tagged_struct_may_get_another_name_and_a_tag_at_once() -> None:
    old = message(tagged(type="Inner", fields=[number("A", versions="1+")]))
    inner = [number("A", versions="1+"), tagged(name="New")]
    found = compared(old, message(tagged(name="Other", type="Inner", fields=inner)))
    assert found == [("review", "tag-renamed", "1-2", "Some"), ("compatible", "tag-added", "1-2", "Some.New")]


def test_struct_may_get_another_name_and_lose_a_tag_at_once() -> None:
    old = message(field(type="Inner", versions="1+", fields=[number("A"), tagged(name="Gone")]))
    new = message(field(name="Other", type="Inner", versions="1+", fields=[number("A")]))
    found = compared(old, new)
    assert found == [("compatible", "renamed", "1-2", "Some"), ("compatible", "tag-dropped", "1-2", "Some.Gone")]


def test_tag_in_a_nested_struct_is_added() -> None:
    old = message(field(type="Inner", versions="1+", fields=[number("A")]))
    new = message(field(type="Inner", versions="1+", fields=[number("A"), tagged(name="New")]))
    assert compared(old, new) == [("compatible", "tag-added", "1-2", "Some.New")]


def test_integer_grows_while_old_versions_keep_its_encoding() -> None:
    """KIP-625 proposes such growth, and an int32 without an encoding is as one of fixed32."""
    grown = number("A", type="int64", encoding={"0-2": "fixed32", "3+": "packed64"})
    old, new = (in_dialect("kip-625", message(each)) for each in (number("A"), grown))
    assert short(changes(old, new)) == [("compatible", "same-bytes", "0-2", "A")]


def test_encoding_of_more_bits_is_another() -> None:
    encodings = ("packed32", "packed64")
    old, new = (in_dialect("kip-625", message(number("A", type="int64", encoding=each))) for each in encodings)
    assert short(changes(old, new)) == [("incompatible", "encoding", "0-2", "A")]
