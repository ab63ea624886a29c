"""The check of a corpus against its manifest.

It checks each count, hash and row of the manifest, and looks for superfluous files. Nothing is trusted: a part may have
any bytes, and the manifest any JSON.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
from pyarrow import parquet

from conformance.campaign.spark.corpus import MANIFEST, PARAMETERS, document, manifest_of
from conformance.campaign.spark.corpus_parts import COLUMNS
from conformance.campaign.spark.corpus_plan import FOLDER, PART, RECORD, RECORDS
from conformance.campaign.spark.corpus_rows import CorpusRow, root, row_hash
from conformance.campaign.spark.spark_errors import NotThisCorpus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from conformance.campaign.spark.storage import Storage

    Check = Callable[[Storage, Sequence["Share"], str | None], Iterable["Defect"]]
    """Returns the problems of parts in order, each as `part_problems` finds them."""

Json = dict[str, Any]

BATCH_ROWS = 1_000

DAMAGES = (pa.ArrowException, OSError, ValueError, TypeError, OverflowError, MemoryError, IndexError, KeyError)
"""Exceptions of pyarrow for a damaged file."""


class Defect(NamedTuple):
    """A difference from the manifest, with its place."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


class UnreadablePart(Exception):
    """A part that cannot be read as rows of a corpus.

    The exception does not leave this module.
    """


class Share(NamedTuple):
    """A part of a corpus, with its blocks in the manifest, in order."""

    part: str
    blocks: Sequence[Json]

    @property
    def rows(self) -> int:
        """The expected number of rows."""
        return sum(block["rows"] for block in self.blocks)


def one_by_one(folder: Storage, shares: Sequence[Share], release: str | None) -> Iterator[Defect]:
    """Yield the problems of parts in order.

    This is a `Check` in this process.
    """
    for share in shares:
        yield from part_problems(folder, share, release)


def problems_of(folder: Storage, check: Check = one_by_one) -> Iterator[Defect]:
    """Yield the problems of a corpus, in its manifest, its files, and each part.

    Args:
        folder: the folder of the corpus.
        check: checks its parts.

    Raises:
        NotThisCorpus: there is no finished corpus.
        StorageFailed: it cannot be read.
        JobFailed: it cannot be checked on Spark.
    """
    manifest = manifest_of(folder)
    shares = [Share(part, list(own)) for part, own in groupby(manifest["blocks"], lambda block: str(block["part"]))]
    yield from _sum_problems(manifest)
    yield from _file_problems(folder, manifest, shares)
    yield from check(folder, shares, manifest.get("parameters", {}).get("release"))


def _sum_problems(manifest: Json) -> Iterator[Defect]:
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
    stated = {**manifest, "results": {name: count for name, count in manifest["results"].items() if count}}
    for name, value in sums.items():
        if stated[name] != value:
            yield Defect(MANIFEST, f"{name} is {stated[name]}, and that of its blocks {value}")
    parameters = manifest.get("parameters")
    if parameters is not None and parameters["rows"] != sums["rows"]:
        yield Defect(MANIFEST, f"its parameters ask for {parameters['rows']:,} rows; the blocks have {sums['rows']:,}")


def _file_problems(folder: Storage, manifest: Json, shares: Sequence[Share]) -> Iterator[Defect]:
    """Look for superfluous files, and compare the parameters with the manifest's."""
    is_generated = "parameters" in manifest
    parts = {share.part for share in shares}
    generated = {PARAMETERS, *map(_record_name, parts)} if is_generated else set()
    expected = {MANIFEST, *(f"{FOLDER}/{part}" for part in parts), *generated}
    present = {*folder.sizes(), *(f"{each}/{name}" for each in (FOLDER, RECORDS) for name in folder.sizes(each))}
    for name in sorted(present - expected):
        yield Defect(name, "not a file of this corpus; remove it")
    if is_generated:
        yield from _content_problems(
            folder, PARAMETERS, manifest["parameters"], f"not the parameters that {MANIFEST} has"
        )


