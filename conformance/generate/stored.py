"""Messages as they are stored: values, and bytes that may not be such a message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.cases import populated
from conformance.generate.values import sample
from reference import MessageSchema, minimal

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLES = 3
RECORD_HEAD = 3
"""The number of bytes of the numbers before a record, as long as each is below 128."""

NUMBERS = {
    "truncated": "",
    "cut": "80",
    "0": "00",
    "2": "02",
    "overlong-1": "8100",
    "32767": "ffff01",
    "32768": "808002",
    "65536": "808004",
    "65537": "818004",
    "highest": "ffffffff07",
    "lowest": "8080808008",
    "negative-1": "8180808008",
    "minus-one": "ffffffff0f",
    "excess-bits-1": "8180808010",
    "six-bytes": "818080808000",
}
"""The replacements of a number before a record; `negative-1` is one whose low 16 bits are 1."""


def stored_values(schema: MessageSchema) -> Iterator[dict[str, Any]]:
    """Yield the smallest value, one with something in every field, and a few more."""
    yield minimal(schema)
    yield populated(schema)
    for index in range(SAMPLES):
        yield sample(schema, f"stored/{index}")


def broken_records(wire: bytes) -> Iterator[tuple[str, bytes]]:
    """By name: each number before a sound record replaced, the record cut anywhere, one byte behind it."""
    numbers, body = [bytes([each]) for each in wire[:RECORD_HEAD]], wire[RECORD_HEAD:]
    for place, part in enumerate(("frame-version", "type", "version")):
        for name, digits in NUMBERS.items():
            behind = [*numbers[place + 1 :], body] if digits else []
            yield f"{part}={name}", b"".join([*numbers[:place], bytes.fromhex(digits), *behind])
    for end in range(len(wire)):
        yield f"cut/{end}", wire[:end]
    yield "trailing-byte", wire + b"\0"


def broken_prefixed(wire: bytes) -> Iterator[tuple[str, bytes]]:
    """By name: a sound prefixed message cut in its prefix and at its end, behind other prefixes, before one byte."""
    for end in {0, 1, len(wire) - 1}:
        yield f"cut/{end}", wire[:end]
    for prefix in ("7fff", "ffff", "8000"):
        yield f"prefix={prefix}", bytes.fromhex(prefix) + wire[2:]
    yield "trailing-byte", wire + b"\0"
