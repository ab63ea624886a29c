"""KIP-625: definitions that say how an integer goes on the wire, by a property `encoding`.

    { "name": "LeaderId", "type": "int32", "versions": "0+",
      "encoding": { "0-9": "fixed32", "10+": "upacked32" } }

One name stands for all versions of the field. Without the property a field has the fixed encoding of its type. The rest
of the protocol is the released one. `kip625_encodings` has the encodings themselves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from reference.definitions.json_flavour import Number, Repetitive
from reference.definitions.model import FieldDefinition, VersionRange
from reference.definitions.parse import FIELD_PROPERTIES, Loader
from reference.definitions.validate import RuleBook
from reference.proposals.dialect import Dialect
from reference.proposals.kip625_encodings import encoded_integer
from reference.proposals.kip625_rules import encoding_problems
from reference.wire.message import Protocol

if TYPE_CHECKING:
    from reference.definitions.json_flavour import Tree
    from reference.definitions.properties import Properties
    from reference.schema import FieldSchema
    from reference.wire.base import WireType

PROPERTY = "encoding"
FORM = ("kip-625.encoding-form", "625-20")
ADVICE = 'write one name, as "packed32", or an object of versions and names, as {"0-1": "fixed32", "2+": "packed32"}'

Encodings = tuple[tuple[VersionRange, str], ...]


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
