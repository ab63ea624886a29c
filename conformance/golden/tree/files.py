"""Writing the files of golden vectors, so that a reader never sees half a tree, and reading them with clear errors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conformance.files import write_atomically
from conformance.golden.tree.documents import (
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
from conformance.golden.tree.serialise import text_of
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from conformance.golden.enumeration.enumerate import Built
    from conformance.golden.enumeration.pairs import Names

Json = dict[str, Any]


class CorruptedFile(ConformanceError):
    """A file of vectors that is not JSON of this format; `line` counts from 1, and is 0 for the whole file."""

    def __init__(self, path: Path, line: int, problem: str) -> None:
        super().__init__(path, line, problem)
        self.path = path
        self.line = line
        self.problem = problem

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else f"{self.path}"
        return f"{place}: {self.problem}; build it again with `kafka-conformance vectors build`"


class VanishedIds(ConformanceError):
    """A build would remove vectors of the folder, and retired.json does not say why."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(ids)
        self.ids = ids

    def __str__(self) -> str:
        shown = "".join(f"\n  {name}" for name in self.ids[:SHOWN])
        more = f"\n  and {len(self.ids) - SHOWN} more" if len(self.ids) > SHOWN else ""
        return f"{len(self.ids)} ids would vanish without an entry in {RETIRED} that says why:{shown}{more}"


SHOWN = 20


def write_tree(folder: Path, groups: Iterable[Built], names: Names = ()) -> None:
    """Write every file of a tree, each one atomically, index.json last; remove files that have no vectors any more.

    `groups` are those of all bodies, in any order, for those sources: see `built_groups`.

    Raises:
        VanishedIds: vectors of the folder would be removed without a reason; nothing is written.
        CorruptedFile: ids.json or retired.json in the folder cannot be read.
        OSError: the folder is not writable; the index is unchanged.
    """
    history = read_id_history(folder)
    documents = documents_of(groups, history, names)
    _refuse_vanished(folder, history, documents)
    texts = {path: text_of(document) for path, document in documents.items()}
    texts[INDEX] = text_of(index_of(texts, documents, names))
    for path, text in texts.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, text)
    for path in set(history.ids) - set(documents):
        (folder / path).unlink(missing_ok=True)


def write_again(folder: Path, paths: Sequence[str]) -> None:
    """Build some documents of a whole tree again, and write them, with ids.json; index.json last.

    Raises:
        VanishedIds: vectors of the folder would be removed without a reason; nothing is written.
        CorruptedFile: a file of the tree cannot be read.
        OSError: the folder is not writable; the index is unchanged.
    """
    history, documents = read_id_history(folder), read_tree(folder)
    documents |= {path: document_at(path) for path in paths}
    _refuse_vanished(folder, history, documents)
    documents[IDS] = history.with_ids_of({path: documents[path] for path in paths}).ids_document()
    texts = {path: (folder / path).read_text(encoding="utf-8") for path in documents}
    changed = {path: text_of(documents[path]) for path in (*paths, IDS)}
    index = text_of(index_of({**texts, **changed}, documents))
    for path, text in (*changed.items(), (INDEX, index)):
        write_atomically(folder / path, text)


def read_id_history(folder: Path) -> IdHistory:
    """Return the ids that a folder ever had; none if it is new. Errors are as of `read_file`."""
    return id_history_of(*(read_file(folder / name) if (folder / name).exists() else {} for name in (IDS, RETIRED)))


def _refuse_vanished(folder: Path, history: IdHistory, documents: Mapping[str, Json]) -> None:
    """Raise if an id would vanish; it is named as long as the file that has it can be read."""
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
        CorruptedFile: it is not JSON, or not a JSON object; the error says where.
        OSError: it is missing, or cannot be read.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise CorruptedFile(path, 0, f"not UTF-8: {error.reason} at byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise CorruptedFile(path, error.lineno, f"not JSON: {error.msg}, at column {error.colno}") from error
    if not isinstance(document, dict):
        raise CorruptedFile(path, 1, "expected a JSON object")
    return document


def read_tree(folder: Path) -> dict[str, Json]:
    """Return every document that the index names, by its path in the folder. Errors are as of `read_file`."""
    return {path: read_file(folder / path) for path in read_file(folder / INDEX)["files"]}
