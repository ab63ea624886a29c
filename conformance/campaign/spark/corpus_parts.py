"""The parts of a corpus.

A part is a Parquet file, with a record of its blocks in another folder. The record is written last, and a part with a
record is finished. Both files are written as a whole. So an early end of the process never loses a finished part, and
never leaves an unfinished one with a record.
"""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import parquet

from conformance.campaign.spark.corpus_plan import Block, CorpusPlan, part_name, parts, record_name
from conformance.campaign.spark.corpus_rows import CorpusRow, make_row, root, row_hash
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.campaign.spark.storage import Storage

COLUMNS = pa.schema(
    [
        pa.field("id", pa.string(), nullable=False),
        pa.field("release", pa.string(), nullable=False),
        pa.field("message", pa.string(), nullable=False),
        pa.field("version", pa.int16(), nullable=False),
        pa.field("result", pa.string(), nullable=False),
        pa.field("wire", pa.binary(), nullable=False),
        pa.field("value", pa.string()),
        pa.field("flags", pa.list_(pa.string()), nullable=False),
        pa.field("reason", pa.string()),
        pa.field("offset", pa.int32()),
        pa.field("seed", pa.string(), nullable=False),
    ]
)
"""The columns of `CorpusRow`, in its order."""

DICTIONARIES = ["release", "message", "version", "result", "flags.list.element", "reason"]
"""Columns with few different values. The others are written without a dictionary."""

ROW_GROUP_BYTES = 16 * 2**20
"""The approximate size of rows in memory before they are written."""


def build_part(parameters: CorpusPlan, folder: Storage, number: int) -> None:
    """Write part `number` of a corpus, and replace an existing one.

    Raises:
        StorageFailed: the folder cannot be written; the part has no record then.
    """
    blocks, buffer = parts(parameters)[number], io.BytesIO()
    with parquet.ParquetWriter(buffer, COLUMNS, compression="zstd", use_dictionary=DICTIONARIES) as writer:
        entries = list(_write(parameters, blocks, writer))
    folder.write(part_name(number), buffer.getvalue())  # before the record, which makes the part finished
    record = {"bytes": buffer.tell(), "blocks": entries}
    folder.write(record_name(number), (json.dumps(record) + "\n").encode())


def _write(parameters: CorpusPlan, blocks: Sequence[Block], writer: parquet.ParquetWriter) -> Iterator[dict[str, Any]]:
    """Write the rows of blocks, and yield the record's entry for each block."""
    waiting: list[CorpusRow] = []
    size = 0
    for block in blocks:
        hashes, results = [], {"valid": 0, "invalid": 0, "unspecified": 0}
        for row in block_rows(parameters, block):
            hashes.append(row_hash(row))
            results[row.result] += 1
            waiting.append(row)
            size += len(row.wire) + len(row.value or "")
            if size >= ROW_GROUP_BYTES:
                writer.write_batch(batch_of(waiting))
                waiting, size = [], 0
        yield {**block._asdict(), "sha256": root(hashes), "results": results}
    if waiting:
        writer.write_batch(batch_of(waiting))


def block_rows(parameters: CorpusPlan, block: Block) -> Iterator[CorpusRow]:
    """Yield the rows of a block."""
    schema = load_release(parameters.release).schema(block.message, block.version)
    for index in range(block.first, block.first + block.rows):
        yield make_row(parameters.release, schema, index, parameters.seed)


def batch_of(rows: Iterable[CorpusRow]) -> pa.RecordBatch:
    """Return rows in the columns of a corpus."""
    return pa.RecordBatch.from_pylist([row._asdict() for row in rows], schema=COLUMNS)
