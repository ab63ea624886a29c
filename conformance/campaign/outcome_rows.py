"""The rows of a campaign's outcomes.

A row describes an implementation's outcome for one case in one direction, with the broken rule.
"""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple


class Row(NamedTuple):
    """The columns of the outcomes, in order."""

    implementation: str
    id: str
    """The id of the case, unique among an implementation's cases and the same for all implementations."""
    message: str
    version: int
    direction: str
    """encode or decode, or the direction named by a violation."""
    outcome: str
    """The outcome as in a report: `rejected`, `crashed`, ...; a violation has its own, such as `size` or `consumed`."""
    rule: str | None
    """The broken rule, or null. A case that breaks several rules has a row for each."""
    place: str | None
    """The field that breaks the rule."""
    result: str | None
    """The verdict on the bytes: valid, invalid or unspecified; null for a case with a value instead of bytes."""
    reason: str | None
    """The reason for invalid bytes."""
    open: str | None
    """The only rule that leaves the bytes unspecified; null for other bytes, and for several rules."""
    reading: str | None
    """The reading of unspecified bytes: `as Apache Kafka`, or the hash of another value."""
    error: str | None
    """The implementation's error text without values: the cluster of a refusal or a crash."""
    milliseconds: float
    """The time of the call. Many decodes are in flight together; each has the mean of its block."""
    bytes: int | None
    """The number of consumed or written bytes; null if there are none, or the implementation does not report it."""


UNHASHED = frozenset(("milliseconds", "error"))
"""Columns that may differ from run to run: times, and texts such as those of a trace."""

HASHED = tuple(index for index, name in enumerate(Row._fields) if name not in UNHASHED)


def row_hash(row: Row) -> bytes:
    """Return the SHA-256 of the columns determined by the campaign.

    They are hashed as text with NUL between them, and null as an empty text.
    """
    texts = ("" if row[index] is None else str(row[index]) for index in HASHED)
    return sha256("\0".join(texts).encode(errors="surrogatepass")).digest()
