"""Compare the rows of a corpus with the hashes in its manifest."""

from __future__ import annotations

import json
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import parquet

from conformance.pipeline.corpus import MANIFEST
from conformance.pipeline.plan import FOLDER
from conformance.pipeline.rows import Row, root, row_hash
from conformance.pipeline.session import NotThisCorpus

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BATCH_ROWS = 1_000


def differing_blocks(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the blocks of the manifest whose rows differ or are missing.

    Raises:
        NotThisCorpus: there is no finished corpus.
    """
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise NotThisCorpus(f"{folder} holds no finished corpus: {error}") from error
    for part, blocks in groupby(manifest["blocks"], lambda block: block["part"]):
        rows = _rows(folder / FOLDER / part)
        for block in blocks:
            if root(map(row_hash, islice(rows, block["rows"]))) != block["sha256"]:
                yield block


def _rows(part: Path) -> Iterator[Row]:
    """Yield the rows of a part; fewer, or none, if the file is damaged or missing."""
    try:
        for batch in parquet.ParquetFile(part).iter_batches(BATCH_ROWS):
            for row in batch.to_pylist():
                yield Row(**{**row, "flags": tuple(row["flags"])})
    except (OSError, pa.ArrowException):
        return
