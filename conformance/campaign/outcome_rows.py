"""One outcome of a campaign: what an implementation did with one case in one direction, and the rule that it broke."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple


class Row(NamedTuple):
    """The columns of the outcomes, in order."""

    implementation: str
    id: str
    """Of the case: unique among the cases of an implementation, and the same for all implementations."""
    message: str
    version: int
    direction: str
    """encode or decode; else what a violation says of itself."""
    outcome: str
    """As a report names it: `rejected`, `crashed`, ...; of a violation its own, which may be `size` or `consumed`."""
    rule: str | None
    """The rule that is broken; a case that breaks several has a row for each. Null where none is."""
    place: str | None
    """The field where it is broken."""
    result: str | None
    """The verdict on the bytes: valid, invalid or unspecified; null where the case is a value."""
    reason: str | None
    """Why the bytes are invalid."""
    open: str | None
    """The one rule that leaves the bytes open; null unless they are unspecified, and by one rule."""
    reading: str | None
    """What is read from unspecified bytes: `as Apache Kafka` or the hash of another value."""
    error: str | None
    """What the implementation says, without values: the cluster of a refusal, of a crash."""
    milliseconds: float
    """The time of the call. Many decodes are in flight together: each has the mean of its block."""
    bytes: int | None
    """Bytes that were consumed or written; null if the implementation does not say, or there are none."""


UNHASHED = frozenset(("milliseconds", "error"))
"""Columns that may differ from run to run: times, and texts such as those of a trace."""

HASHED = tuple(index for index, name in enumerate(Row._fields) if name not in UNHASHED)


def row_hash(row: Row) -> bytes:
    """Return the SHA-256 of the columns that a campaign determines, as text with NUL between them, null as nothing."""
    texts = ("" if row[index] is None else str(row[index]) for index in HASHED)
    return sha256("\0".join(texts).encode(errors="surrogatepass")).digest()
