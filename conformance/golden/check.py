"""Checking a tree of vectors: each file on its own, in several processes, and then what holds for all of them.

Nothing is taken on trust: every line is judged again, every file is built again from the definitions, and compared.
"""

from __future__ import annotations

import hashlib
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from conformance.golden.check_lines import form_problems, has_shape, line_problems
from conformance.golden.documents import document_at, paths
from conformance.golden.files import CorruptedFile, read_file, read_ledger
from conformance.golden.flags import flags
from conformance.golden.index import INDEX, index_of
from conformance.golden.ledger import IDS, RETIRED
from conformance.golden.problems import Problem
from conformance.golden.text import GROUPS, VECTORS, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Json = dict[str, Any]
OTHERS = ("consumers", "records")
"""Folders of a tree that are not built here."""


def check_tree(folder: Path, workers: int = 1) -> list[Problem]:
    """Everything that is wrong with a tree, by file and line; an empty list if nothing is."""
    found = list(_registry_problems(folder))
    if found:
        return found
    documents = _readable(folder)
    problems = [*_files_problems(folder, read_file(folder / INDEX)), *_tree_problems(folder, documents)]
    texts = {path: (folder / path).read_text(encoding="utf-8") for path in documents}
    if text_of(index_of(texts, documents)) != (folder / INDEX).read_text(encoding="utf-8"):
        problems.append(Problem(INDEX, 0, "", "counts, root, release or suite version are not those of the files"))
    work = [(folder, path) for path in paths()]
    if workers == 1:
        return sorted(chain(problems, *map(check_file, work)))
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        return sorted(chain(problems, *pool.map(check_file, work, chunksize=4)))


def check_file(work: tuple[Path, str]) -> list[Problem]:
    """What is wrong with one file, given as the tree's folder and the path in it."""
    folder, path = work
    try:
        document = read_file(folder / path)
        text = (folder / path).read_text(encoding="utf-8")
    except (CorruptedFile, OSError) as error:
        return [_unreadable(path, error)]
    expected = document_at(path)
    problems = list(line_problems(path, text, document, expected))
    if not problems and text != text_of(expected):
        problems.append(Problem(path, _first_difference(text, text_of(expected)), "", "not the canonical text"))
    return problems


def _registry_problems(folder: Path) -> Iterator[Problem]:
    """What is wrong with the index and the ledger: without them nothing can be said of the others."""
    for path in (INDEX, IDS, RETIRED):
        try:
            document = read_file(folder / path)
        except (CorruptedFile, OSError) as error:
            yield _unreadable(path, error)
        else:
            yield from form_problems(path, document)


def _readable(folder: Path) -> dict[str, Json]:
    """The documents of all files that can be read; `check_file` says what is wrong with the others."""
    documents = {}
    for path in (*paths(), IDS, RETIRED):
        try:
            document = read_file(folder / path)
        except (CorruptedFile, OSError):
            continue
        if has_shape(path, document):
            documents[path] = document
    return documents


def _files_problems(folder: Path, index: Json) -> Iterator[Problem]:
    """The index against the files that there are."""
    hashes: Mapping[str, str] = index.get("files", {})
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*.json")}
    there = {path for path in there if path.partition("/")[0] not in OTHERS} - {INDEX}
    for path in sorted(there - set(hashes)):
        yield Problem(path, 0, "", f"not in {INDEX}: no definition and no version asks for it")
    for path, expected in hashes.items():
        if path not in there:
            yield Problem(path, 0, "", f"{INDEX} has it, and it is missing")
        elif hashlib.sha256((folder / path).read_bytes()).hexdigest() != expected:
            yield Problem(path, 0, "", f"its SHA-256 is not the one of {INDEX}")


def _tree_problems(folder: Path, documents: Mapping[str, Json]) -> Iterator[Problem]:
    """Ids and flags over all files."""
    ledger = read_ledger(folder)
    for path, digest in ledger.vanished(documents):
        yield Problem(path, 0, "", f"an id has vanished (its digest in {IDS} is {digest}): say why in {RETIRED}")
    for name in ledger.reused(documents):
        yield Problem(RETIRED, 0, name, "retired, and there again: ids are never reused")
    for path, digests in ledger.with_ids_of(documents).ids.items():
        if new := digests - ledger.ids.get(path, frozenset()):
            yield Problem(IDS, 0, "", f"lacks {len(new)} ids of {path}: build again")
    used = {flag for document in documents.values() for flag in _flags_of(document)}
    for flag in sorted(set(flags()) - used):
        yield Problem("flags.json", 0, "", f"no vector has the flag {flag}")


def _flags_of(document: Json) -> Iterator[str]:
    for group in document.get(GROUPS, ()):
        for vector in group[VECTORS]:
            yield from vector.get("flags", ())


def _first_difference(text: str, other: str) -> int:
    """The number of the first line that differs."""
    lines = zip(text.splitlines(), other.splitlines(), strict=False)
    return next((number for number, (one, two) in enumerate(lines, 1) if one != two), 0)


def _unreadable(path: str, error: CorruptedFile | OSError) -> Problem:
    if isinstance(error, CorruptedFile):
        return Problem(path, error.line, "", error.problem)
    return Problem(path, 0, "", f"cannot be read: {error.strerror}")
