"""The rows of a corpus, each a function of release, message, version, index and seed, or with bytes of a capture."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.pipeline.batches import FURTHER, part_row, signed
from conformance.campaign.pipeline.engines import parts_of
from conformance.generate.choices import SeededChoices
from conformance.generate.drawn_values import sample
from conformance.generate.hostile_bodies import corrupted
from conformance.vectors.flags import flags_of_rules
from reference import Encoded, MessageSchema, encode, judge, load_release, to_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.campaign.pipeline.engines import Row

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
    """The JSON form of Apache Kafka's value for the bytes, as text; null if it rejects them."""
    flags: tuple[str, ...]
    """The deviations of the bytes: flags of the golden vectors, each once, in order of place."""
    reason: str | None
    offset: int | None
    """The first byte of invalid bytes that cannot be part of a valid message; null for others."""
    seed: str
    """The seed of the row's value and of its mutations."""


CORPUS_COLUMNS = {
    **dict.fromkeys(CorpusRow._fields, "string"),
    "version": "smallint",
    "wire": "binary",
    "flags": "array<string>",
    "offset": "int",
}

ROW = "row"
"""The kind of a row of the corpus, besides that about a part."""

KEYS = {"message": "string", "version": "smallint", "result": "string"}
"""The columns by which rows are counted."""

COLUMNS = {**FURTHER, **CORPUS_COLUMNS, "position": "bigint"}
"""The columns of batches, with the number of a row among those of its message and version."""


def made_rows(release: str, seed: str, blocks: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows of whole parts, and a row about each part, as the kernel of corpora."""
    for own in parts_of(blocks):
        hashes = []
        for block in own:
            schema = load_release(release).schema(block["message"], block["version"])
            for index in range(block["first"], block["first"] + block["rows"]):
                row = make_row(release, schema, index, seed)
                hashes.append(signed(row_hash(row)))
                yield {"kind": ROW, "hash": hashes[-1], "position": index, **row._asdict()}
        yield part_row(own, hashes)


def make_row(release: str, schema: MessageSchema, index: int, seed: str) -> CorpusRow:
    """Return row `index` of a message."""
    return judged_row(release, schema, made_wire(schema, index, seed), row_name(index), f"{seed}/{index}")


def row_name(index: int) -> str:
    """Return the last part of the id of a generated row."""
    return f"corpus-{index}"


def made_wire(schema: MessageSchema, index: int, seed: str) -> bytes:
    """Return the bytes of row `index` of a message, a valid encoding if it is even, else hostile bytes."""
    wire = encode(schema, sample(schema, f"corpus/{seed}/{index}"))
    if index % 2:
        choices = SeededChoices(f"corpus/{schema}/{seed}/{index}")
        wire = corrupted(Encoded(schema, wire), choices, MUTATED_ONE_IN)
    return wire


def judged_row(release: str, schema: MessageSchema, wire: bytes, name: str, seed: str) -> CorpusRow:
    """Return the row of some bytes, with the verdict on them. The name is the last part of its id."""
    verdict = judge(schema, wire)
    return CorpusRow(
        id=f"{release}/messages/{schema.message}/v{schema.version}/{name}",
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
    """Return the SHA-256 of the columns as text, with NUL between them.

    `wire` is in hex, flags have blanks between them, and null is an empty text. No column can contain a NUL, since JSON
    escapes it.
    """
    texts = (
        *(row.id, row.release, row.message, str(row.version), row.result, row.wire.hex(), row.value or ""),
        *(" ".join(row.flags), row.reason or "", "" if row.offset is None else str(row.offset), row.seed),
    )
    return sha256("\0".join(texts).encode()).digest()


def hash_of_columns(row: Row) -> int:
    """Return the first eight bytes of the hash of a row, as a signed number, or 0 for a row with a wrong null."""
    try:
        return signed(row_hash(CorpusRow(*(row[name] for name in CorpusRow._fields))))
    except (TypeError, AttributeError):  # of the null
        return 0
