"""What can be wrong with one field of a definition: `FIELD_DAMAGES`, a row for each way.

A row makes the broken field, or the fields that are broken together, for a place in an otherwise sound definition.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Properties = dict[str, Any]


class Place(Enum):
    """Where broken fields are put."""

    ANYWHERE = "anywhere"
    """In the message, in structs inside one another, or in a common struct."""
    NOT_COMMON = "not in a common struct"
    """For what is or has an inline struct, which breaks another rule there (6.52)."""
    COMMON = "in a common struct"
    TOP = "in the message"
    INNER = "in a struct of the message"


class Spot(NamedTuple):
    """The very place that a broken field is made for."""

    tag: int
    """The next free tag."""
    flexible: int
    """The first flexible version; of no importance where there is none."""


class FieldDamage(NamedTuple):
    """One way in which fields can be broken."""

    number: str
    """Of the statement in specs/protocol."""
    rule: str
    """Its id, without the family."""
    name: str
    """What is wrong, in few words; no other damage to the same rule has the same."""
    make: Callable[[Spot], list[Properties]]
    place: Place = Place.ANYWHERE
    flexible: bool | None = None
    """Whether the message must have flexible versions, or must have none; None: either."""


def field(*dropped: str, **properties: Any) -> Properties:
    """A sound field, but for what is given or dropped."""
    sound = {"name": "Damaged", "type": "int32", "versions": "0+"} | properties
    return {name: value for name, value in sound.items() if name not in dropped}


def tagged(spot: Spot, *dropped: str, **properties: Any) -> Properties:
    """A sound tagged field, but for what is given or dropped."""
    since = f"{spot.flexible}+"
    return field(*dropped, **({"versions": since, "taggedVersions": since, "tag": spot.tag} | properties))


def other(broken: Properties, **properties: Any) -> Properties:
    """Another field like that one."""
    return broken | {"name": "Other"} | properties


INNER = [field(name="Inner")]


def _constant(number: str, rule: str, what: str, place: Place = Place.ANYWHERE, /, **properties: Any) -> FieldDamage:
    """A field that is broken by those properties, wherever it is."""
    return FieldDamage(number, rule, what, lambda _: [field(**properties)], place)


def _lacks(number: str, rule: str, name: str) -> FieldDamage:
    return FieldDamage(number, rule, f"no {name}", lambda _: [field(name)])


def _tagged(
    number: str, rule: str, name: str, *dropped: str, place: Place = Place.ANYWHERE, **properties: Any
) -> FieldDamage:
    """A tagged field that is broken by those properties."""
    return FieldDamage(number, rule, name, lambda spot: [tagged(spot, *dropped, **properties)], place, flexible=True)


def _bad_default(
    type_name: str, text: str, number: str = "6.47", rule: str = "default", **properties: Any
) -> FieldDamage:
    name = f"{type_name} {text}"
    return _constant(number, rule, name, type=type_name, default=text, **properties)


_VERSIONS = (
    *(
        _constant("6.1", "versions-syntax", text, versions=text)
        for text in ("0 - 2", "32768", "all", "0..2", "1-2-3", "0x1")
    ),
    *(
        _constant("6.1", "versions-syntax", f"nullable {text}", type="string", nullableVersions=text)
        for text in ("all", "70000+")
    ),
    *(_constant("6.3", "versions-not-negative", text, versions=text) for text in ("-1", "0--1")),
    _lacks("6.26", "versions-present", "versions"),
    FieldDamage(
        "6.27",
        "struct-versions-present",
        "a tagged struct",
        lambda spot: [tagged(spot, "versions", type="[]Damage", fields=INNER)],
        Place.NOT_COMMON,
        flexible=True,
    ),
    FieldDamage(
        "6.46",
        "struct-within-parent",
        "after the message",
        lambda _: [field(type="[]Damage", fields=INNER, versions="100+")],
        Place.TOP,
    ),
    FieldDamage(
        "6.46",
        "struct-within-parent",
        "in no version",
        lambda _: [field(type="Damage", fields=INNER, versions="none")],
        Place.NOT_COMMON,
    ),
)

_TYPES = (
    _lacks("6.28", "type", "type"),
    *(
        _constant("6.28", "type", text, type=text)
        for text in ("int24", "[]", "[][]int32", "string[]", "[]float", "varint")
    ),
    *(
        _constant("6.30", "nullable-type", name, type=name, nullableVersions="0+")
        for name in ("bool", "int8", "int32", "uint32", "float64", "uuid")
    ),
    _constant("6.32", "entity-type", "of a number", entityType="topicName"),
    _constant("6.32", "entity-type", "of an array", type="[]string", entityType="brokerId"),
    _constant("6.32", "entity-type-known", "unheard of", type="string", entityType="color"),
    _constant("6.32", "entity-type-known", "in capitals", type="string", entityType="TopicName"),
    _constant("6.33", "inner-fields", "of a number", fields=INNER),
    _constant("6.33", "inner-fields", "of a text", type="string", fields=INNER),
    _constant("6.34", "flexible-override-type", "of a number", flexibleVersions="none"),
    _constant("6.34", "flexible-override-type", "of an array", type="[]string", flexibleVersions="none"),
    FieldDamage(
        "6.35",
        "flexible-override-subset",
        "of a message that is never flexible",
        lambda _: [field(type="string", flexibleVersions="0+")],
        flexible=False,
    ),
    _constant("6.44", "zero-copy-type", "string", type="string", zeroCopy=True),
    _constant("6.44", "zero-copy-type", "records", type="records", zeroCopy=True),
    _constant("6.59", "records-not-in-array", "[]records", type="[]records"),
)

_NAMES = (
    _lacks("6.25", "name-present", "name"),
    *(_constant("6.25", "field-name", text, name=text) for text in ("some_field", "3D", "a b", "é", "A-B")),
    FieldDamage(
        "6.20",
        "field-names-unique",
        "in other versions",
        lambda _: [field(versions="0"), field(versions="1+", type="string")],
    ),
    _constant("6.16", "known-properties", "since", since="4.0"),
    _constant("6.16", "known-properties", "Type", Type="int32"),
    _constant("8.3", "property-type", "ignorable yes", ignorable="yes"),
    _constant("8.3", "property-type", "tag zero", tag="zero"),
    _constant("8.3", "property-type", "default [1]", default=[1]),
    _constant("8.3", "property-type", "nullableVersions {}", nullableVersions={}),
    FieldDamage("8.3", "property-type", "a text", lambda _: ["field"], Place.TOP),  # type: ignore[list-item]  # that is it
    _constant("6.17", "map-key-in-arrays", "at the top", Place.TOP, mapKey=True),
)

_TAGS = (
    FieldDamage(
        "6.22", "tags-unique", "the same twice", lambda spot: [tagged(spot), other(tagged(spot))], flexible=True
    ),
    FieldDamage(
        "6.24", "tags-contiguous", "one left out", lambda spot: [tagged(spot, tag=spot.tag + 1)], flexible=True
    ),
    _tagged("6.36", "tag-not-key", "both", place=Place.INNER, mapKey=True),
    _tagged("6.37", "tag-not-negative", "-1", tag=-1),
    FieldDamage("6.38", "tag-needs-versions", "none", lambda spot: [field(tag=spot.tag)]),
    _tagged("6.39", "tagged-versions-need-tag", "no tag", "tag"),
    FieldDamage(
        "6.40",
        "tagged-nullable",
        "later",
        lambda spot: [tagged(spot, type="string", nullableVersions=f"{spot.flexible + 1}+")],
        flexible=True,
    ),
    FieldDamage(
        "6.40",
        "tagged-nullable",
        "for a time",
        lambda spot: [tagged(spot, type="[]int32", nullableVersions=f"0-{spot.flexible + 1}")],
        flexible=True,
    ),
    FieldDamage(
        "6.41",
        "tagged-open-ended",
        "for a time",
        lambda spot: [tagged(spot, taggedVersions=f"{spot.flexible}-{spot.flexible + 1}")],
        flexible=True,
    ),
    FieldDamage(
        "6.42",
        "tagged-within-versions",
        "before it is there",
        lambda spot: [tagged(spot, versions=f"{spot.flexible + 1}+")],
        flexible=True,
    ),
    FieldDamage(
        "6.43",
        "tagged-within-flexible",
        "in a message that is never flexible",
        lambda spot: [tagged(spot, versions="0+", taggedVersions="0+")],
        flexible=False,
    ),
    FieldDamage(
        "6.43",
        "tagged-within-flexible",
        "where the field itself is not flexible",
        lambda spot: [tagged(spot, type="bytes", flexibleVersions="none")],
        flexible=True,
    ),
    _tagged("6.59", "records-not-tagged", "records", place=Place.COMMON, type="records"),
)

_DEFAULTS = (
    *(
        _bad_default("int8", text)
        for text in ("128", "-129", "0xff", "many", " 5", "5.0", "1e2", "0X7f", "-0x5", "null")
    ),
    *(_bad_default("int32", text) for text in ("2147483648", "0x80000000", "0xg", "1_000", "5L", "08")),
    *(_bad_default("int64", text) for text in ("9223372036854775808", "0x8000000000000000")),
    *(_bad_default("uint16", text) for text in ("-1", "65536", "0x10000", "0177777")),
    *(_bad_default("uint32", text) for text in ("-1", "4294967296")),
    *(_bad_default("bool", text) for text in ("1", "yes", " true", "null")),
    *(_bad_default("float64", text) for text in ("half", "nan", "1.5x", "0x1", "null")),
    *(_bad_default("uuid", text) for text in ("null", "AAAA", "AAAAAAAAAAAAAAAAAAAAA!")),
    *(_bad_default(name, "0") for name in ("bytes", "[]int32")),
    _constant("6.47", "default", "Damage {}", Place.NOT_COMMON, type="Damage", default="{}", fields=INNER),
    *(_bad_default(name, "null", "4.1.13", "default-null") for name in ("string", "bytes", "[]int32")),
    _bad_default("[]string", "null", "4.1.13", "default-null", nullableVersions="1+"),
)

FIELD_DAMAGES: tuple[FieldDamage, ...] = (*_VERSIONS, *_TYPES, *_NAMES, *_TAGS, *_DEFAULTS)
"""Every damage to fields."""

NOTICED_LATE: tuple[FieldDamage, ...] = (
    _bad_default("uint32", "2147483648", "4.1.4", ""),
    _constant("4.1.6", "", "a quote", type="string", default='"'),
    _constant("4.1.6", "", "a line end", type="string", default="a\nb"),
    FieldDamage("6.21", "", "alike but for a capital", lambda _: [field(name="alike"), field(name="Alike")]),
    *(_constant("6.25", "", name, name=name) for name in ("class", "Int", "null", "true")),
    _constant("6.59", "", "[]bytes", type="[]bytes"),
    _tagged("6.59", "", "zeroCopy", type="bytes", zeroCopy=True),
)
"""What Apache Kafka's generator takes, and then the Java compiler does not (rule 6.59 and others).

No rule forbids it, as its bytes are well defined.
"""

DASHED_UUID = _bad_default("uuid", "00112233-4455-6677-8899-aabbccddeeff")
"""What even compiles, and fails when the class is used (rule 4.1.7); the reference refuses it at once."""
