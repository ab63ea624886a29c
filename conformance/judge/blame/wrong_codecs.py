"""A codec with one mistake, compared with the implementation and with the right result.

One of these readers fills up a truncated input with zeros.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.clean_faults import NULL_RULE
from conformance.generate.value_paths import items_along, remade
from conformance.judge.blame.searches import written
from conformance.targets.faults.schema_codec import converted
from reference import Malformed, MessageSchema, difference
from reference.inputs.trees import values_in
from reference.protocols import wire_type_of
from reference.values.comparison import same_value
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from conformance.targets.faults.body_faults import BodyFault
    from reference.errors import Reason
    from reference.paths import Path


class ReadValue(NamedTuple):
    """A value read from canonical bytes, with the number of consumed bytes if it is known."""

    wire: bytes
    value: Any
    consumed: int | None = None


def writes(fault: BodyFault, value: dict[str, Any], actual: bytes) -> bool:
    """Return whether a fault writes exactly these bytes.

    False if the value does not reach the fault.
    """
    *structs, _ = fault.path.replace("[]", "").split(".")
    # Without such a struct in the value, the fault has no effect on the bytes.
    if not any(items_along(value, structs)):
        return False
    return written(fault.codec, value) == actual


def reads(fault: BodyFault, schema: MessageSchema, read: ReadValue) -> bool:
    """Return whether a fault reads the same value from the same number of bytes."""
    try:
        value, consumed = fault.codec.read(read.wire)
    except (Malformed, NotImplementedError):  # some forms are only written
        return False
    if read.consumed not in {None, consumed}:
        return False
    if fault.codec.has_other_type:
        return same_value(value, converted(fault.codec.schema, read.value))
    return difference(schema, converted(schema, value), read.value) is None


def explains_reading(fault: BodyFault, schema: MessageSchema, wire: bytes) -> bool:
    """Return whether a reader with a fault refuses or misreads valid bytes."""
    try:
        value, consumed = fault.codec.read(wire)
    except Malformed:
        return True
    except NotImplementedError:  # some forms are only written
        return False
    if consumed != len(wire):
        return True
    sound = wire_type_of(schema).read(LenientReader(wire))
    return difference(schema, sound, converted(schema, value)) is not None


def explains_writing(fault: BodyFault, schema: MessageSchema, value: dict[str, Any]) -> bool:
    """Return whether a writer with a fault refuses a valid value, or writes other bytes."""
    return written(fault.codec, value) != wire_type_of(schema).write(value)


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