def _record_name(part: str) -> str:
    return f"{RECORDS}/{part.removesuffix(PART)}{RECORD}"


def _content_problems(folder: Storage, name: str, content: Json, otherwise: str) -> Iterator[Defect]:
    """Compare a document with its expected content."""
    try:
        found = document(folder, name)
    except NotThisCorpus:
        found = {}
    if found != content:
        yield Defect(name, "missing" if found is None else otherwise)


def part_problems(folder: Storage, share: Share, release: str | None) -> Iterator[Defect]:
    """Yield the problems of a part's record, then those of its rows.

    A worker of Spark finds here whether it has the files itself. The driver's list of them would not show this.

    Args:
        folder: the folder of the corpus.
        share: the part.
        release: the release of all rows; None for a corpus that was not generated, and has no records.

    Raises:
        StorageFailed: it cannot be read.
    """
    part, content = share.part, folder.read(f"{FOLDER}/{share.part}")
    if content is None:
        yield Defect(f"{FOLDER}/{part}", "missing")
    if release is not None:
        blocks = [{name: value for name, value in block.items() if name != "part"} for block in share.blocks]
        record = {"bytes": None if content is None else len(content), "blocks": blocks}
        yield from _content_problems(folder, _record_name(part), record, f"not what {MANIFEST} says of {part}")
    if content is not None:
        yield from _row_problems(share, content, release)


def _row_problems(share: Share, content: bytes, release: str | None) -> Iterator[Defect]:
    part, rows = share.part, _rows(content)
    try:
        for block in share.blocks:
            if not _matches(block, list(islice(rows, block["rows"])), release):
                last = block["first"] + block["rows"] - 1
                place = f"{part}: {block['message']}-v{block['version']}, rows {block['first']} to {last}"
                yield Defect(place, "not as the manifest says")
        more = sum(1 for _ in rows)
    except UnreadablePart as error:
        yield Defect(part, str(error))
        return
    if more:
        yield Defect(part, f"{more:,} rows more than the manifest says")


def _matches(block: Json, rows: Sequence[CorpusRow], release: str | None) -> bool:
    """Return whether rows are those of a block, with its number, hash, results and places."""
    results = {name: count for name, count in block["results"].items() if count}
    return (
        len(rows) == block["rows"]
        and root(map(row_hash, rows)) == block["sha256"]
        and Counter(row.result for row in rows) == results
        and all(_is_at(row, block, number, release) for number, row in enumerate(rows, start=block["first"]))
    )


def _is_at(row: CorpusRow, block: Json, number: int, release: str | None) -> bool:
    """Return whether a row has the block's message, and its own number in its id."""
    place = f"{row.release}/messages/{block['message']}/v{block['version']}"
    return (
        (row.message, row.version) == (block["message"], block["version"])
        and row.release == (row.release if release is None else release)
        and row.id in {f"{place}/{kind}-{number}" for kind in ("corpus", "seen")}
    )


def _rows(part: bytes) -> Iterator[CorpusRow]:
    """Yield the rows of a part.

    Raises:
        UnreadablePart: it is no Parquet file, is damaged, or has other columns.
    """
    try:
        file = parquet.ParquetFile(pa.BufferReader(part))
        if not file.schema_arrow.equals(COLUMNS):
            raise UnreadablePart("its columns are not those of a corpus")
        for batch in file.iter_batches(BATCH_ROWS):
            batch.validate(full=True)
            for row in batch.to_pylist():
                yield _row(row)
    except DAMAGES as error:
        raise UnreadablePart(f"cannot be read as Parquet: {error}") from error


def _row(columns: Json) -> CorpusRow:
    row = CorpusRow(**{**columns, "flags": tuple(columns["flags"] or ())})  # a null is found among `nulls`
    nulls = [column.name for column in COLUMNS if not column.nullable and columns[column.name] is None]
    if nulls or None in row.flags:
        raise UnreadablePart(f"null in the column {', '.join(nulls) or 'flags'}")
    return row
