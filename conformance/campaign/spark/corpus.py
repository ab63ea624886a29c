"""A corpus, a folder of parts and a manifest.

    parameters.json             the parameters that determine the rows; written first
    parts/part-000000.parquet   rows, by message, version and index
    _records/part-000000.json   its record: a hash for each block of rows
    manifest.json               all blocks, counts, and one hash over all; written last

Any number of workers build the parts in any order. A hash covers columns (`corpus_rows.row_hash`), not files:
the bytes of files differ between versions of Parquet's writers.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from conformance.campaign.spark.corpus_plan import (
    FOLDER,
    RECORD,
    RECORDS,
    Block,
    CorpusPlan,
    part_name,
    parts,
    record_name,
)
from conformance.campaign.spark.corpus_rows import root
from conformance.campaign.spark.spark_errors import NotThisCorpus
from conformance.campaign.spark.storage import keep_parameters
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json
from reference.inputs.schemas import conform, packaged

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from conformance.campaign.spark.storage import Storage

    Runner = Callable[[CorpusPlan, Storage, Sequence[int]], object]
    """Builds the parts with these numbers in a folder by `corpus_parts.build_part`; returns when all are finished."""

FORMAT = 1
MANIFEST = "manifest.json"
SCHEMA = "manifest.schema.json"
PARAMETERS = "parameters.json"


def build(parameters: CorpusPlan, folder: Storage, run: Runner) -> dict[str, Any]:
    """Build a corpus, or its missing parts, and return its manifest.

    Raises:
        NotThisCorpus: the folder holds something else, and is unchanged.
        StorageFailed: the folder cannot be read or written.
    """
    missing = prepare(parameters, folder)
    if missing:
        run(parameters, folder, missing)
    return _finish(parameters, folder)


def prepare(parameters: CorpusPlan, folder: Storage) -> list[int]:
    """Prepare the folder, and return the numbers of its missing parts.

    Raises the errors of `build`.
    """
    keep_parameters(folder, PARAMETERS, parameters.as_json(), "corpus", NotThisCorpus)
    for name in (FOLDER, RECORDS):
        folder.forget_unfinished(name)
    sizes = folder.sizes(FOLDER)
    return [number for number in range(len(parts(parameters))) if _record(parameters, folder, number, sizes) is None]


def manifest_of(folder: Storage) -> dict[str, Any]:
    """Return the manifest of a finished corpus.

    Raises:
        NotThisCorpus: there is none.
        StorageFailed: it cannot be read.
    """
    manifest = document(folder, MANIFEST)
    if manifest is None:
        raise NotThisCorpus(f"{folder} holds no finished corpus: it has no {MANIFEST}")
    try:
        conform(manifest, packaged("conformance.campaign.spark", SCHEMA), MANIFEST)
    except BadInput as error:
        raise NotThisCorpus(f"{folder} holds no finished corpus: {error}") from error
    return manifest


def document(folder: Storage, name: str) -> dict[str, Any] | None:
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


def finished(folder: Storage) -> int:
    """Return the number of finished parts."""
    return sum(name.endswith(RECORD) for name in folder.sizes(RECORDS))


def _record(
    parameters: CorpusPlan, folder: Storage, number: int, sizes: Mapping[str, int]
) -> list[dict[str, Any]] | None:
    """Return the blocks of a finished part with its name, or None.

    It is None too for a part that differs from the plan.
    """
    part = part_name(number).removeprefix(f"{FOLDER}/")
    try:
        record = parse_json(folder.read(record_name(number)) or b"", record_name(number))
        planned = record["bytes"] == sizes.get(part) and parts(parameters)[number] == tuple(
            Block(*(block[key] for key in Block._fields)) for block in record["blocks"]
        )
        return [{"part": part, **block} for block in record["blocks"]] if planned else None
    except (BadInput, ValueError, KeyError, TypeError):
        return None


def _finish(parameters: CorpusPlan, folder: Storage) -> dict[str, Any]:
    """Write the manifest, with each block on one line."""
    blocks: list[dict[str, Any]] = []
    sizes = folder.sizes(FOLDER)
    for number in range(len(parts(parameters))):
        record = _record(parameters, folder, number, sizes)
        if record is None:
            raise NotThisCorpus(f"{folder.within(part_name(number))} has changed since it was built. Build again.")
        blocks += record
    results = Counter[str]()
    for block in blocks:
        results.update(block["results"])
    manifest = {
        "format": FORMAT,
        "parameters": parameters.as_json(),
        "rows": sum(block["rows"] for block in blocks),
        "results": dict(results),
        "sha256": root(bytes.fromhex(block["sha256"]) for block in blocks),
    }
    head = json.dumps(manifest, indent=2).removesuffix("\n}")
    lines = ",\n".join(f"    {json.dumps(block)}" for block in blocks)
    folder.write(MANIFEST, f'{head},\n  "blocks": [\n{lines}\n  ]\n}}\n'.encode())
    return manifest
