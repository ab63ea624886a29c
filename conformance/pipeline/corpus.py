"""A corpus: a folder of parts, built in any order by any number of workers, and a manifest that is written last.

    parameters.json             the parameters that the rows depend on; written first
    parts/part-000000.parquet   rows, by message, version and index
    parts/part-000000.json      its record: a hash for each block of rows
    manifest.json               all blocks, counts, and one hash over all; written last

A hash is over the columns of rows (`rows.row_hash`) and not over files, whose bytes differ between versions of
Parquet's writers.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from conformance.files import write_atomically
from conformance.pipeline.plan import FOLDER, Block, Parameters, part_path, parts
from conformance.pipeline.rows import root
from conformance.pipeline.session import NotThisCorpus

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    Runner = Callable[[Parameters, Path, Sequence[int]], object]
    """Builds the parts of these numbers in a folder with `parts.build_part`; returns when all are finished."""

FORMAT = 1
MANIFEST = "manifest.json"
PARAMETERS = "parameters.json"


def is_generated(folder: Path) -> bool:
    """Return whether `build` wrote a corpus in that folder."""
    return (folder / PARAMETERS).is_file()


def build(parameters: Parameters, folder: Path, run: Runner) -> dict[str, Any]:
    """Build a corpus, or its missing parts; return its manifest.

    Raises:
        NotThisCorpus: the folder holds something else, which is not changed.
        OSError: the folder cannot be written.
    """
    missing = prepare(parameters, folder)
    if missing:
        run(parameters, folder, missing)
    return _finish(parameters, folder)


def prepare(parameters: Parameters, folder: Path) -> list[int]:
    """Prepare the folder; return the numbers of the parts that it lacks. Errors are as of `build`."""
    if (folder / PARAMETERS).exists():
        _compare(parameters, folder)
    elif folder.exists() and any(folder.iterdir()):
        raise NotThisCorpus(f"{folder} holds something that is no corpus. Name a new or empty folder.")
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    write_atomically(folder / PARAMETERS, json.dumps(parameters.as_json(), indent=2) + "\n")
    for unfinished in (folder / FOLDER).glob(".part-*"):
        unfinished.unlink()
    return [number for number in range(len(parts(parameters))) if _record(parameters, folder, number) is None]


def _compare(parameters: Parameters, folder: Path) -> None:
    path, wanted = folder / PARAMETERS, parameters.as_json()
    try:
        present = dict.fromkeys(wanted) | json.loads(path.read_text(encoding="utf-8"))
    except (TypeError, ValueError) as error:
        raise NotThisCorpus(f"{path} has no parameters of a corpus: {error}. Name another folder.") from error
    differing = [f"{key} {present[key]!r}, not {wanted[key]!r}" for key in wanted if present[key] != wanted[key]]
    if differing:
        raise NotThisCorpus(
            f"{folder} holds a corpus of {'; '.join(differing)}. Name another folder, or ask for the same."
        )


def finished(folder: Path) -> int:
    """Return the number of finished parts."""
    return sum(1 for _ in (folder / FOLDER).glob("part-*.json"))


def _record(parameters: Parameters, folder: Path, number: int) -> list[dict[str, Any]] | None:
    """Return the blocks of a finished part, with its name; None if it is not finished, or differs from the plan."""
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
            raise NotThisCorpus(f"{part_path(folder, number)} has changed since it was built. Build again.")
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
