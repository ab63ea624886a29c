"""Writing the files of golden vectors, so that nobody sees half a tree, and reading them with clear errors."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.files import write_atomically
from conformance.golden.documents import message_document, path_of
from conformance.golden.index import INDEX, index_of
from conformance.golden.text import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class Built(NamedTuple):
    """One group, and whose it is."""

    release: str
    message: str
    version: int
    group: dict[str, Any]
    """What `conformance.golden.kernel.group` gives."""


class CorruptedFile(Exception):
    """A file of vectors that is not what it should be; `line` counts from 1, and is 0 if it is about all of them."""

    def __init__(self, path: Path, line: int, problem: str) -> None:
        super().__init__(path, line, problem)
        self.path = path
        self.line = line
        self.problem = problem

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else f"{self.path}"
        return f"{place}: {self.problem}; build it again with `kafka-conformance vectors build`"


def write_tree(folder: Path, groups: Iterable[Built]) -> None:
    """Write every file: under temporary names, index.json last.

    Args:
        folder: the folder of the vectors; made if it is not there.
        groups: in any order.

    Raises:
        OSError: the folder is not writable; the index is as it was.
    """
    documents = documents_of(groups)
    texts = {path: text_of(document) for path, document in documents.items()}
    texts[INDEX] = text_of(index_of(texts, documents))
    for path, text in texts.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, text)


def documents_of(groups: Iterable[Built]) -> dict[str, dict[str, Any]]:
    """Every document but the index, by its path in the folder."""
    built = sorted(groups, key=lambda each: each[:3])
    return {
        path_of(release, message): message_document(release, message, [each.group for each in them])
        for (release, message), them in groupby(built, key=lambda each: each[:2])
    }


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
