from typing import Any

import pytest

from reference.evolution import changes
from tests.helpers.definitions import Properties, field, message, tagged
from tests.reference.evolution.definitions import Short, compared, in_dialect, short

FIXED = {"0-2": "fixed32", "3+": "fixed64"}


def grown(old: Properties, **properties: Any) -> list[Short]:
    """Return the changes of an int32 widened to int64, with its old bytes in the versions 0 to 2."""
    new = old | {"type": "int64", "encoding": FIXED} | properties
    before, after = (in_dialect("kip-625", message(each)) for each in (old, new))
    return short(changes(before, after))


@pytest.mark.parametrize(
    ("old", "versions"),
    [
        (field(default="5000"), "0-2"),
        (tagged(default="5000", versions="0+"), "0-2"),
        (field(default="5000", versions="3+"), "0-2"),
    ],
    ids=["positional", "tagged", "in no version"],
)
def test_default_of_a_widened_integer_stays(old: Properties, versions: str) -> None:
    encoding = FIXED if old["versions"] == "0+" else "fixed64"
    assert ("incompatible", "default", versions, "Some") in grown(old, default="60000", encoding=encoding)


def test_default_of_the_same_value_in_the_grown_type_is_no_change() -> None:
    assert grown(field(default="5000"), default="0x1388") == [("compatible", "same-bytes", "0-2", "Some")]


def test_default_stays_when_a_value_goes_into_a_struct() -> None:
    old = field(versions="0", default="5")
    for default, effects in (("5", {"compatible"}), ("6", {"compatible", "incompatible"})):
        new = field(type="Inner", versions="0", fields=[field(name="Value", versions="0", default=default)])
        assert {effect for effect, *_ in compared(message(old), message(new))} == effects


def test_default_stays_when_fields_go_into_a_struct() -> None:
    old = [field(name="A", versions="0"), field(name="B", versions="0", default="5")]
    new = field(type="Both", versions="0", fields=[old[0], old[1] | {"default": "6"}])
    found = compared(message(*old), message(new))
    assert found == [("incompatible", "default", "0", "B"), ("compatible", "same-bytes", "0", "")]


def test_default_of_a_tag_is_part_of_the_wire_form_of_a_struct() -> None:
    """A value and a struct of only a tag section become one struct with the same bytes and must keep the default."""
    number = field(name="A", versions="1+")
    old = message(number, field(name="B", type="Tags", versions="1+", fields=[tagged(name="T", default="5")]))
    for default, effects in (("5", {"compatible"}), ("6", {"incompatible"})):
        inner = [number, tagged(name="T", default=default)]
        found = compared(old, message(field(name="C", type="Both", versions="1+", fields=inner)))
        assert {effect for effect, *_ in found} == effects


def test_default_in_a_struct_of_later_versions_stays() -> None:
    old, new = (
        message(field(type="Inner", versions="2+", fields=[field(name="A", default=default)])) for default in "56"
    )
    assert compared(old, new) == [("incompatible", "default", "0-2", "Some.A")]


def test_default_of_incomparable_types_is_left_alone() -> None:
    old, new = (message(field(versions="3+", type=each)) for each in ("int32", "string"))
    assert compared(old, new) == []
