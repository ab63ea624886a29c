"""The check of a tree of vectors, first of each file alone, in several processes, then of all files together.

Nothing in the files is trusted: every vector is judged again, and every file is built again and compared.
"""

from __future__ import annotations

import hashlib
from itertools import chain
from typing import TYPE_CHECKING, Any

from conformance.system.own_processes import worker_pool
from conformance.vectors.flags import flags
from conformance.vectors.tree.documents import IDS, INDEX, RETIRED, document_at, index_of, paths
from conformance.vectors.tree.vector_files import CorruptedFile, read_file, read_id_history
from conformance.vectors.tree.vector_paths import text_of, vectors_in
from conformance.vectors.verification.check_vectors import TreeProblem, form_problems, has_shape, vector_problems

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from conformance.vectors.enumeration.pairs import Names

Json = dict[str, Any]
OTHERS = ("consumers",)
"""Folders of a tree with files not made by builds."""


def check_tree(folder: Path, workers: int = 1, names: Names = ()) -> list[TreeProblem]:
    """Return every problem of a tree of those sources, by file and line."""
    problems = list(_registry_problems(folder))
    if problems:
        return problems
    documents = _readable(folder, names)
    problems = [*_files_problems(folder, read_file(folder / INDEX)), *_tree_problems(folder, documents)]
    if not names:
        problems += _unused_flags(documents)
    texts = {path: (folder / path).read_text(encoding="utf-8") for path in documents}
    if text_of(index_of(texts, documents, names)) != (folder / INDEX).read_text(encoding="utf-8"):
        problems.append(TreeProblem(INDEX, 0, "", "counts, root, release or suite version are not those of the files"))
    work = [(folder, path, names) for path in paths(names)]
    if workers == 1:
        return sorted(chain(problems, *map(check_file, work)))
    with worker_pool(workers) as pool:
        return sorted(chain(problems, *pool.map(check_file, work, chunksize=4)))


def check_file(work: tuple[Path, str, Names]) -> list[TreeProblem]:
    """Return the problems of one file.

    It is given as the folder of the tree, the path in it, and the tree's sources.
    """
    folder, path, names = work
    try:
        document = read_file(folder / path)
        text = (folder / path).read_text(encoding="utf-8")
    except (CorruptedFile, OSError) as error:
        return [_unreadable(path, error)]
    expected = document_at(path, names)
    problems = list(vector_problems(path, text, document, expected))
    if not problems and text != text_of(expected):
        problems.append(TreeProblem(path, _first_difference(text, text_of(expected)), "", "not the canonical text"))
    return problems


def _registry_problems(folder: Path) -> Iterator[TreeProblem]:
    """Check the index and the history of ids, without which no other check is possible."""
    for path in (INDEX, IDS, RETIRED):
        try:
            document = read_file(folder / path)
        except (CorruptedFile, OSError) as error:
            yield _unreadable(path, error)
        else:
            yield from form_problems(path, document)


def _readable(folder: Path, names: Names) -> dict[str, Json]:
    """Return the documents of all readable files.

    `check_file` reports the others.
    """
    documents = {}
    for path in (*paths(names), IDS, RETIRED):
        try:
            document = read_file(folder / path)
        except (CorruptedFile, OSError):
            continue
        if has_shape(path, document):
            documents[path] = document
    return documents


def _files_problems(folder: Path, index: Json) -> Iterator[TreeProblem]:
    """Compare the index with the files of the folder."""
    hashes: Mapping[str, str] = index.get("files", {})
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*.json") if path.is_file()}
    present = {path for path in present if path.partition("/")[0] not in OTHERS} - {INDEX}
    for path in sorted(present - set(hashes)):
        yield TreeProblem(path, 0, "", f"not in {INDEX}: no definition and no version asks for it")
    for path, expected in hashes.items():
        if path not in present:
            yield TreeProblem(path, 0, "", f"{INDEX} has it, and it is missing")
        elif hashlib.sha256((folder / path).read_bytes()).hexdigest() != expected:
            yield TreeProblem(path, 0, "", f"its SHA-256 is not the one of {INDEX}")


def _tree_problems(folder: Path, documents: Mapping[str, Json]) -> Iterator[TreeProblem]:
    """Check the ids over all files."""
    history = read_id_history(folder)
    for path, digest in history.vanished(documents):
        yield TreeProblem(path, 0, "", f"an id has vanished (its digest in {IDS} is {digest}): say why in {RETIRED}")
    for name in history.reused(documents):
        yield TreeProblem(RETIRED, 0, name, "retired, and used again: ids are never reused")
    for path, digests in history.with_ids_of(documents).ids.items():
        if new := digests - history.ids.get(path, frozenset()):
            yield TreeProblem(IDS, 0, "", f"lacks {len(new)} ids of {path}: build again")


def _unused_flags(documents: Mapping[str, Json]) -> Iterator[TreeProblem]:
    vectors = chain.from_iterable(map(vectors_in, documents.values()))
    used = {flag for vector in vectors for flag in vector["flags"]}
    for flag in sorted(set(flags()) - used):
        yield TreeProblem("flags.json", 0, "", f"no vector has the flag {flag}")


def _first_difference(text: str, other: str) -> int:
    """Return the number of the first different line."""
    lines = zip(text.splitlines(), other.splitlines(), strict=False)
    return next((number for number, (one, two) in enumerate(lines, 1) if one != two), 0)


def _unreadable(path: str, error: CorruptedFile | OSError) -> TreeProblem:
    if isinstance(error, CorruptedFile):
        return TreeProblem(path, error.line, "", error.problem)
    return TreeProblem(path, 0, "", f"cannot be read: {error.strerror}")
