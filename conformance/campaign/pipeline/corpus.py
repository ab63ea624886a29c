"""A corpus, a folder of rows and a manifest.

    parameters.json        the parameters that determine the rows; written first
    batches/batch=0/…      the rows of each finished batch, until the corpus is finished
    parts/….parquet        all rows, by message, version and index
    manifest.json          counts, and hashes of the rows; written last

A hash covers columns (`corpus_rows.row_hash`), not files: the bytes of files differ between versions of Parquet's
writers. Corpora of captures have no parameters. Those of format 1 have a SHA-256 for each block of rows.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from functools import partial
from hashlib import sha256
from io import BytesIO
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance import __version__
from conformance.campaign.pipeline import corpus_rows
from conformance.campaign.pipeline.batches import BATCHES, Batches, hash_text, kept_sums, planned, signed, summed_by
from conformance.campaign.pipeline.corpus_plan import parts
from conformance.campaign.pipeline.engines import GO_ON, Dataset, Work
from conformance.campaign.pipeline.errors import JobFailed, NotThisCorpus
from conformance.campaign.pipeline.storage import Storage, keep_parameters, manifest_in
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from conformance.campaign.pipeline.corpus_plan import CorpusPlan
    from conformance.campaign.pipeline.engines import Engine, Row
    from conformance.live.capture.conversation import BodySample

Json = dict[str, Any]

MANIFEST, PARAMETERS, ROWS = "manifest.json", "parameters.json", "parts"
FORMAT = 2
ENTRIES, HASH = {1: "blocks", FORMAT: "pairs"}, {1: "sha256", FORMAT: "hash"}
"""The members of a manifest with its entries, and with the hash of an entry or of the whole, by format."""


def rows_of(folder: Storage) -> Dataset:
    """Return the rows of a corpus."""
    return Dataset(folder.within(ROWS), corpus_rows.CORPUS_COLUMNS, most=250_000)


def build(engine: Engine, plan: CorpusPlan, folder: Storage, shown: Callable[[int], object]) -> Json:
    """Build a corpus, or its missing batches, and return its manifest.

    `shown` is called with the number of finished parts before each batch.

    Raises:
        NotThisCorpus: the folder holds something else, and is unchanged.
        StorageFailed: the folder cannot be read or written.
        JobFailed: the work failed.
    """
    keep_parameters(folder, PARAMETERS, plan.as_json(), "corpus", NotThisCorpus)
    manifest = _finished(engine, plan, folder) or _made(engine, plan, folder, shown)
    folder.remove(BATCHES)
    return manifest


def _finished(engine: Engine, plan: CorpusPlan, folder: Storage) -> Json | None:
    if folder.read(MANIFEST) is not None:
        manifest = manifest_of(folder)
        with suppress(JobFailed):  # of a damaged file
            if manifest_with(_kept_sums(engine, folder), parameters=plan.as_json()) == manifest:
                return manifest
    return None


def _made(engine: Engine, plan: CorpusPlan, folder: Storage, shown: Callable[[int], object]) -> Json:
    parameters, kernel = plan.as_json(), partial(corpus_rows.made_rows, plan.release, plan.seed)
    work = Work(kernel, corpus_rows.COLUMNS, f"corpus of {plan.release}", GO_ON)
    plan_of_parts = planned(json.dumps(parameters), parts(plan))
    batches = Batches(folder, plan_of_parts, work, ("kind",), tuple(corpus_rows.KEYS))
    sums = batches.write_missing(engine, shown).sums
    names = ", ".join(f"b.{name}" for name in corpus_rows.CORPUS_COLUMNS)  # `offset` alone is a word of SQL
    sql = f"select {names} from {{batches}} b where kind = 'row' order by message, version, position"  # noqa: S608  # own names
    engine.publish(sql, rows_of(folder), batches=batches.dataset)
    manifest = manifest_with((row for row in sums if row["kind"] == corpus_rows.ROW), parameters=parameters)
    _write(folder, manifest)
    return manifest


def _kept_sums(engine: Engine, folder: Storage) -> list[Row]:
    return kept_sums(engine, rows_of(folder), corpus_rows.KEYS, corpus_rows.hash_of_columns)


def manifest_with(sums: Iterable[Row], **facts: Any) -> Json:
    """Return the manifest of rows with these sums, as of `summed_by`."""
    ordered = sorted(sums, key=lambda row: (str(row["message"]), row["version"] or 0, str(row["result"])))
    pairs = [
        {"message": message, "version": version, **_totals(map(_entry, own))}
        for (message, version), own in groupby(ordered, key=itemgetter("message", "version"))
    ]
    return {"format": FORMAT, **facts, **_totals(pairs), "pairs": pairs}


def _entry(row: Row) -> Json:
    rows = int(row["number"])
    return {"rows": rows, "results": {row["result"]: rows}, "hash": hash_text([int(row["hash"])])}


def _totals(entries: Iterable[Json], form: int = FORMAT) -> Json:
    rows, results, hashes = 0, Counter[str](), []
    for entry in entries:
        rows += entry["rows"]
        results.update(entry["results"])
        hashes.append(bytes.fromhex(entry[HASH[form]]))
    whole = hash_text(map(signed, hashes)) if form == FORMAT else sha256(b"".join(hashes)).hexdigest()
    return {"rows": rows, "results": dict(results), HASH[form]: whole}


def _write(folder: Storage, manifest: Json) -> None:
    """Keep each pair on one line."""
    lines = ",\n".join(f"    {json.dumps(pair)}" for pair in manifest["pairs"])
    text = json.dumps({**manifest, "pairs": []}, indent=2).replace('"pairs": []', f'"pairs": [\n{lines}\n  ]')
    folder.write(MANIFEST, f"{text}\n".encode())


def manifest_of(folder: Storage) -> Json:
    """Return the manifest of a finished corpus.

    Raises:
        NotThisCorpus: there is none.
        StorageFailed: it cannot be read.
    """
    return manifest_in(folder, MANIFEST, "conformance.campaign.pipeline", "corpus", NotThisCorpus)


class CorpusFacts(NamedTuple):
    """The facts about a corpus."""

    release: str | None
    """The release of all rows, or None after an import."""
    hash: str
    rows: dict[tuple[str, int], int]
    """The number of rows by message and version."""


def corpus_facts(folder: Storage) -> CorpusFacts:
    """Return the facts about a finished corpus, with the errors of `manifest_of`."""
    manifest, rows = manifest_of(folder), Counter[tuple[str, int]]()
    form = manifest["format"]
    for entry in manifest[ENTRIES[form]]:
        rows[entry["message"], entry["version"]] += entry["rows"]
    return CorpusFacts(manifest.get("parameters", {}).get("release"), manifest[HASH[form]], rows)


def import_bodies(bodies: Iterable[BodySample], capture: str, folder: Path) -> Json:
    """Write a corpus of the bodies of a capture with a name, and return its manifest.

    Raises:
        NotThisCorpus: the folder is not empty, or there are no bodies.
        OSError: the folder cannot be written.
    """
    from pyarrow import Table, parquet  # noqa: PLC0415  # an extra

    from conformance.campaign.pipeline.tables import schema_of  # noqa: PLC0415  # an extra

    if folder.exists() and any(folder.iterdir()):
        raise NotThisCorpus(f"{folder} is not empty. Name a new or empty folder.")
    rows, counts = [], Counter[str]()
    for body in sorted(bodies, key=attrgetter("schema.message", "schema.version")):
        pair = str(body.schema)
        name, seed = f"seen-{counts[pair]}", f"{capture}/{body.frame}"
        counts[pair] += 1
        rows.append(corpus_rows.judged_row(body.release.name, body.schema, body.wire, name, seed)._asdict())
    if not rows:
        raise NotThisCorpus("there are no sound messages to import")
    place, file = Storage(str(folder)), BytesIO()
    parquet.write_table(Table.from_pylist(rows, schema_of(corpus_rows.CORPUS_COLUMNS)), file, compression="zstd")
    place.write(f"{ROWS}/part-000000.parquet", file.getvalue())
    manifest = manifest_with(summed_by(corpus_rows.KEYS, corpus_rows.hash_of_columns, rows), suite=__version__)
    _write(place, manifest)
    return manifest


def problems_of(engine: Engine, folder: Storage) -> Iterator[str]:
    """Compare a corpus with its manifest, and yield the problems, each with its place.

    Nothing is trusted: a file may have any bytes, and the manifest any JSON.

    Raises:
        NotThisCorpus: there is no finished corpus.
        StorageFailed: it cannot be read.
    """
    manifest = manifest_of(folder)
    yield from _total_problems(manifest)
    yield from _file_problems(folder, manifest)
    is_old = manifest["format"] != FORMAT
    yield from _block_problems(folder, manifest) if is_old else _row_problems(engine, folder, manifest)


def _total_problems(manifest: Json) -> Iterator[str]:
    form = manifest["format"]
    found = _totals(manifest[ENTRIES[form]], form)
    for name, value in found.items():
        stated, summed = (+Counter(each) if name == "results" else each for each in (manifest[name], value))
        if stated != summed:
            yield f"{MANIFEST}: {name} is {stated}, and that of its entries {summed}"
    asked = manifest.get("parameters", found)["rows"]
    if asked != found["rows"]:
        yield f"{MANIFEST}: its parameters ask for {asked:,} rows; the entries have {found['rows']:,}"


def _file_problems(folder: Storage, manifest: Json) -> Iterator[str]:
    parameters, inside = manifest.get("parameters"), folder.within(ROWS).names()
    expected = {MANIFEST, ROWS, *((PARAMETERS, "_records") if parameters else ())}  # format 1 has records of parts
    own = {entry["part"] for entry in manifest[ENTRIES[manifest["format"]]] if "part" in entry}
    own = own or {"_SUCCESS", *(name for name in inside if name.endswith(".parquet"))}
    for name in sorted(folder.names() - expected | {f"{ROWS}/{name}" for name in inside - own}):
        advice = "its build is not finished; build again" if name == BATCHES else "not a file of this corpus; remove it"
        yield f"{name}: {advice}"
    if parameters:
        content, found = folder.read(PARAMETERS), None
        with suppress(BadInput):
            found = parse_json(content or b"", PARAMETERS)
        if found != parameters:
            problem = "missing" if content is None else f"not the parameters that {MANIFEST} has"
            yield f"{PARAMETERS}: {problem}"


def _row_problems(engine: Engine, folder: Storage, manifest: Json) -> Iterator[str]:
    try:
        found = manifest_with(_kept_sums(engine, folder))
    except JobFailed as error:
        yield f"{ROWS}: cannot be read as rows of a corpus: {error.reason}"
        return
    kept, stated = ({(pair["message"], pair["version"]): pair for pair in each["pairs"]} for each in (found, manifest))
    for message, version in sorted(kept.keys() | stated.keys(), key=str):
        own, other = (each.get((message, version), {"rows": 0}) for each in (kept, stated))
        if own != other:
            counts = f"{own['rows']:,} rows, and {other['rows']:,} of the manifest"
            yield f"{ROWS}: {message}-v{version}: not as the manifest says: {counts}"


def _block_problems(folder: Storage, manifest: Json) -> Iterator[str]:
    # Corpora of format 1 have a hash for each block.
    import pyarrow as pa  # noqa: PLC0415  # an extra
    from pyarrow import parquet  # noqa: PLC0415  # an extra

    of_values = (ValueError, TypeError, AttributeError, LookupError)  # of other types, or missing
    unreadable = (pa.ArrowException, OSError, ArithmeticError, MemoryError, *of_values)
    for part, blocks in groupby(manifest["blocks"], key=itemgetter("part")):
        content = folder.read(f"{ROWS}/{part}")
        if content is None:
            yield f"{ROWS}/{part}: missing"
            continue
        try:
            file = parquet.ParquetFile(pa.BufferReader(content))
            rows = (corpus_rows.CorpusRow(**row) for piece in file.iter_batches(1_000) for row in piece.to_pylist())
            for block in blocks:
                own = list(islice(rows, block["rows"]))
                hashed = sha256(b"".join(map(corpus_rows.row_hash, own))).hexdigest()
                stated = block["rows"], block["sha256"], Counter(block["results"])
                if (len(own), hashed, Counter(row.result for row in own)) != stated:
                    place = f"{part}: {block['message']}-v{block['version']}, from row {block['first']} on"
                    yield f"{place}: not as the manifest says"
            more = sum(1 for _ in rows)
            if more:
                yield f"{part}: {more:,} rows more than the manifest says"
        except unreadable as error:
            yield f"{part}: cannot be read as rows of a corpus: {error}"
