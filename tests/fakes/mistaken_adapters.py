"""Adapters around the reference, with a mistake in their mapping or in the library behind it.

A mapping is a function of the definition of a field and of the right item there. It returns what the adapter gives.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import reference
from conformance.adapter import Decoded, Value
from tests.fakes.lies import Honest

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference import FieldSchema, MessageSchema

    Map = Callable[[FieldSchema, Any], Any]

SUPPORTED = {
    "DeleteTopicsRequest": [6],
    "DescribeClientQuotasResponse": [1],
    "DescribeTopicPartitionsRequest": [0],
    "MetadataRequest": [12],
    "SaslAuthenticateRequest": [2],
    "SyncGroupRequest": [5],
}


@dataclass
class Mistaken(Honest):
    """An adapter of the reference with a mapping of its own.

    Attributes:
        gives: the mapping of the adapter.
        library: what the library makes of an item, before the mapping.
        finish: makes the answer of `decode`.
        fails: what `decode` does with an error.
    """

    gives: Map = lambda _, item: item
    library: Map = lambda _, item: item
    finish: Callable[[reference.Decoded], Any] = lambda read: Decoded(read.value, read.consumed)
    fails: Callable[[Exception], Any] | None = None
    before: Callable[[MessageSchema], None] = lambda _: None
    rejections: tuple[type[Exception], ...] = Honest.rejections

    name = "mistaken"
    capabilities = frozenset()
    supported = staticmethod(lambda: SUPPORTED)

    def given(self, schema: MessageSchema, value: Value) -> Value:
        self.before(schema)
        return value

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        self.before(schema)
        try:
            read = reference.decode(schema, data)
        except reference.Malformed as error:
            if self.fails is None:
                raise
            return self.fails(error)
        mapped = mapped_value(schema.body, read.value, lambda field, item: self.gives(field, self.library(field, item)))
        return self.finish(replace(read, value=mapped))


def mapped_value(field: FieldSchema, item: Any, gives: Map) -> Any:
    """Return a value with every item as a mapping gives it, the innermost first."""
    if isinstance(item, list) and field.element is not None:
        item = [mapped_value(field.element, each, gives) for each in item]
    elif isinstance(item, dict):
        inner = {each.name: each for each in field.fields}
        item = {name: mapped_value(inner[name], each, gives) if name in inner else each for name, each in item.items()}
    return gives(field, item)
