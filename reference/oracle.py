"""The verdict on any bytes: what the protocol asks of a reader, and what Apache Kafka's reader does.

Both follow from one lenient reading. It keeps every deviation, a place where the bytes go on only because the reader
overlooks something; what cannot be overlooked is invalid. Every invalid input is rejected by Apache Kafka, every valid
one accepted; what the protocol leaves open goes either way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reference.codec import encode
from reference.definitions.model import RELEASED
from reference.errors import Malformed, Reason, Unencodable
from reference.protocols import message_type
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from collections.abc import Collection

    from reference.schema import MessageSchema


class Result(StrEnum):
    """What the protocol asks of a reader."""

    VALID = "valid"
    """It must accept, with the value."""
    INVALID = "invalid"
    """It must reject."""
    UNSPECIFIED = "unspecified"
    """It is free; but it must neither crash, nor hang, nor allocate out of proportion."""


class ApacheKafka(StrEnum):
    """What Apache Kafka's generated reader does."""

    ACCEPTS = "accepts"
    REJECTS = "rejects"


HARMLESS = frozenset(("tag.explicit-default",))
"""Deviations that every reader must take, though no writer makes them."""

DESYNCHRONISING = frozenset(
    ("tag.size-mismatch", "tag.not-in-this-version", "tag.count-negative", "struct.other-marker", "varint.excess-bits")
)
"""After these, sound readers go on from different places: whatever follows, the result is open."""

LIMITS = frozenset(("array.beyond-limit", "tag.count-beyond-limit"))
"""What only the readers of one release refuse: not worth naming in bytes that are invalid for every reader."""


@dataclass(frozen=True)
class Verdict:
    """Two independent facts about some bytes."""

    result: Result
    rules: tuple[str, ...]
    """The ids of the rules that the bytes depart from, in order of place; the last one says why they are invalid."""
    apache_kafka: ApacheKafka | None
    """None for a proposal, which Apache Kafka never spoke."""
    reason: Reason | None = None
    offset: int | None = None
    """Of invalid bytes: the first one that cannot be part of a sound message; for truncation the input's length."""
    path: str = ""
    value: dict[str, Any] | None = None
    """What Apache Kafka reads, if it accepts; in a proposal, what a lenient reader reads."""
    consumed: int | None = None
    schema: MessageSchema | None = field(default=None, repr=False)
    """Of which message the value is, if there is one."""

    @cached_property
    def canonical(self) -> bytes | None:
        """What Apache Kafka writes for that value; None if it cannot write it. Worked out when first asked for."""
        if self.schema is None or self.value is None:
            return None
        try:
            return encode(self.schema, self.value)
        except Unencodable:
            return None


def judge(schema: MessageSchema, wire: bytes) -> Verdict:
    """The verdict on `wire` as a message of `schema`; never raises, whatever the bytes."""
    reader = LenientReader(wire, limits=schema.limits)
    try:
        value = message_type(schema).read(reader)
    except Malformed as error:
        return _rejected(schema, reader, error)
    consumed = reader.end()
    rules = tuple(deviation.rule for deviation in reader.deviations)
    result = result_of(rules, None)
    if reader.refusal is not None:
        return Verdict(result, rules, _apache_kafka(schema, ApacheKafka.REJECTS))
    return Verdict(
        result,
        rules,
        _apache_kafka(schema, ApacheKafka.ACCEPTS),
        value=value,
        consumed=consumed,
        schema=schema,
    )


def result_of(rules: Collection[str], fault: Malformed | None) -> Result:
    """Return what the protocol asks of a reader that overlooks these deviations and stops at this fault, if at any."""
    if fault is not None:
        is_open = fault.reason is None or not DESYNCHRONISING.isdisjoint(rules)
        return Result.UNSPECIFIED if is_open else Result.INVALID
    return Result.VALID if HARMLESS.issuperset(rules) else Result.UNSPECIFIED


def _rejected(schema: MessageSchema, reader: LenientReader, error: Malformed) -> Verdict:
    """No reader can go on, or Apache Kafka's does not, or nobody knows where the others are by now."""
    rules = [deviation.rule for deviation in reader.deviations if deviation.rule not in LIMITS]
    rejects = _apache_kafka(schema, ApacheKafka.REJECTS)
    if result_of(rules, error) is Result.UNSPECIFIED:
        return Verdict(Result.UNSPECIFIED, tuple(rules), rejects)
    return Verdict(
        Result.INVALID,
        (*rules, error.rule),
        rejects,
        reason=error.reason,
        offset=error.offset,
        path=error.path,
    )


def _apache_kafka(schema: MessageSchema, does: ApacheKafka) -> ApacheKafka | None:
    return does if schema.dialect == RELEASED else None
