"""A codec with one mistake, compared with the implementation and with the right result.

One of these readers fills up a truncated input with zeros.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.clean_faults import NULL_RULE
from conformance.generate.value_paths import items_along, remade
from reference import TAGS, Malformed, MessageSchema, Unencodable, difference
from reference.inputs.trees import values_in
from reference.protocols import wire_type_of
from reference.values.comparison import same_value
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from conformance.judge.blame.fault_models import FaultModel
    from reference.errors import Reason
    from reference.paths import Path


class ReadValue(NamedTuple):
    """A value read from canonical bytes, with the number of consumed bytes if it is known."""

    wire: bytes
    value: Any
    consumed: int | None = None


def writes(mistake: FaultModel, value: dict[str, Any], actual: bytes) -> bool:
    """Return whether a mistake writes exactly these bytes.

    False if the value does not reach the mistake.
    """
    *structs, _ = mistake.path.replace("[]", "").split(".")
    # Without such a struct in the value, the mistake has no effect on the bytes.
    if not any(items_along(value, structs)):
        return False
    return written(mistake, value) == actual


def written(mistake: FaultModel, value: dict[str, Any]) -> bytes | None:
    """Return the bytes of a value by a writer with a mistake, or None if it refuses the value."""
    try:
        return mistake.wire_type.write(converted(mistake.schema, value))
    except Unencodable:
        return None


def converted(schema: MessageSchema, value: dict[str, Any]) -> dict[str, Any]:
    """Return the value with the fields of a schema only.

    Fields missing in the value are at their defaults.
    """
    converted: dict[str, Any] = _adapt(schema.body, value)
    return converted


def _adapt(field: Any, value: Any) -> Any:
    if field.element is not None and isinstance(value, list):
        return [_adapt(field.element, item) for item in value] if field.element.fields else value
    if field.type != "struct" or not isinstance(value, dict):
        return value
    converted = {each.name: _adapt(each, value.get(each.name, each.default)) for each in field.fields}
    if field.flexible and value.get(TAGS):
        converted[TAGS] = value[TAGS]
    return converted


def reads(mistake: FaultModel, schema: MessageSchema, read: ReadValue) -> bool:
    """Return whether a mistake reads the same value from the same number of bytes."""
    reader = LenientReader(read.wire)
    try:
        value = mistake.wire_type.read(reader)
    except (Malformed, NotImplementedError):  # some forms are only written
        return False
    if read.consumed not in {None, reader.tell()}:
        return False
    if mistake.has_other_type:
        return same_value(value, converted(mistake.schema, read.value))
    return difference(schema, converted(schema, value), read.value) is None


def explains_reading(mistake: FaultModel, schema: MessageSchema, wire: bytes) -> bool:
    """Return whether a reader with a mistake refuses or misreads valid bytes."""
    reader = LenientReader(wire)
    try:
        value = mistake.wire_type.read(reader)
    except Malformed:
        return True
    except NotImplementedError:  # some forms are only written
        return False
    if reader.tell() != reader.size:
        return True
    sound = wire_type_of(schema).read(LenientReader(wire))
    return difference(schema, sound, converted(schema, value)) is not None


def explains_writing(mistake: FaultModel, schema: MessageSchema, value: dict[str, Any]) -> bool:
    """Return whether a writer with a mistake refuses a valid value, or writes other bytes."""
    return written(mistake, value) != wire_type_of(schema).write(value)


MOST = 2**17
"""The largest number of zeros to read."""
OF_LEAF = 16
"""The largest number of bytes of a number."""


def read_padded(schema: MessageSchema, wire: bytes, read: Any) -> dict[str, Any] | None:
    """Return the value of truncated bytes filled up with zeros.

    None if no zeros are needed.

    Args:
        schema: the message.
        wire: the bytes.
        read: the value read by the implementation, whose size limits the number of zeros.
    """
    reader = NullReader(wire + bytes(min(MOST, OF_LEAF * (1 + _leaves(read)))))
    try:
        value: dict[str, Any] = wire_type_of(schema).read(reader)
    except Malformed:
        return None
    return value if reader.tell() > len(wire) else None


def _leaves(value: Any) -> int:
    """Return the number of numbers, texts and empty arrays in a value.

    Each byte of a text adds one.
    """
    return sum(1 + (len(part) if isinstance(part, str | bytes) else 0) for _, part in values_in(value))


def are_same_but_nothing(schema: MessageSchema, one: Any, other: Any) -> bool:
    """Return whether two values of a message are the same if null equals empty.

    Readers confuse the two in zeros.
    """
    try:
        return same_value(*(remade(converted(schema, each), _null_if_empty) for each in (one, other)))
    except (AttributeError, TypeError, KeyError):  # an implementation may return anything
        return False


def _null_if_empty(part: Any) -> Any:
    return None if isinstance(part, str | bytes | list) and not part else part


class LooseReader(LenientReader):
    """A reader that goes on where one rule is broken."""

    loose = ""

    def malformed(  # type: ignore[override]  # it returns, where the strict one raises
        self, rule: str, reason: Reason, offset: int, path: Path, detail: str = ""
    ) -> None:
        """Read on where the rule is broken."""
        if rule != self.loose:
            super().malformed(rule, reason, offset, path, detail)


class NullReader(LooseReader):
    """A reader that accepts a length of 0 as null everywhere.

    Readers with one function for nullable and other fields do so.
    """

    loose = NULL_RULE
