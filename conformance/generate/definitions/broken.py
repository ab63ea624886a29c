"""Broken definitions, one or more for each rule about them, with the place in which each is broken."""

from __future__ import annotations

import json
from itertools import starmap
from typing import Any, NamedTuple

from reference.definitions.parse import MAX_STEPS

Properties = dict[str, Any]


def message(*fields: Properties, **properties: Any) -> Properties:
    """A sound definition, but for what is given."""
    sound = {"type": "data", "name": "Sample", "validVersions": "0-2", "flexibleVersions": "1+"}
    return sound | properties | {"fields": list(fields)}


def field(**properties: Any) -> Properties:
    """A sound field, but for what is given."""
    return {"name": "Some", "type": "int32", "versions": "0+"} | properties


def struct(*fields: Properties, **properties: Any) -> Properties:
    """A sound common struct, but for what is given."""
    return {"name": "Shared", "versions": "0+"} | properties | {"fields": list(fields)}


def tagged(**properties: Any) -> Properties:
    """A sound tagged field, but for what is given."""
    return field(versions="1+", taggedVersions="1+", tag=0) | properties


def without(name: str, properties: Properties) -> Properties:
    """The properties but that one."""
    return {key: value for key, value in properties.items() if key != name}


class Broken(NamedTuple):
    """A definition with one thing wrong in it."""

    number: str
    """Of the rule, in the rule book."""
    rule: str
    """Its id, without the family."""
    place: str
    definition: Properties


WHOLE = "the definition as a whole"

_READ: list[tuple[str, str, str, Properties]] = [
    ("6.1", "versions-syntax", "fields[0].versions (Some)", message(field(versions="0 - 2"))),
    ("6.1", "versions-syntax", "fields[0].versions (Some)", message(field(versions="32768"))),
    ("6.1", "versions-syntax", "fields[0].versions (Some)", message(field(versions="all"))),
    ("6.3", "versions-not-negative", "fields[0].versions (Some)", message(field(versions="0--1"))),
    ("6.3", "versions-not-negative", "fields[0].versions (Some)", message(field(versions="-1"))),
    ("6.5", "name-present", "commonStructs[0]", message(commonStructs=[without("name", struct(field()))])),
    ("6.5", "name-present", WHOLE, without("name", message())),
    ("6.5", "kind-present", "(Sample)", without("type", message())),
    ("6.6", "kind", "type (Sample)", message(type="Request")),
    ("6.7", "valid-versions-present", "(Sample)", without("validVersions", message())),
    ("6.10", "flexible-versions-present", "(Sample)", without("flexibleVersions", message())),
    ("6.12", "listener-known", "listeners (Sample)", message(type="request", listeners=["proxy"])),
    ("6.15", "api-key-range", "apiKey (Sample)", message(apiKey=32768)),
    ("6.16", "known-properties", "about (Sample)", message(about="what it is for")),
    ("6.16", "known-properties", "fields[0].since (Some)", message(field(since="4.0"))),
    ("6.16", "known-properties", "commonStructs[0].about (Shared)", message(commonStructs=[struct(about="shared")])),
    ("6.25", "name-present", "fields[0]", message(without("name", field()))),
    ("6.26", "versions-present", "fields[0] (Some)", message(without("versions", field()))),
    ("6.26", "versions-present", "commonStructs[0] (Shared)", message(commonStructs=[without("versions", struct())])),
    (
        "6.27",
        "struct-versions-present",
        "fields[0] (Some)",
        message(without("versions", tagged(type="Inner", fields=[field(name="In")]))),
    ),
    ("6.28", "type", "fields[0] (Some)", message(without("type", field()))),
    ("6.28", "type", "fields[0].type (Some)", message(field(type="int24"))),
    ("6.28", "type", "fields[0].type (Some)", message(field(type="[]"))),
    ("6.28", "type", "fields[0].type (Some)", message(field(type="[][]int32"))),
    ("6.32", "entity-type-known", "fields[0].entityType (Some)", message(field(entityType="color"))),
    ("8.3", "property-type", "fields[0].ignorable (Some)", message(field(ignorable="yes"))),
    ("8.3", "property-type", "fields[0].tag (Some)", message(tagged(tag="zero"))),
    ("8.3", "property-type", "fields[0].default (Some)", message(field(default=[1]))),
    ("8.3", "property-type", "fields[0]", message("field")),  # type: ignore[arg-type]  # that is what is wrong
]
READ = tuple(starmap(Broken, _READ))
"""Noticed while the properties are read."""

