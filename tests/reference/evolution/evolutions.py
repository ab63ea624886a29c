"""Pairs of old and new definitions, one or more for each rule of the family `evolution`."""

import json
from typing import Any, NamedTuple

from reference.definitions.model import RELEASED
from reference.evolution import Change, DefinitionSet, release_changes
from reference.protocols import loader_of
from tests.helpers.definitions import Properties, field, message, tagged


class Evolved(NamedTuple):
    """A definition before and after one change."""

    rule: str
    """Its id, without the family."""
    versions: str
    """The changed versions; `none` for the message as a whole."""
    path: str
    old: Properties | None
    new: Properties | None
    beside: tuple[str, ...] = ()
    """The rules about changes along with it."""
    dialect: str = RELEASED
    """The protocol of the definitions."""

    def changes(self) -> tuple[Change, ...]:
        return release_changes(self._set(self.old), self._set(self.new))

    def _set(self, definition: Properties | None) -> DefinitionSet:
        if definition is None:
            return DefinitionSet({})
        parsed = loader_of(self.dialect).parse(json.dumps(definition), "Sample.json")
        return DefinitionSet({parsed.name: parsed})


def _int(name: str, **properties: Any) -> Properties:
    return field(name=name, **properties)


def _structs(versions: str) -> Properties:
    return field(type="[]Item", versions=versions, fields=[_int("Number", versions=versions)])


TEXT = field(type="string")
NULLABLE = TEXT | {"nullableVersions": "0+"}
LATER = tagged(name="Later", type="string", versions="3+", taggedVersions="3+")
PACKED = field(encoding="packed32")
KIP_625 = "kip-625"
NUMBERED = message(apiKey=1)
IGNORABLE, SET = field(versions="1+", ignorable=True), {"ignorable": False}
NEWER, LATEST = message(validVersions="0-3"), field(versions="3+")
REQUEST = message(type="request", name="SampleRequest", apiKey=1)
LISTENED = REQUEST | {"listeners": ["broker", "controller"]}
RESERVED, USED = REQUEST | {"validVersions": "none"}, REQUEST | {"name": "OtherRequest"}

EVOLUTIONS = (
    Evolved("api-key", "none", "", NUMBERED, NUMBERED | {"apiKey": 2}),
    Evolved("coordinator-kind", "none", "", message(), message(type="coordinator-value", apiKey=1)),
    Evolved("default", "0-2", "Some", message(field()), message(field(default="-1"))),
    Evolved("default", "0-2", "Some", message(field(versions="2+")), message(field(versions="2+", default="-1"))),
    Evolved("default", "0-2", "Some", message(tagged(default="5")), message(tagged())),
    Evolved("default", "0-2", "Some", message(NULLABLE), message(NULLABLE | {"default": "null"})),
    Evolved("encoding", "0-2", "Some", message(field()), message(PACKED), dialect=KIP_625),
    Evolved("facts", "none", "Sample.Some", message(field()), message(field(entityType="brokerId"))),
    Evolved("facts", "none", "", message(), message(deprecatedVersions="0")),
    Evolved("field-added", "2", "Some", message(), message(field(versions="2+"))),
    Evolved("field-order", "0-2", "", message(_int("One"), _int("Two")), message(_int("Two"), _int("One"))),
    Evolved("field-removed", "2", "Some", message(field(versions="0-2")), message(field(versions="0-1"))),
    Evolved("flexible", "1-2", "", message(), message(flexibleVersions="none")),
    Evolved("flexible", "0", "", message(), message(flexibleVersions="0+")),
    Evolved("flexible", "1-2", "Some", message(TEXT), message(TEXT | {"flexibleVersions": "none"})),
    Evolved("highest-version", "2", "", message(), message(validVersions="0-1")),
    Evolved("ignorable", "0-2", "Some", message(field()), message(field(ignorable=True))),
    Evolved("ignorable", "0-2", "Some", message(field(ignorable=True)), message(field())),
    Evolved("ignorable-withdrawn", "0", "Some", message(IGNORABLE), message(IGNORABLE | SET), ("ignorable",)),
    Evolved("kind", "none", "", message(), message(type="header")),
    Evolved("listeners", "none", "", LISTENED, LISTENED | {"listeners": ["controller"]}),
    Evolved("lowest-version", "0", "", message(), message(validVersions="1-2")),
    Evolved("message-added", "none", "", None, message()),
    Evolved("message-removed", "none", "", message(), None),
    Evolved("message-removed", "0-2", "", message(), message(validVersions="none")),
    Evolved("message-renamed", "none", "", NUMBERED, NUMBERED | {"name": "Other"}),
    Evolved("not-ignorable", "0-2", "Sample.Some", message(), NEWER | {"fields": [LATEST]}, ("version-added",)),
    Evolved("not-ignorable", "0", "Sample.Some", message(), message(tagged()), ("tag-added",)),
    Evolved("nullability", "0-2", "Some", message(TEXT), message(TEXT | {"nullableVersions": "0+"})),
    Evolved("nullability", "2", "Some", message(TEXT | {"nullableVersions": "2+"}), message(TEXT)),
    Evolved("renamed", "0-2", "Some", message(field()), message(field(name="Other"))),
    Evolved("renamed", "0-2", "Some", message(_structs("0+")), message(_structs("0+") | {"type": "[]Other"})),
    Evolved("reserved-key", "none", "", RESERVED, None, ("facts",)),
    Evolved("reserved-key", "none", "", RESERVED, USED, ("message-renamed", "version-added")),
    Evolved("same-bytes", "0", "Some", message(field(type="[]int32", versions="0")), message(_structs("0"))),
    Evolved("same-bytes", "0-2", "Some", message(PACKED), message(PACKED | {"type": "int64"}), dialect=KIP_625),
    Evolved("same-bytes", "0-2", "Some", message(field(type="bytes")), message(field(type="records"))),
    Evolved("stability", "none", "", REQUEST, REQUEST | {"latestVersionUnstable": True}),
    Evolved("tag-added", "1-2", "Some", message(), message(tagged(ignorable=True))),
    Evolved("tag-dropped", "1-2", "Some", message(tagged()), message()),
    Evolved("tag-number", "1-2", "Some", message(tagged()), message(LATER, tagged(tag=1)), ("tag-reused",)),
    Evolved("tag-renamed", "1-2", "Some", message(tagged()), message(tagged(name="Other"))),
    Evolved("tag-reused", "1-2", "Some", message(tagged()), message(tagged(name="Other", type="string"))),
    Evolved("tag-reused", "1-2", "Some", message(tagged()), message(tagged(name="Other"), field(versions="3+"))),
    Evolved("tag-reused", "1-2", "Sample.Some", message(tagged()), message(LATER), ("tag-versions",)),
    Evolved("tag-versions", "1", "Some", message(tagged()), message(tagged(versions="2+", taggedVersions="2+"))),
    Evolved("tag-versions", "1", "Some", message(tagged(versions="2+", taggedVersions="2+")), message(tagged())),
    Evolved("tagged", "1-2", "Some", message(field(versions="1+")), message(tagged())),
    Evolved("tagged", "1-2", "Some", message(tagged()), message(field(versions="1+"))),
    Evolved("type", "0-2", "Some", message(field()), message(field(type="int64"))),
    Evolved("type", "1-2", "Some", message(tagged()), message(tagged(type="int64"))),
    Evolved("type", "1-2", "Some", message(field(type="[]int32", versions="1+")), message(_structs("1+"))),
    Evolved("version-added", "3", "", message(), message(validVersions="0-3")),
)
