"""A corpus: a folder of parts, built in any order by any number of workers, and a manifest when all are there.

    parameters.json             what the rows depend on; written first
    parts/part-000000.parquet   rows, by message, version and index
    parts/part-000000.json      what is in it: a hash for each block of rows
    manifest.json               all blocks, counts, and one hash over all; written last

A hash is over the columns of rows (`rows.row_hash`) and not over files, whose bytes differ between versions of
Parquet's writers.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from conformance.files import write_atomically
from conformance.pipeline.errors import NotThisCorpus
from conformance.pipeline.plan import FOLDER, Block, Parameters, part_path, parts
from conformance.pipeline.rows import root

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    Runner = Callable[[Parameters, Path, Sequence[int]], object]
    """Builds parts of those numbers in a folder, each by `parts.build_part`, and returns when all are there."""

FORMAT = 1
MANIFEST = "manifest.json"
PARAMETERS = "parameters.json"


def build(parameters: Parameters, folder: Path, run: Runner) -> dict[str, Any]:
    """Build a corpus, or what is missing of it; returns its manifest.

    Raises:
        NotThisCorpus: the folder holds something else, which is left as it is.
        OSError: the folder cannot be written.
    """
    missing = prepare(parameters, folder)
    if missing:
        run(parameters, folder, missing)
    return _finish(parameters, folder)


def prepare(parameters: Parameters, folder: Path) -> list[int]:
    """Make the folder ready; returns the numbers of the parts that it lacks.

    Raises:
        NotThisCorpus: the folder holds something else, which is left as it is.
        OSError: the folder cannot be written.
    """
    if (folder / PARAMETERS).exists():
        _compare(parameters, folder)
    elif folder.exists() and any(folder.iterdir()):
        raise NotThisCorpus(f"{folder} holds something that is no corpus. Name a new or empty folder.")
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    write_atomically(folder / PARAMETERS, json.dumps(parameters.as_json(), indent=2) + "\n")
    for half in (folder / FOLDER).glob(".part-*"):
        half.unlink()
    return [number for number in range(len(parts(parameters))) if _record(parameters, folder, number) is None]


def _compare(parameters: Parameters, folder: Path) -> None:
    path, asked = folder / PARAMETERS, parameters.as_json()
    try:
        there = dict.fromkeys(asked) | json.loads(path.read_text(encoding="utf-8"))
    except (TypeError, ValueError) as error:
        raise NotThisCorpus(f"{path} does not say what the corpus is of: {error}. Name another folder.") from error
    differing = [f"{key} {there[key]!r}, not {asked[key]!r}" for key in asked if there[key] != asked[key]]
    if differing:
        raise NotThisCorpus(
            f"{folder} holds a corpus of {'; '.join(differing)}. Name another folder, or ask for the same."
        )


def finished(folder: Path) -> int:
    """How many parts are finished."""
    return sum(1 for _ in (folder / FOLDER).glob("part-*.json"))


def _record(parameters: Parameters, folder: Path, number: int) -> list[dict[str, Any]] | None:
    """The blocks of a finished part, with its name; None if it is not finished, or not what is planned."""
    part = part_path(folder, number)
    try:
        record = json.loads(part.with_suffix(".json").read_text(encoding="utf-8"))
        planned = record["bytes"] == part.stat().st_size and parts(parameters)[number] == tuple(
            Block(*(block[key] for key in Block._fields)) for block in record["blocks"]
        )
        return [{"part": part.name, **block} for block in record["blocks"]] if planned else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _finish(parameters: Parameters, folder: Path) -> dict[str, Any]:
    """Write the manifest: parameters, counts, the hash over all, and each block on one line."""
    blocks: list[dict[str, Any]] = []
    for number in range(len(parts(parameters))):
        record = _record(parameters, folder, number)
        if record is None:
            raise NotThisCorpus(f"{part_path(folder, number)} is not as it was built. Build again.")
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
    write_atomically(folder / MANIFEST, f'{head},\n  "blocks": [\n{lines}\n  ]\n}}\n')
    return manifest
