"""The rows of a campaign, one for each outcome of an implementation for a case in one direction, with the broken rule.

Batches have rows of findings and of parts, too.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.pipeline.batches import FURTHER, signed

if TYPE_CHECKING:
    from conformance.campaign.pipeline.engines import Row


OUTCOME, FINDING = "outcome", "finding"
"""Kinds of rows, besides that about a part."""

OUTCOMES = "outcomes"

IMPLEMENTATION = "implementation"
"""The column with folders of its own."""


class OutcomeRow(NamedTuple):
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


OUTCOME_COLUMNS = dict.fromkeys(OutcomeRow._fields, "string") | {
    "version": "smallint",
    "milliseconds": "float",
    "bytes": "bigint",
}

COLUMNS = {
    **FURTHER,
    **OUTCOME_COLUMNS,
    "cases": "bigint",
    "deaths": "bigint",
    "seconds": "float",
    "example": "string",
    "has_faults": "int",
    "faults": "string",
}
"""The columns of batches.

A row of a finding has its key, pair and field, and the number of their cases; one row of each finding of a part has the
example as text. A row about a part has its cases, deaths and seconds, and faults as JSON.
"""

UNHASHED = frozenset(("milliseconds", "error"))
"""Columns that may differ from run to run: times, and texts such as those of a trace."""

HASHED = tuple(index for index, name in enumerate(OutcomeRow._fields) if name not in UNHASHED)


def row_hash(row: OutcomeRow) -> bytes:
    """Return the SHA-256 of the columns determined by the campaign, as text with NUL between them, or "" for null."""
    texts = ("" if row[index] is None else str(row[index]) for index in HASHED)
    return sha256("\0".join(texts).encode(errors="surrogatepass")).digest()


def hash_of(row: OutcomeRow) -> int:
    """Return the first eight bytes of the SHA-256, as a signed number."""
    return signed(row_hash(row))


def hash_of_columns(row: Row) -> int:
    """Return the hash of a row by columns, as `hash_of`."""
    return hash_of(OutcomeRow(*(row[name] for name in OutcomeRow._fields)))
