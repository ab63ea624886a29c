"""A corpus, a folder of rows and a manifest.

    parameters.json        the parameters that determine the rows; written first
    batches/batch=0/…      the rows of each finished batch, until the corpus is finished
    parts/….parquet        all rows, by message, version and index
    manifest.json          counts, and hashes of the rows; written last

A hash covers columns (`corpus_rows.row_hash`), not files: the bytes of files differ between versions of Parquet's
writers. Corpora of captures have no parameters.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from hashlib import sha256
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance import __version__
from conformance.campaign.pipeline.batches import BATCHES, Batches, PlannedPart, hash_text, signed
from conformance.campaign.pipeline.corpus_plan import parts
from conformance.campaign.pipeline.corpus_rows import (
    COLUMNS,
    CORPUS_COLUMNS,
    ROW,
    SUMS,
    CorpusRow,
    judged_row,
    made_rows,
    summed_rows,
)
from conformance.campaign.pipeline.engines import GO_ON, Dataset, Work
from conformance.campaign.pipeline.errors import JobFailed, NotThisCorpus
from conformance.campaign.pipeline.storage import Storage, keep_parameters, manifest_in
from conformance.system.whole_files import replacing
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from conformance.campaign.pipeline.corpus_plan import CorpusPlan
    from conformance.campaign.pipeline.engines import Engine, Row
    from reference import MessageSchema

Json = dict[str, Any]

FORMAT = 2
MANIFEST, PARAMETERS, ROWS = "manifest.json", "parameters.json", "parts"
MOST_ROWS = 250_000
"""The most rows of a file."""


def rows_of(folder: Storage) -> Dataset:
    """Return the rows of a corpus."""
    return Dataset(folder.within(ROWS), CORPUS_COLUMNS, most=MOST_ROWS)


def batches_of(folder: Storage, plan: CorpusPlan) -> Batches:
    """Return the batches of a generated corpus."""
    parameters = json.dumps(plan.as_json())
    planned = []
    for number, blocks in enumerate(parts(plan)):
        hashed = sha256(json.dumps([parameters, number, blocks]).encode()).digest()
        own = tuple({"block": place, **block._asdict()} for place, block in enumerate(blocks))
        planned.append(PlannedPart(signed(hashed), own))
    work = Work(partial(made_rows, plan.release, plan.seed), COLUMNS, f"corpus of {plan.release}", GO_ON)
    return Batches(folder, planned, work, ("kind",), ("message", "version", "result"))


def build(engine: Engine, plan: CorpusPlan, folder: Storage, shown: Callable[[int], object]) -> Json:
    """Build a corpus, or its missing batches, and return its manifest.

    Args:
        engine: makes the rows.
        plan: the parameters of the corpus.
        folder: the folder of the corpus.
        shown: called with the number of finished parts before each batch.

    Raises:
        NotThisCorpus: the folder holds something else, and is unchanged.
        StorageFailed: the folder cannot be read or written.
        JobFailed: the work failed.
    """
    keep_parameters(folder, PARAMETERS, plan.as_json(), "corpus", NotThisCorpus)
    present = document(folder, MANIFEST)
    if present is not None and not folder.within(BATCHES).names() and is_whole(engine, folder, present):
        return present
    batches = batches_of(folder, plan)
    sums = batches.write_missing(engine, shown).sums
    sql = f"select {_NAMES} from {{batches}} b where kind = 'row' order by message, version, position"  # noqa: S608  # own names
    engine.publish(sql, rows_of(folder), batches=batches.dataset)
    rows = ({**row, "rows": row["number"]} for row in sums if row["kind"] == ROW)
    manifest = manifest_with(rows, parameters=plan.as_json())
    _write(folder, manifest)
    folder.remove(BATCHES)
    return manifest


_NAMES = ", ".join(f"b.{name}" for name in CORPUS_COLUMNS)
"""All columns of rows `b`; `offset` alone is a word of SQL."""


def manifest_with(sums: Iterable[Row], **facts: Any) -> Json:
    """Return the manifest of rows with these sums, as of `summed_rows`."""
    pairs = []
    ordered = sorted(sums, key=lambda row: (row["message"], row["version"], row["result"]))
    for (message, version), group in groupby(ordered, key=lambda row: (row["message"], row["version"])):
        own, results = list(group), Counter[str]()
        for row in own:
            results[row["result"]] += int(row["rows"])
        pairs.append(
            {
                "message": message,
                "version": version,
                "rows": results.total(),
                "results": dict(results),
                "hash": hash_text(int(row["hash"]) for row in own),
            }
        )
    results = Counter[str]()
    for pair in pairs:
        results.update(pair["results"])
    return {
        "format": FORMAT,
        **facts,
        "rows": results.total(),
        "results": dict(results),
        "hash": hash_text(int(pair["hash"], 16) for pair in pairs),
        "pairs": pairs,
    }


def _write(folder: Storage, manifest: Json) -> None:
    """Write a manifest, with each pair on one line."""
    head = json.dumps({name: value for name, value in manifest.items() if name != "pairs"}, indent=2)
    lines = ",\n".join(f"    {json.dumps(pair)}" for pair in manifest["pairs"])
    text = head.removesuffix("\n}")
    folder.write(MANIFEST, f'{text},\n  "pairs": [\n{lines}\n  ]\n}}\n'.encode())


def is_whole(engine: Engine, folder: Storage, manifest: Json) -> bool:
    """Return whether a corpus has the rows of its manifest."""
    try:
        found = manifest_with(kept_sums(engine, folder))
    except JobFailed:  # of a damaged file
        return False
    return all(found[name] == manifest.get(name) for name in ("rows", "hash", "pairs"))


def kept_sums(engine: Engine, folder: Storage) -> list[Row]:
    """Return the sums of the rows that are there, as of `summed_rows`.

    Raises:
        JobFailed: a file is damaged.
    """
    rows = rows_of(folder)
    if not any(name.endswith(".parquet") for name in rows.place.names()):
        return []
    sql = f"select {_NAMES} from {{rows}} b"  # noqa: S608  # own names
    return engine.reduced(Work(summed_rows, SUMS, f"check of {folder}"), sql, rows=rows)


def manifest_of(folder: Storage) -> Json:
    """Return the manifest of a finished corpus.

    Raises:
        NotThisCorpus: there is none.
        StorageFailed: it cannot be read.
    """
    return manifest_in(folder, MANIFEST, "conformance.campaign.pipeline", "corpus", NotThisCorpus)


def entries_of(manifest: Json) -> list[Json]:
    """Return the entries of a manifest: pairs, or the blocks of one of the first format."""
    entries: list[Json] = manifest["pairs" if manifest["format"] == FORMAT else "blocks"]
    return entries


def document(folder: Storage, name: str) -> Json | None:
    """Return a JSON document of a corpus, or None if it is missing.

    Raises the errors of `manifest_of`.
    """
    content = folder.read(name)
    try:
        found = None if content is None else parse_json(content, name)
    except BadInput as error:
        raise NotThisCorpus(f"{folder} holds no finished corpus: {error}") from error
    if content is not None and not isinstance(found, dict):
        raise NotThisCorpus(f"{folder} holds no finished corpus: {name} is no object")
    return found


class CorpusFacts(NamedTuple):
    """The facts about a corpus.

    Attributes:
        release: its release, if it states one.
        hash: its hash.
        rows: the number of rows by message and version.
    """

    release: str | None
    hash: str
    rows: dict[tuple[str, int], int]


def corpus_facts(folder: Storage) -> CorpusFacts:
    """Return the facts about a finished corpus.

    Raises the errors of `manifest_of`.
    """
    manifest, parameters = manifest_of(folder), document(folder, PARAMETERS) or {}
    rows = Counter[tuple[str, int]]()
    for entry in entries_of(manifest):
        rows[entry["message"], entry["version"]] += entry["rows"]
    return CorpusFacts(
        parameters.get("release"), manifest["hash" if manifest["format"] == FORMAT else "sha256"], dict(rows)
    )


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


def import_bodies(bodies: Iterable[SeenBody], folder: Path) -> Json:
    """Write a corpus of bodies, and return its manifest.

    Raises:
        NotThisCorpus: the folder is not empty, or there are no bodies.
        OSError: the folder cannot be written.
    """
    from pyarrow import Table, parquet  # noqa: PLC0415  # an extra

    from conformance.campaign.pipeline.tables import schema_of  # noqa: PLC0415  # an extra

    if folder.exists() and any(folder.iterdir()):
        raise NotThisCorpus(f"{folder} is not empty. Name a new or empty folder.")
    rows = [row._asdict() for row in _seen_rows(bodies)]
    if not rows:
        raise NotThisCorpus("there are no sound messages to import")
    path = folder / ROWS / "part-000000.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as temporary:
        parquet.write_table(Table.from_pylist(rows, schema_of(CORPUS_COLUMNS)), temporary, compression="zstd")
    manifest = manifest_with(summed_rows(rows), suite=__version__)
    _write(Storage(str(folder)), manifest)
    return manifest


def _seen_rows(bodies: Iterable[SeenBody]) -> Iterator[CorpusRow]:
    """Yield a row for each body, by message and version."""
    ordered = sorted(bodies, key=lambda body: (body.schema.message, body.schema.version))
    for _, group in groupby(ordered, key=lambda body: (body.schema.message, body.schema.version)):
        for index, body in enumerate(group):
            place = f"{body.release}/messages/{body.schema.message}/v{body.schema.version}/seen-{index}"
            yield judged_row(body.release, body.schema, body.wire, id=place, seed=body.seed)
