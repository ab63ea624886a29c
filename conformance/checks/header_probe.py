"""Is it the body alone? Clients write and read header and body in one, and their bytes are easily given as they are."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from conformance.adapter import FrameContent
from conformance.checks.frames import is_framed
from conformance.generate.cases import populated
from conformance.implementation.outcome import Kind
from conformance.implementation.targets import WholeFrame
from reference import MessageSchema, encode, equal, minimal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import Direction
    from conformance.implementation.driver import Implementation
    from conformance.implementation.session import Session

CORRELATION_ID = 0x5A4B3C2D
"""A number that reads as nothing else."""

SIZE = 4
"""Bytes of a frame's size."""


class Framed(NamedTuple):
    """A value, its body, and the bytes in front of that in a frame: header alone, size and header."""

    value: dict[str, object]
    body: bytes
    fronts: tuple[bytes, bytes]


def header_texts(session: Session, schema: MessageSchema) -> Iterator[tuple[Direction, str]]:
    """Say that an adapter writes, or wants, a header in front of the body, as far as one message shows it."""
    if not is_framed(schema):
        return
    frame = WholeFrame(schema, session.release)
    values = [_framed(frame, value) for value in (minimal(schema), populated(schema))]
    if session.implementation.offers("encode", schema):
        yield from (("encode", text) for text in _written_in_front(session.implementation, schema, values))
    if session.implementation.offers("decode", schema):
        wanted = (_wanted_in_front(session.implementation, schema, each) for each in values)
        yield from (("decode", text) for text in islice(chain.from_iterable(wanted), 1))


def _framed(frame: WholeFrame, value: dict[str, object]) -> Framed:
    client = "kafka" if frame.direction == "request" else None
    whole = frame.write(FrameContent(CORRELATION_ID, client, value, ()))
    body = encode(frame.schema, value)
    front = whole[: len(whole) - len(body)]
    return Framed(value, body, (front[SIZE:], front))


def _written_in_front(implementation: Implementation, schema: MessageSchema, values: list[Framed]) -> Iterator[str]:
    """As many bytes stand in front of each body."""
    outcomes = [implementation.encode(schema, each.value) for each in values]
    fronts = [
        outcome.wire[: -len(each.body)]
        for each, outcome in zip(values, outcomes, strict=True)
        if outcome.kind is Kind.BYTES and outcome.wire is not None and each.body and outcome.wire.endswith(each.body)
    ]
    if len(fronts) == len(values) and fronts[0] and len({len(front) for front in fronts}) == 1:
        text = f"encode of {schema} writes {len(fronts[0])} bytes in front of the body, as {fronts[0].hex()}"
        yield f"{text}; return the body alone, without size and header"


def _wanted_in_front(implementation: Implementation, schema: MessageSchema, each: Framed) -> Iterator[str]:
    """The value comes out if a header stands in front of the body, and does not if none does."""

    def is_read(wire: bytes) -> bool:
        outcome = implementation.decode(schema, wire)
        return outcome.kind is Kind.VALUE and equal(schema, each.value, outcome.value)

    if is_read(each.body):
        return
    for name, front in zip(("a header", "size and header"), each.fronts, strict=True):
        if is_read(front + each.body):
            text = f"decode of {schema} reads a body behind {name} only, as {front.hex()}"
            yield f"{text}; it is given the body alone: put those bytes in front, and leave them out of `consumed`"
            return
