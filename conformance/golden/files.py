"""Writing the files of golden vectors, so that nobody sees half a tree, and reading them with clear errors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conformance.files import write_atomically
from conformance.golden.documents import Built, documents_of
from conformance.golden.index import INDEX, index_of
from conformance.golden.ledger import IDS, RETIRED, Ledger, digest, ledger_of, whole_ids
from conformance.golden.text import text_of
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

__all__ = ["Built", "CorruptedFile", "VanishedIds", "read_file", "read_ledger", "read_tree", "write_tree"]


class CorruptedFile(ConformanceError):
    """A file of vectors that is not what it should be; `line` counts from 1, and is 0 if it is about all of them."""

    def __init__(self, path: Path, line: int, problem: str) -> None:
        super().__init__(path, line, problem)
        self.path = path
        self.line = line
        self.problem = problem

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else f"{self.path}"
        return f"{place}: {self.problem}; build it again with `kafka-conformance vectors build`"


class VanishedIds(ConformanceError):
    """Vectors that are in the folder would go, and retired.json does not say why."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(ids)
        self.ids = ids

    def __str__(self) -> str:
        shown = "".join(f"\n  {each}" for each in self.ids[:SHOWN])
        more = f"\n  and {len(self.ids) - SHOWN} more" if len(self.ids) > SHOWN else ""
        return f"{len(self.ids)} ids would vanish without an entry in {RETIRED} that says why:{shown}{more}"


SHOWN = 20


def write_tree(folder: Path, groups: Iterable[Built]) -> None:
    """Write every file: under temporary names, index.json last. Files of vectors that no longer have any go.

    Args:
        folder: the folder of the vectors; made if it is not there.
        groups: those of `conformance.golden.kernel.identities` of every release, in any order.

    Raises:
        VanishedIds: the folder has vectors that would go; nothing is written.
        CorruptedFile: the folder's ids.json or retired.json cannot be read.
        OSError: the folder is not writable; the index is as it was.
    """
    ledger = read_ledger(folder)
    documents = documents_of(groups, ledger)
    _refuse_vanished(folder, ledger, documents)
    texts = {path: text_of(document) for path, document in documents.items()}
    texts[INDEX] = text_of(index_of(texts, documents))
    for path, text in texts.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, text)
    for path in set(ledger.ids) - set(documents):
        (folder / path).unlink(missing_ok=True)


def read_ledger(folder: Path) -> Ledger:
    """The ids that a folder ever had; none if it is new.

    Raises:
        CorruptedFile: ids.json or retired.json cannot be read.
    """
    return ledger_of(*(read_file(folder / name) if (folder / name).exists() else {} for name in (IDS, RETIRED)))


def _refuse_vanished(folder: Path, ledger: Ledger, documents: Mapping[str, dict[str, Any]]) -> None:
    """Raise if an id goes; by its name, as long as the file that has it can be read."""
    vanished = list(ledger.vanished(documents))
    if not vanished:
        return
    names: dict[str, str] = {}
    for path in dict.fromkeys(path for path, _ in vanished):
        if (folder / path).exists():
            names |= {digest(each): each for each in whole_ids(path, read_file(folder / path))}
    raise VanishedIds([names.get(each, f"{path}: the id with the digest {each}") for path, each in vanished])


def read_file(path: Path) -> dict[str, Any]:
    """The document in a file.

    Raises:
        CorruptedFile: it is not JSON, or not a document of this format; says where.
        OSError: it cannot be read.
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


def read_tree(folder: Path) -> dict[str, dict[str, Any]]:
    """Every document that the index names, by its path in the folder.

    Raises:
        CorruptedFile: as `read_file`.
        OSError: a file is missing, or cannot be read.
    """
    index = read_file(folder / INDEX)
    return {path: read_file(folder / path) for path in index["files"]}