INNER = field(type="Inner", fields=[field(name="In")])

_JUDGED: list[tuple[str, str, str, Properties]] = [
    ("6.8", "valid-versions-bounded", "validVersions", message(validVersions="0+")),
    ("6.11", "flexible-open-ended", "flexibleVersions", message(flexibleVersions="1-2")),
    ("6.12", "listeners-on-requests", "listeners", message(type="response", listeners=["broker"])),
    ("6.13", "unstable-on-requests", "latestVersionUnstable", message(latestVersionUnstable=True)),
    ("6.6", "coordinator-api-key", WHOLE, message(type="coordinator-value")),
    (
        "6.6",
        "coordinator-key-version",
        "validVersions",
        message(type="coordinator-key", apiKey=1, validVersions="0-1", flexibleVersions="none"),
    ),
    (
        "6.6",
        "coordinator-key-not-flexible",
        "flexibleVersions",
        message(type="coordinator-key", apiKey=1, validVersions="0"),
    ),
    ("6.17", "map-key-in-arrays", "fields[0] (Some)", message(field(mapKey=True))),
    ("6.20", "field-names-unique", "fields[1] (Some)", message(field(versions="0"), field(versions="1+"))),
    ("6.22", "tags-unique", "fields[1] (Other)", message(tagged(), tagged(name="Other"))),
    ("6.24", "tags-contiguous", WHOLE, message(tagged(), tagged(name="Other", tag=2))),
    (
        "6.24",
        "tags-contiguous",
        "fields[0] (Some)",
        message(field(type="[]Inner", fields=[tagged(name="In", tag=1)])),
    ),
    ("6.25", "field-name", "fields[0] (some_field)", message(field(name="some_field"))),
    ("6.25", "field-name", "fields[0] (3D)", message(field(name="3D"))),
    ("6.30", "nullable-type", "fields[0] (Some)", message(field(nullableVersions="0+"))),
    ("6.30", "nullable-type", "fields[0] (Some)", message(field(type="uuid", nullableVersions="0+"))),
    ("6.32", "entity-type", "fields[0] (Some)", message(field(entityType="topicName"))),
    ("6.32", "entity-type", "fields[0] (Some)", message(field(type="[]string", entityType="brokerId"))),
    ("6.33", "inner-fields", "fields[0] (Some)", message(field(fields=[field(name="In")]))),
    ("6.34", "flexible-override-type", "fields[0] (Some)", message(field(flexibleVersions="none"))),
    ("6.35", "flexible-override-subset", "fields[0] (Some)", message(field(type="string", flexibleVersions="0+"))),
    (
        "6.36",
        "tag-not-key",
        "fields[0].fields[0] (In)",
        message(field(type="[]Inner", fields=[tagged(name="In", mapKey=True)])),
    ),
    ("6.37", "tag-not-negative", "fields[0] (Some)", message(tagged(tag=-1))),
    ("6.38", "tag-needs-versions", "fields[0] (Some)", message(field(tag=0))),
    ("6.39", "tagged-versions-need-tag", "fields[0] (Some)", message(without("tag", tagged()))),
    ("6.40", "tagged-nullable", "fields[0] (Some)", message(tagged(type="string", nullableVersions="2+"))),
    ("6.41", "tagged-open-ended", "fields[0] (Some)", message(tagged(taggedVersions="1-2"))),
    ("6.42", "tagged-within-versions", "fields[0] (Some)", message(tagged(versions="2+"))),
    ("6.43", "tagged-within-flexible", "fields[0] (Some)", message(tagged(versions="0+", taggedVersions="0+"))),
    ("6.44", "zero-copy-type", "fields[0] (Some)", message(field(type="string", zeroCopy=True))),
    ("6.46", "struct-within-parent", "fields[0] (Some)", message(INNER | {"versions": "3+"})),
    (
        "6.46",
        "struct-within-parent",
        "fields[0].fields[0] (Some)",
        message(field(name="Outer", type="Outer", versions="1+", fields=[INNER | {"versions": "0"}])),
    ),
    ("6.47", "default", "fields[0] (Some)", message(field(default="many"))),
    (
        "4.1.13",
        "default-null",
        "fields[0] (Some)",
        message(field(type="string", nullableVersions="1+", default="null")),
    ),
    ("6.48", "common-struct-capitalised", "commonStructs[0] (shared)", message(commonStructs=[struct(name="shared")])),
    ("6.49", "common-structs-unique", "commonStructs[1] (Shared)", message(commonStructs=[struct(), struct()])),
    (
        "6.50",
        "common-struct-respecified",
        "fields[0] (Some)",
        message(field(type="Shared", fields=[field()]), commonStructs=[struct(field())]),
    ),
    ("6.51", "inline-struct-once", "fields[1] (Again)", message(INNER, field(name="Again", type="Inner"))),
    (
        "6.51",
        "inline-struct-once",
        "fields[0].fields[0] (Deeper)",
        message(field(type="Inner", fields=[field(name="Deeper", type="[]Inner")])),
    ),
    (
        "6.52",
        "inline-struct-in-common",
        "commonStructs[0].fields[0] (Some)",
        message(commonStructs=[struct(INNER)]),
    ),
    (
        "6.52",
        "common-struct-recursive",
        "commonStructs[0] (Shared)",
        message(commonStructs=[struct(field(type="[]Shared"))]),
    ),
    ("6.46", "common-struct-given-up", "commonStructs[0] (Shared)", message(commonStructs=[struct(versions="none")])),
    (
        "6.52",
        "common-struct-versions",
        "fields[0] (Some)",
        message(field(type="[]Shared"), commonStructs=[struct(field(), versions="1+")]),
    ),
    (
        "6.52",
        "common-struct-versions",
        "fields[0] (Some)",
        message(
            field(type="[]Part"),
            commonStructs=[
                struct(field(type="Part"), name="Detail", versions="1+"),
                struct(field(), name="Part"),
            ],
        ),
    ),
    ("6.59", "records-not-in-array", "fields[0] (Some)", message(field(type="[]records"))),
    ("6.59", "records-not-tagged", "fields[0] (Some)", message(tagged(type="records"))),
]
JUDGED = tuple(starmap(Broken, _JUDGED))
"""Noticed once the definition is read."""


