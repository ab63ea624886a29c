"""The check of a corpus: each count, hash and row that its manifest names, against the data; and no file too many.

Nothing is trusted: a part may be any bytes, and the manifest any JSON.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
from pyarrow import parquet

from conformance.pipeline.corpus import MANIFEST, PARAMETERS, document, manifest_of
from conformance.pipeline.errors import NotThisCorpus
from conformance.pipeline.parts import COLUMNS
from conformance.pipeline.plan import FOLDER, PART, RECORD, RECORDS
from conformance.pipeline.rows import Row, root, row_hash

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.pipeline.storage import Storage

Json = dict[str, Any]

BATCH_ROWS = 1_000

DAMAGES = (pa.ArrowException, OSError, ValueError, TypeError, OverflowError, MemoryError, IndexError, KeyError)
"""What pyarrow raises for a file that is damaged."""


class Problem(NamedTuple):
    """What is not as the manifest says, and where."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


class Damaged(Exception):
    """A part that cannot be read as rows of a corpus. It does not leave this module."""


def problems_of(folder: Storage) -> Iterator[Problem]:
    """Yield the problems of a corpus: of the manifest, of files, and of each part.

    Raises:
        NotThisCorpus: there is no finished corpus.
        StorageFailed: it cannot be read.
    """
    manifest = manifest_of(folder)
    yield from _sum_problems(manifest)
    yield from _file_problems(folder, manifest)
    for part, blocks in groupby(manifest["blocks"], lambda block: block["part"]):
        content = folder.read(f"{FOLDER}/{part}")
        if content is not None:
            yield from _part_problems(part, list(blocks), content, manifest.get("parameters", {}).get("release"))


def _sum_problems(manifest: Json) -> Iterator[Problem]:
    """Compare the counts and the hash of the whole with those of the blocks."""
    blocks = manifest["blocks"]
    results = Counter[str]()
    for block in blocks:
        results.update(block["results"])
    sums = {
        "rows": sum(block["rows"] for block in blocks),
        "results": {name: count for name, count in results.items() if count},
        "sha256": root(bytes.fromhex(block["sha256"]) for block in blocks),
    }
    said = {**manifest, "results": {name: count for name, count in manifest["results"].items() if count}}
    for name, value in sums.items():
        if said[name] != value:
            yield Problem(MANIFEST, f"{name} is {said[name]}, and that of its blocks {value}")
    parameters = manifest.get("parameters")
    if parameters is not None and parameters["rows"] != sums["rows"]:
        yield Problem(MANIFEST, f"its parameters ask for {parameters['rows']:,} rows; the blocks have {sums['rows']:,}")


def _file_problems(folder: Storage, manifest: Json) -> Iterator[Problem]:
    """Look for files that are missing or too many, and compare those that repeat what the manifest says."""
    is_generated = "parameters" in manifest
    parts = list(dict.fromkeys(block["part"] for block in manifest["blocks"]))
    records = [f"{RECORDS}/{part.removesuffix(PART)}{RECORD}" for part in parts] if is_generated else []
    expected = {*(f"{FOLDER}/{part}" for part in parts), *records, MANIFEST, *([PARAMETERS] if is_generated else [])}
    present = {*folder.sizes(), *(f"{each}/{name}" for each in (FOLDER, RECORDS) for name in folder.sizes(each))}
    for name in sorted(expected - present):
        yield Problem(name, "missing")
    for name in sorted(present - expected):
        yield Problem(name, "not a file of this corpus; remove it")
    if PARAMETERS in expected & present and _readable(folder, PARAMETERS) != manifest["parameters"]:
        yield Problem(PARAMETERS, f"not the parameters that {MANIFEST} has")
    for part, name in zip(parts, records, strict=False):
        if name in present and _readable(folder, name) != _record_of(folder, part, manifest):
            yield Problem(name, f"not what {MANIFEST} says of {part}")


def _readable(folder: Storage, name: str) -> Json | None:
    try:
        return document(folder, name)
    except NotThisCorpus:
        return None


def _record_of(folder: Storage, part: str, manifest: Json) -> Json:
    own = [block for block in manifest["blocks"] if block["part"] == part]
    blocks = [{name: value for name, value in block.items() if name != "part"} for block in own]
    return {"bytes": folder.sizes(FOLDER).get(part), "blocks": blocks}


def _part_problems(part: str, blocks: Sequence[Json], content: bytes, release: str | None) -> Iterator[Problem]:
    rows = _rows(content)
    try:
        for block in blocks:
            if not _is_as_said(block, list(islice(rows, block["rows"])), release):
                last = block["first"] + block["rows"] - 1
                place = f"{part}: {block['message']}-v{block['version']}, rows {block['first']} to {last}"
                yield Problem(place, "not as the manifest says")
        more = sum(1 for _ in rows)
    except Damaged as error:
        yield Problem(part, str(error))
        return
    if more:
        yield Problem(part, f"{more:,} rows more than the manifest says")


def _is_as_said(block: Json, rows: Sequence[Row], release: str | None) -> bool:
    """Return whether rows are those of a block: their number, hash, results and places."""
    results = {name: count for name, count in block["results"].items() if count}
    return (
        len(rows) == block["rows"]
        and root(map(row_hash, rows)) == block["sha256"]
        and Counter(row.result for row in rows) == results
        and all(_is_at(row, block, number, release) for number, row in enumerate(rows, start=block["first"]))
    )


def _is_at(row: Row, block: Json, number: int, release: str | None) -> bool:
    """Return whether a row is of the block's message, and has the number in its id."""
    place = f"{row.release}/messages/{block['message']}/v{block['version']}"
    return (
        (row.message, row.version) == (block["message"], block["version"])
        and row.release == (row.release if release is None else release)
        and row.id in {f"{place}/{kind}-{number}" for kind in ("corpus", "seen")}
    )


def _rows(part: bytes) -> Iterator[Row]:
    """Yield the rows of a part.

    Raises:
        Damaged: it is no Parquet file, is damaged, or has other columns.
    """
    try:
        file = parquet.ParquetFile(pa.BufferReader(part))
        if not file.schema_arrow.equals(COLUMNS):
            raise Damaged("its columns are not those of a corpus")
        for batch in file.iter_batches(BATCH_ROWS):
            batch.validate(full=True)
            for row in batch.to_pylist():
                yield _row(row)
    except DAMAGES as error:
        raise Damaged(f"cannot be read as Parquet: {error}") from error


def _row(columns: Json) -> Row:
    row = Row(**{**columns, "flags": tuple(columns["flags"] or ())})
    nulls = [column.name for column in COLUMNS if not column.nullable and columns[column.name] is None]
    if nulls or None in row.flags:
        raise Damaged(f"null in the column {', '.join(nulls) or 'flags'}")
    return row
