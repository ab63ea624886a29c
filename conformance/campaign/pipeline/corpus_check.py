"""The check of a corpus against its manifest.

It checks each count, hash and row of the manifest, and looks for superfluous files. Nothing is trusted: a file may have
any bytes, and the manifest any JSON.
"""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.campaign.pipeline.batches import BATCHES, hash_text
from conformance.campaign.pipeline.corpus import (
    FORMAT,
    MANIFEST,
    PARAMETERS,
    ROWS,
    document,
    entries_of,
    kept_sums,
    manifest_of,
    manifest_with,
)
from conformance.campaign.pipeline.corpus_rows import CorpusRow, row_hash
from conformance.campaign.pipeline.errors import JobFailed, NotThisCorpus

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.campaign.pipeline.engines import Engine
    from conformance.campaign.pipeline.storage import Storage

Json = dict[str, Any]

RECORDS = "_records"
"""The folder of the records of parts in corpora of the first format."""


OF_VALUES = (ValueError, TypeError, AttributeError, LookupError)
"""Exceptions for values of other types, or for missing ones."""


class Defect(NamedTuple):
    """A difference from the manifest, with its place."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


def problems_of(engine: Engine, folder: Storage) -> Iterator[Defect]:
    """Yield the problems of a corpus, in its manifest, its files, and its rows.

    Raises:
        NotThisCorpus: there is no finished corpus.
        StorageFailed: it cannot be read.
    """
    manifest = manifest_of(folder)
    yield from _sum_problems(manifest)
    yield from _file_problems(folder, manifest)
    is_old = manifest["format"] != FORMAT
    yield from _block_problems(folder, manifest) if is_old else _row_problems(engine, folder, manifest)


def _sum_problems(manifest: Json) -> Iterator[Defect]:
    """Compare the counts and the hash of the whole with those of its entries."""
    entries = entries_of(manifest)
    results = Counter[str]()
    for entry in entries:
        results.update(entry["results"])
    sums: Json = {"rows": sum(entry["rows"] for entry in entries), "results": +results}
    if manifest["format"] == FORMAT:
        sums["hash"] = hash_text(int(each["hash"], 16) for each in entries)
    else:
        sums["sha256"] = sha256(b"".join(bytes.fromhex(each["sha256"]) for each in entries)).hexdigest()
    stated = {**manifest, "results": +Counter(manifest["results"])}
    for name, value in sums.items():
        if stated[name] != value:
            yield Defect(MANIFEST, f"{name} is {stated[name]}, and that of its entries {value}")
    parameters = manifest.get("parameters")
    if parameters is not None and parameters["rows"] != sums["rows"]:
        yield Defect(MANIFEST, f"its parameters ask for {parameters['rows']:,} rows; the entries have {sums['rows']:,}")


def _file_problems(folder: Storage, manifest: Json) -> Iterator[Defect]:
    """Look for superfluous files, and compare the parameters with the manifest's."""
    parameters = manifest.get("parameters")
    expected = {MANIFEST, ROWS, *([PARAMETERS, RECORDS] if parameters else [])}
    inside = {name for name in folder.within(ROWS).names() if not name.endswith(".parquet") and name != "_SUCCESS"}
    parts = {entry["part"] for entry in entries_of(manifest) if "part" in entry}
    inside |= folder.within(ROWS).names() - parts if parts else set()
    for name in sorted(folder.names() - expected | {f"{ROWS}/{name}" for name in inside}):
        advice = "its build is not finished; build again" if name == BATCHES else "not a file of this corpus; remove it"
        yield Defect(name, advice)
    if parameters:
        try:
            found = document(folder, PARAMETERS)
        except NotThisCorpus:
            found = {}
        if found != parameters:
            yield Defect(PARAMETERS, "missing" if found is None else f"not the parameters that {MANIFEST} has")


def _row_problems(engine: Engine, folder: Storage, manifest: Json) -> Iterator[Defect]:
    """Compare the sums of the rows with those of the manifest, pair by pair."""
    try:
        found = manifest_with(kept_sums(engine, folder))["pairs"]
    except JobFailed as error:
        yield Defect(ROWS, f"cannot be read as rows of a corpus: {error.reason}")
        return
    kept = {(pair["message"], pair["version"]): pair for pair in found}
    stated = {(pair["message"], pair["version"]): pair for pair in manifest["pairs"]}
    for message, version in sorted(kept.keys() | stated.keys(), key=str):
        own, other = kept.get((message, version)), stated.get((message, version))
        if own != other:
            counts = f"{own['rows'] if own else 0:,} rows, and {other['rows'] if other else 0:,} of the manifest"
            yield Defect(ROWS, f"{message}-v{version}: not as the manifest says: {counts}")


def _block_problems(folder: Storage, manifest: Json) -> Iterator[Defect]:
    """Compare the files of a corpus of the first format with its manifest, block by block."""
    for part, blocks in groupby(manifest["blocks"], key=lambda block: str(block["part"])):
        content = folder.read(f"{ROWS}/{part}")
        if content is None:
            yield Defect(f"{ROWS}/{part}", "missing")
        else:
            yield from _problems_of_part(part, content, blocks)


def _problems_of_part(part: str, content: bytes, blocks: Iterable[Json]) -> Iterator[Defect]:
    import pyarrow as pa  # noqa: PLC0415  # an extra
    from pyarrow import parquet  # noqa: PLC0415  # an extra

    try:
        file = parquet.ParquetFile(pa.BufferReader(content))
        rows = (CorpusRow(**row) for piece in file.iter_batches(1_000) for row in piece.to_pylist())
        for block in blocks:
            own = list(islice(rows, block["rows"]))
            found = sha256(b"".join(map(row_hash, own))).hexdigest()
            if (len(own), found, Counter(row.result for row in own)) != (
                block["rows"],
                block["sha256"],
                +Counter(block["results"]),
            ):
                place = f"{part}: {block['message']}-v{block['version']}, from row {block['first']} on"
                yield Defect(place, "not as the manifest says")
        more = sum(1 for _ in rows)
    except (pa.ArrowException, OSError, ArithmeticError, MemoryError, *OF_VALUES) as error:
        yield Defect(part, f"cannot be read as rows of a corpus: {error}")
        return
    if more:
        yield Defect(part, f"{more:,} rows more than the manifest says")