class BrokenRelease(NamedTuple):
    """Definitions of which each is sound, but not all of them together."""

    number: str
    rule: str
    modules: dict[str, list[Properties]]


def _api(name: str, kind: str, **properties: Any) -> Properties:
    """A message without fields that has an apiKey."""
    sound = {"type": kind, "name": name, "apiKey": 1, "validVersions": "0", "flexibleVersions": "none"}
    return sound | properties


REQUEST, RESPONSE = _api("SampleRequest", "request"), _api("SampleResponse", "response")

RELEASES = (
    BrokenRelease("6.53", "api-key-present", {"sample": [without("apiKey", REQUEST)]}),
    BrokenRelease("6.54", "api-key-paired", {"sample": [REQUEST]}),
    BrokenRelease("6.54", "api-key-unique", {"sample": [REQUEST, RESPONSE, _api("OtherRequest", "request")]}),
    BrokenRelease("6.55", "message-names-unique", {"one": [message()], "two": [message()]}),
    BrokenRelease("6.55", "message-suffix", {"sample": [REQUEST, _api("SampleReply", "response")]}),
    BrokenRelease("6.56", "record-type-unique", {"sample": [_api("A", "metadata"), _api("B", "metadata")]}),
)
"""Noticed once all definitions of a release are read."""


class BrokenText(NamedTuple):
    """What cannot be read as a definition at all."""

    number: str
    rule: str
    text: str


def _nested(levels: int) -> Properties:
    """Structs in structs."""
    inner = field(name="Deepest")
    for level in range(levels):
        inner = field(name=f"Level{level}", type=f"Level{level}", fields=[inner])
    return message(inner)


TEXTS = (
    BrokenText("8.2", "json", '{ "type": "data", }'),
    BrokenText("8.1", "nesting", json.dumps(_nested(MAX_STEPS // 2))),
)
"""Noticed before there is a definition."""

HINTED = (
    Broken("6.14", "deprecated-versions", "deprecatedVersions (Sample)", message(deprecatedVersions="2-3")),
    Broken("6.52a", "empty-struct", "fields[0] (Some)", message(field(type="[]Shard"), commonStructs=[struct()])),
)
"""Let pass by Apache Kafka, though hardly meant."""

HINTED_RELEASE = BrokenRelease("6.57", "paired-versions", {"sample": [REQUEST, RESPONSE | {"validVersions": "0-1"}]})
"""Definitions that are hardly meant to go together."""
