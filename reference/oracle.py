"""The oracle, which judges any bytes by the protocol and by Apache Kafka's reader.

    bytes  --one lenient reading-->  deviations, fault  -->  Verdict(result, apache_kafka, value)

A *deviation* is a place where reading continues only because the reader overlooks something. A *fault* cannot be
overlooked, and the bytes are invalid. Apache Kafka rejects every invalid input and accepts every valid one. It may do
either where the protocol leaves the result open.

A bool of `02` is a deviation (`bool.other-than-0-1`): the protocol leaves it open, and Apache Kafka reads True. A bool
of no bytes at all is a fault, `truncated`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reference.codec import encode
from reference.definitions.model import RELEASED
from reference.errors import Malformed, Reason, Unencodable
from reference.protocols import wire_type_of
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from collections.abc import Collection

    from reference.schema import MessageSchema


class Result(StrEnum):
    """The protocol's demand on a reader."""

    VALID = "valid"
    """The reader must accept the bytes, with the value of the verdict."""
    INVALID = "invalid"
    """The reader must reject the bytes."""
    UNSPECIFIED = "unspecified"
    """The reader may do either. It must neither crash, nor hang, nor allocate out of proportion."""


class ApacheKafka(StrEnum):
    """The behaviour of Apache Kafka's generated reader."""

    ACCEPTS = "accepts"
    REJECTS = "rejects"


HARMLESS = frozenset(("tag.explicit-default",))
"""Deviations that every reader must accept, though no writer makes them."""

DESYNCHRONISING = frozenset(
    ("tag.size-mismatch", "tag.not-in-this-version", "tag.count-negative", "struct.other-marker", "varint.excess-bits")
)
"""Deviations after which correct readers continue from different places, so that the result is open."""

LIMITS = frozenset(("array.beyond-limit", "tag.count-beyond-limit"))
"""Deviations refused by the readers of one release only. No verdict on invalid bytes names them."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on some bytes, the demand of the protocol and the independent behaviour of Apache Kafka."""

    result: Result
    rules: tuple[str, ...]
    """The ids of the violated rules, in order of place. Of invalid bytes the last one is the reason for it."""
    apache_kafka: ApacheKafka | None
    """None for a proposal, which Apache Kafka never implemented."""
    reason: Reason | None = None
    offset: int | None = None
    """Of invalid bytes: the index of the first byte that no valid message has; for truncation the input's length."""
    path: str = ""
    value: dict[str, Any] | None = None
    """The value read by Apache Kafka, if it accepts; in a proposal, the value read by a lenient reader."""
    consumed: int | None = None
    schema: MessageSchema | None = field(default=None, repr=False)
    """The schema of the value, if there is one."""

    @cached_property
    def canonical(self) -> bytes | None:
        """The canonical bytes of the value, made on first use, or None if Apache Kafka cannot write it."""
        if self.schema is None or self.value is None:
            return None
        try:
            return encode(self.schema, self.value)
        except Unencodable:
            return None


def judge(schema: MessageSchema, wire: bytes) -> Verdict:
    """Return the verdict on `wire` as a message of `schema`, without an error for any bytes."""
    reader = LenientReader(wire, limits=schema.limits)
    try:
        value = wire_type_of(schema).read(reader)
    except Malformed as error:
        return _rejected(schema, reader, error)
    consumed = reader.end()  # adds a deviation if bytes are left, so it comes before the rules
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
    """Return the protocol's demand on a reader with deviations from these rules, and a fault that stops it, if any."""
    if fault is not None:
        is_open = fault.reason is None or not DESYNCHRONISING.isdisjoint(rules)
        return Result.UNSPECIFIED if is_open else Result.INVALID
    return Result.VALID if HARMLESS.issuperset(rules) else Result.UNSPECIFIED


def _rejected(schema: MessageSchema, reader: LenientReader, error: Malformed) -> Verdict:
    """Return the verdict on bytes that the lenient reader cannot read to their end."""
    rules = [deviation.rule for deviation in reader.deviations if deviation.rule not in LIMITS]
    rejects = _apache_kafka(schema, ApacheKafka.REJECTS)
    # the result is open if the fault is, or if readers already stand at different places
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
