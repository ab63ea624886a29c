"""Writing the files of golden vectors, so that no reader sees half a tree, and reading them with clear errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.system.folders import inside, remove_own, sha256_of
from conformance.system.whole_files import explained, write_text
from conformance.vectors.tree.documents import (
    IDS,
    INDEX,
    RETIRED,
    IdHistory,
    digest,
    document_at,
    documents_of,
    id_history_of,
    index_of,
    whole_ids,
)
from conformance.vectors.tree.vector_paths import text_of
from conformance.vectors.tree.vector_schemas import faults_of
from reference.errors import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.json_text import read_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from conformance.vectors.enumeration.enumerate import Built
    from conformance.vectors.enumeration.pairs import Names

Json = dict[str, Any]


class CorruptedFile(ConformanceError):
    """A file of vectors without JSON of this format.

    `line` counts from 1, and is 0 for the whole file.
    """

    def __init__(self, path: Path, line: int, problem: str) -> None:
        super().__init__(path, line, problem)
        self.path = path
        self.line = line
        self.problem = problem

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else f"{self.path}"
        return f"{place}: {self.problem}; build it again with `kafka-conformance vectors build`"


class NoTree(ConformanceError):
    """A folder with files other than golden vectors."""


class VanishedIds(ConformanceError):
    """A build would remove vectors of the folder without a reason in retired.json."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(ids)
        self.ids = ids

    def __str__(self) -> str:
        shown = "".join(f"\n  {name}" for name in self.ids[:SHOWN])
        more = f"\n  and {len(self.ids) - SHOWN} more" if len(self.ids) > SHOWN else ""
        return f"{len(self.ids)} ids would vanish without an entry in {RETIRED} that says why:{shown}{more}"


SHOWN = 20


def write_tree(folder: Path, groups: Iterable[Built], names: Names = ()) -> list[str]:
    """Write every file of a tree, each one atomically, index.json last, and delete files without vectors.

    `groups` are those of all bodies, in any order, for those sources: see `built_groups`. The history of ids comes
    first: it marks the folder as a tree of vectors, whole or not.

    Returns:
        The files without vectors left in place, since they differ from their hash in the index.

    Raises:
        NoTree: the folder has files, and is no tree of vectors.
        VanishedIds: vectors of the folder would be removed without a reason; nothing is written.
        CorruptedFile: ids.json, retired.json or index.json in the folder cannot be read, or have another form.
        NotOurs: ids.json names a file outside of the folder.
        NotWritten: the folder is not writable; the index is unchanged.
    """
    _refuse_others(folder)
    history = read_id_history(folder)
    hashes: Mapping[str, str] = _registry(folder, INDEX).get("files", {})
    documents = documents_of(groups, history, names)
    _refuse_vanished(folder, history, documents)
    texts = {path: text_of(document) for path, document in documents.items()}
    texts[INDEX] = text_of(index_of(texts, documents, names))
    for path in (IDS, *(path for path in texts if path != IDS)):
        target = inside(folder, path)
        with explained(target):
            target.parent.mkdir(parents=True, exist_ok=True)
        write_text(target, texts[path])
    gone = sorted({*history.ids, *hashes} - {*texts})
    return [path for path in gone if not remove_own(folder, path, hashes.get(path))]


def write_again(folder: Path, paths: Sequence[str]) -> None:
    """Build some documents of a whole tree again, and write them with ids.json, index.json last.

    Raises:
        VanishedIds: vectors of the folder would be removed without a reason; nothing is written.
        CorruptedFile: a file of the tree cannot be read.
        NotWritten: the folder is not writable; the index is unchanged.
    """
    history, documents = read_id_history(folder), read_tree(folder)
    documents |= {path: document_at(path) for path in paths}
    _refuse_vanished(folder, history, documents)
    documents[IDS] = history.with_ids_of({path: documents[path] for path in paths}).ids_document()
    texts = {path: (folder / path).read_text(encoding="utf-8") for path in documents}
    changed = {path: text_of(documents[path]) for path in (*paths, IDS)}
    index = text_of(index_of({**texts, **changed}, documents))
    for path, text in (*changed.items(), (INDEX, index)):
        write_text(folder / path, text)


def read_id_history(folder: Path) -> IdHistory:
    """Return all ids ever used in a folder, or none for a new one.

    Raises:
        CorruptedFile: ids.json or retired.json has another form.
        NotOurs: ids.json names a file outside of the folder.
    """
    ids, retired = (_registry(folder, name) for name in (IDS, RETIRED))
    for path in ids.get("ids", {}):
        inside(folder, path)
    return id_history_of(ids, retired)


def _registry(folder: Path, name: str) -> Json:
    """Return a registry of a folder, checked by its schema, or an empty one if there is none."""
    path = folder / name
    if not path.exists():
        return {}
    document = read_file(path)
    _check_form(path, document)
    return document


def _check_form(path: Path, document: Json) -> None:
    fault = next(faults_of(path.stem, document), None)
    if fault is not None:
        raise CorruptedFile(path, 0, fault)


def _refuse_others(folder: Path) -> None:
    """Raise an error if a folder has files, but no history of ids, which every tree of vectors has."""
    with explained(folder):
        is_used = folder.exists() and any(not path.name.startswith(".") for path in folder.iterdir())
    if is_used and not (folder / IDS).is_file():
        raise NoTree(f"{folder} is not empty, and no tree of vectors ({IDS} is missing): name a new or empty folder")


def _refuse_vanished(folder: Path, history: IdHistory, documents: Mapping[str, Json]) -> None:
    """Raise an error if an id would vanish.

    The error has its name if its file is readable, else its digest.
    """
    vanished = list(history.vanished(documents))
    if not vanished:
        return
    names: dict[str, str] = {}
    for path in dict.fromkeys(path for path, _ in vanished):
        if (folder / path).exists():
            names |= {digest(name): name for name in whole_ids(path, read_file(folder / path))}
    raise VanishedIds([names.get(short, f"{path}: the id with the digest {short}") for path, short in vanished])


def read_file(path: Path) -> Json:
    """Return the document in a file.

    Raises:
        CorruptedFile: it is not JSON, or not a JSON object; the error has the line.
        OSError: it is missing, or cannot be read.
    """
    try:
        document = read_json(path)
    except BadInput as error:
        raise CorruptedFile(path, error.line, ": ".join(filter(None, (error.path, error.problem)))) from error
    if not isinstance(document, dict):
        raise CorruptedFile(path, 1, "expected a JSON object")
    return document


def read_tree(folder: Path) -> dict[str, Json]:
    """Return every document listed in the index, by its path in the folder.

    Raises:
        CorruptedFile: a file has another SHA-256 than in the index, or the index has another form.
        NotOurs: the index names a file outside of the folder.
        OSError: a file is missing, or cannot be read.
    """
    index = read_file(folder / INDEX)
    _check_form(folder / INDEX, index)
    return {path: _listed(inside(folder, path), sha256) for path, sha256 in index["files"].items()}


def _listed(path: Path, sha256: str) -> Json:
    """Return the document in a file of the index, as it was built: a damaged one would give a wrong verdict."""
    document = read_file(path)
    if sha256_of(path) != sha256:
        raise CorruptedFile(path, 0, f"its SHA-256 is not the one of {INDEX}")
    return document
