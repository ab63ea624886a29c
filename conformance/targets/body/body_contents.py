"""The fixed values of a message, and the changes of their bytes."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from conformance.generate.edge_values import Bases, edge_cases
from conformance.generate.hostile_bodies import shared_cases, structural_cases
from conformance.generate.refused_bytes import invalid_bytes
from conformance.generate.text_values import text_values
from conformance.generate.unusual_values import unencodable_variations

if TYPE_CHECKING:
    from conformance.targets.target import Contents, Damages
    from reference import MessageSchema


def body_contents(schema: MessageSchema) -> Contents:
    """Yield the valid values, the smallest first."""
    texts = (each.whole for each in text_values(schema))
    return ((each.origin, each.value) for each in chain(edge_cases(schema), texts))


def refused_bodies(schema: MessageSchema) -> Contents:
    """Yield the values without bytes."""
    return ((each.origin, each.value) for _, each in unencodable_variations(schema))


def body_damages(schema: MessageSchema, content: Any) -> Damages:
    """Yield the bases, with a content as the populated one, and the changes of their bytes."""
    bases = Bases.usual(schema)._replace(populated=content)
    for each in chain(structural_cases(schema, bases), shared_cases(schema, bases)):
        yield each.origin, each.wire
    for invalid in invalid_bytes(schema, bases):
        yield invalid.origin._replace(base=invalid.base), invalid.wire
