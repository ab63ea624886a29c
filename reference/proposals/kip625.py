"""KIP-625: definitions that say how an integer goes on the wire, by a property `encoding`.

    { "name": "LeaderId", "type": "int32", "versions": "0+",
      "encoding": { "0-9": "fixed32", "10+": "upacked32" } }

One name stands for all versions of the field. Without the property a field has the fixed encoding of its type. The rest
of the protocol is the released one. The property has rules of its own, and `kip625_encodings` has the encodings.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from reference.definitions.json_flavour import Number, Repetitive
from reference.definitions.model import VersionRange
from reference.definitions.parse import FIELD_PROPERTIES, Loader
from reference.definitions.rules import problem
from reference.definitions.validate import RuleBook
from reference.proposals.dialect import Dialect
from reference.proposals.kip625_encodings import ENCODINGS, encoded_integer
from reference.wire.message import Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.definitions.errors import Problem
    from reference.definitions.json_flavour import Tree
    from reference.definitions.model import FieldDefinition
    from reference.definitions.properties import Properties
    from reference.definitions.rules import FieldUse
    from reference.schema import FieldSchema
    from reference.wire.base import WireType

TYPES = ("int16", "int32", "int64")
"""Those that can have an encoding."""

PROPERTY = "encoding"
FORM = ("kip-625.encoding-form", "625-20")
ADVICE = 'write one name, as "packed32", or an object of versions and names, as {"0-1": "fixed32", "2+": "packed32"}'

Encodings = tuple[tuple[VersionRange, str], ...]


def encoding_problems(use: FieldUse) -> Iterator[Problem]:
    """Yield every problem of the encodings of a field."""
    encodings, has_type = use.field.encodings, use.field.type in TYPES
    for versions, name in encodings:
        if name not in ENCODINGS:
            yield _problem("name", use, versions, f"{name!r} is not an encoding")
    if encodings and not has_type:
        yield _problem("type", use, None, f"a field of type {use.field.type} cannot have an encoding")
    for versions, name in encodings if has_type else ():
        if name in ENCODINGS and ENCODINGS[name].bits > int(use.field.type.removeprefix("int")):
            yield _problem("width", use, versions, f"{name} has more bits than {use.field.type}")
    if encodings and _joined([versions for versions, _ in encodings]) != _joined([use.field.versions]):
        ranges = ", ".join(str(versions) for versions, _ in encodings)
        what = f"there are encodings for the versions {ranges}, and the field has {use.field.versions}"
        yield _problem("versions", use, None, what)
    for (one, _), (other, _) in combinations(encodings, 2):
        if not one.intersect(other).empty:
            what = f"the versions {other} and {one} have {one.intersect(other)} in common"
            yield _problem("overlap", use, other, what)


def _problem(rule: str, use: FieldUse, versions: VersionRange | None, what: str) -> Problem:
    steps = ("encoding",) if versions in {None, use.field.versions} else ("encoding", str(versions))
    return problem(f"kip-625.encoding-{rule}", use.place.at(*steps, name=use.field.name), what)


def _joined(ranges: list[VersionRange]) -> list[VersionRange]:
    """The same versions in as few ranges as can be, in order."""
    joined: list[VersionRange] = []
    for each in sorted(each for each in ranges if not each.empty):
        if joined and each.lowest <= joined[-1].highest + 1:
            joined[-1] = replace(joined[-1], highest=max(joined[-1].highest, each.highest))
        else:
            joined.append(each)
    return joined


class EncodingLoader(Loader):
    """Definitions whose integer fields may have an `encoding`."""

    dialect = "kip-625"
    field_properties = (*FIELD_PROPERTIES, PROPERTY)
    rules = RuleBook(field_checks=(encoding_problems,))

    def field(self, properties: Properties, flexible: VersionRange) -> FieldDefinition:
        """The field that an object is, with its encodings."""
        field = super().field(properties, flexible)
        return replace(field, encodings=_encodings(properties, field.versions))


def _encodings(properties: Properties, versions: VersionRange) -> Encodings:
    """What the property says, as it stands there: whether it makes sense is for the rules to say."""
    tree = properties.value(PROPERTY)
    if isinstance(tree, dict):
        return _by_versions(properties, tree)
    if isinstance(tree, str) and not isinstance(tree, Number):
        return ((versions, tree),)
    if tree is not None:
        properties.problem(*FORM, "the encoding is neither a text nor an object", ADVICE, PROPERTY)
    return ()


def _by_versions(properties: Properties, tree: dict[str, Tree]) -> Encodings:
    if not tree:
        properties.problem(*FORM, "the object of encodings is empty", ADVICE, PROPERTY)
    for key in tree.repeated if isinstance(tree, Repetitive) else ():
        what = f"the versions {key!r} are there more than once"
        properties.problem(*FORM, what, "keep one of them: only the last is read", PROPERTY, key)
    found = []
    for key, name in tree.items():
        versions = properties.range_of(key, PROPERTY, key)
        if versions is not None and versions.empty:
            what = f"{key!r} means no version at all"
            properties.problem(*FORM, what, "write 3, 3+ or 3-5, the lower version first, or drop it", PROPERTY, key)
        elif versions is not None and _is_name(properties, key, name):
            found.append((versions, str(name)))
    return tuple(found)


def _is_name(properties: Properties, key: str, name: Tree) -> bool:
    if isinstance(name, str) and not isinstance(name, Number):
        return True
    properties.problem(*FORM, f"the encoding of the versions {key} is not a text", ADVICE, PROPERTY, key)
    return False


class EncodingProtocol(Protocol):
    """The released protocol, but for integers that have an encoding: fields, and elements of arrays."""

    def number(self, field: FieldSchema) -> WireType:
        """In its encoding, if it has one."""
        return super().number(field) if field.encoding is None else encoded_integer(field.encoding)


KIP_625 = Dialect(EncodingLoader.dialect, EncodingLoader(), EncodingProtocol())
