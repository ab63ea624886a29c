"""Single values, between the wire's types and kafka-python's.

kafka-python holds the zero UUID as None, and the sets of authorized operations, an int32 on the wire, as sets of bit
numbers with None for the bit 31 alone, which means that they were not asked for. All else is the same on both sides.

Null for a UUID or a set of operations has no form of its own there, so it is `Unrepresentable`; so are numbers of more
than 32 bits as a set. Anything else that is not of the field's type goes to kafka-python unchanged, which refuses it or
not.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from conformance.adapter import Unrepresentable
from conformance.adapters._mapping import Conversion

ZERO_UUID = UUID(int=0)
BITS = 32
LOWEST, HIGHEST = -(2**31), 2**31 - 1
NOT_ASKED_FOR = LOWEST
"""The number with the bit 31 alone."""


def uuid_to_kafka(value: Any) -> Any:
    """A UUID; the zero UUID is None."""
    if value is None:
        raise Unrepresentable("None is kafka-python's zero UUID")
    return None if value == ZERO_UUID else value


def uuid_from_kafka(value: UUID | None) -> UUID:
    """A UUID; None is the zero UUID."""
    return ZERO_UUID if value is None else value


def bit_field_to_kafka(value: Any) -> Any:
    """An int32 as the set of its bits."""
    if value is None:
        raise Unrepresentable("None is kafka-python's set of the bit 31 alone")
    if type(value) is not int:
        return value
    if not LOWEST <= value <= HIGHEST:
        raise Unrepresentable(f"{value} is not a set of {BITS} bits")
    return None if value == NOT_ASKED_FOR else {bit for bit in range(BITS) if value >> bit & 1}


def bit_field_from_kafka(bits: set[int] | None) -> int:
    """A set of bits as an int32."""
    if bits is None:
        return NOT_ASKED_FOR
    number = sum(1 << bit for bit in bits)
    return number if number <= HIGHEST else number - (1 << BITS)


CONVERSIONS = {
    "uuid": Conversion(uuid_to_kafka, uuid_from_kafka),
    "bitfield": Conversion(bit_field_to_kafka, bit_field_from_kafka),
}
"""By kafka-python's name of the type; for others, values are the same on both sides."""
