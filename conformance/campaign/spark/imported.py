"""A corpus of captured bodies, without Spark and without mutations.

    parts/part-000000.parquet   rows, by message, version and order of the capture
    manifest.json               its blocks, counts, and one hash over all; written last

The columns are those of a generated corpus. The rows cannot be built again, so there is no parameters.json, and no
record of a part.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from pyarrow import parquet

from conformance import __version__
from conformance.campaign.spark.corpus import FORMAT, MANIFEST
from conformance.campaign.spark.corpus_parts import COLUMNS, DICTIONARIES, batch_of
from conformance.campaign.spark.corpus_plan import part_path
from conformance.campaign.spark.corpus_rows import CorpusRow, judged_row, root, row_hash
from conformance.campaign.spark.spark_errors import NotThisCorpus
from conformance.system.whole_files import replacing, write_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from reference import MessageSchema


class SeenBody(NamedTuple):
    """A body with the place where it was captured.

    Attributes:
        release: the name of its message's release.
        schema: the message.
        wire: its bytes.
        seed: its place in the capture, as `capture/12`.
    """

    release: str
    schema: MessageSchema
    wire: bytes
    seed: str


def import_bodies(bodies: Iterable[SeenBody], folder: Path) -> dict[str, Any]:
    """Write a corpus of bodies, and return its manifest.

    Raises:
        NotThisCorpus: the folder is not empty, or there are no bodies.
        OSError: the folder cannot be written.
    """
    if folder.exists() and any(folder.iterdir()):
        raise NotThisCorpus(f"{folder} is not empty. Name a new or empty folder.")
    rows = list(_rows(bodies))
    if not rows:
        raise NotThisCorpus("there are no sound messages to import")
    path = part_path(folder, 0)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary, _writer(temporary) as writer:
        writer.write_batch(batch_of(rows))
    manifest = _manifest(path.name, rows)
    write_text(folder / MANIFEST, json.dumps(manifest, indent=2) + "\n")
    return manifest


def _writer(path: Path) -> parquet.ParquetWriter:
    return parquet.ParquetWriter(path, COLUMNS, compression="zstd", use_dictionary=DICTIONARIES)


def _rows(bodies: Iterable[SeenBody]) -> Iterator[CorpusRow]:
    """Yield a row for each body, by message and version."""
    ordered = sorted(bodies, key=lambda body: (body.schema.message, body.schema.version))
    for _, group in groupby(ordered, key=lambda body: (body.schema.message, body.schema.version)):
        for index, body in enumerate(group):
            place = f"{body.release}/messages/{body.schema.message}/v{body.schema.version}/seen-{index}"
            yield judged_row(body.release, body.schema, body.wire, id=place, seed=body.seed)


def _manifest(part: str, rows: Sequence[CorpusRow]) -> dict[str, Any]:
    blocks = [
        {
            "part": part,
            "message": message,
            "version": version,
            "first": 0,
            "rows": len(block),
            "sha256": root(map(row_hash, block)),
            "results": dict(Counter(row.result for row in block)),
        }
        for (message, version), block in (
            (key, list(group)) for key, group in groupby(rows, key=lambda row: (row.message, row.version))
        )
    ]
    return {
        "format": FORMAT,
        "suite": __version__,
        "rows": len(rows),
        "results": dict(Counter(row.result for row in rows)),
        "sha256": root(bytes.fromhex(block["sha256"]) for block in blocks),
        "blocks": blocks,
    }
