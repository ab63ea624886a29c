"""One row of a corpus: a pure function of release, message, version, index and seed, or of bytes that were seen."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.choices import SeededChoices
from conformance.generate.drawn_values import sample
from conformance.generate.hostile_bodies import corrupted
from conformance.vectors.flags import flags_of_rules
from reference import Encoded, MessageSchema, encode, judge, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable


MUTATED_ONE_IN = 2


class CorpusRow(NamedTuple):
    """The columns of a corpus, in order."""

    id: str
    """Unique in the corpus, as `4.3.0/messages/FetchRequest/v17/corpus-12`."""
    release: str
    message: str
    version: int
    result: str
    """valid, invalid or unspecified."""
    wire: bytes
    value: str | None
    """The JSON form of the value that Apache Kafka reads, as text; null if it rejects."""
    flags: tuple[str, ...]
    """The deviations of the bytes: flags of the golden vectors, each once, in order of place."""
    reason: str | None
    """The reason why the bytes are invalid; null unless they are."""
    offset: int | None
    """The first byte that cannot be part of a valid message; null unless invalid."""
    seed: str
    """The seed of the row's value and of its mutations."""


def make_row(release: str, schema: MessageSchema, index: int, seed: str) -> CorpusRow:
    """Return row `index` of a message: a valid encoding if it is even, hostile bytes made from one if it is odd."""
    name = f"{release}/messages/{schema.message}/v{schema.version}/{row_name(index)}"
    return judged_row(release, schema, made_wire(schema, index, seed), id=name, seed=f"{seed}/{index}")


def row_name(index: int) -> str:
    """Return the last part of the id of a row that was made."""
    return f"corpus-{index}"


def made_wire(schema: MessageSchema, index: int, seed: str) -> bytes:
    """Return the bytes of row `index` of a message."""
    row_seed = f"{seed}/{index}"
    wire = encode(schema, sample(schema, f"corpus/{row_seed}"))
    if index % 2:
        choices = SeededChoices(f"corpus/{schema}/{row_seed}")
        wire = corrupted(Encoded(schema, wire), choices, MUTATED_ONE_IN)
    return wire


def judged_row(release: str, schema: MessageSchema, wire: bytes, *, id: str, seed: str) -> CorpusRow:  # noqa: A002  # the column
    """Return the row of some bytes, with the verdict on them."""
    verdict = judge(schema, wire)
    return CorpusRow(
        id=id,
        release=release,
        message=schema.message,
        version=schema.version,
        result=verdict.result.value,
        wire=wire,
        value=None if verdict.value is None else _json(to_json(schema, verdict.value)),
        flags=tuple(dict.fromkeys(flags_of_rules(verdict.rules))),
        reason=None if verdict.reason is None else verdict.reason.value,
        offset=verdict.offset,
        seed=seed,
    )


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def row_hash(row: CorpusRow) -> bytes:
    """Return the SHA-256 of the columns as text with NUL between them: wire in hex, flags with blanks, null as nothing.

    No column can contain a NUL: JSON escapes it.
    """
    texts = (
        *(row.id, row.release, row.message, str(row.version), row.result, row.wire.hex(), row.value or ""),
        *(" ".join(row.flags), row.reason or "", "" if row.offset is None else str(row.offset), row.seed),
    )
    return sha256("\0".join(texts).encode()).digest()


def root(hashes: Iterable[bytes]) -> str:
    """Return the SHA-256 of concatenated hashes, in hex: of rows in a block, of blocks in a corpus."""
    return sha256(b"".join(hashes)).hexdigest()
