"""The check of one file, of its form, and of each of its vectors against the reference and a new build."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.targets import RecordsField
from conformance.vectors.enumeration.vector import UNWRITABLE, known_of, refusal_of
from conformance.vectors.flags import flags
from conformance.vectors.tree.vector_paths import GROUPS, VECTORS, file_at, line_of, vectors_in
from conformance.vectors.tree.vector_schemas import HEAD_OF_VECTORS, faults_of
from reference import CodecError, Result
from reference.errors import InternalError
from reference.records.records_field import PARTIAL

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conformance.targets import Target
    from conformance.vectors.tree.vector_paths import VectorFile

Json = dict[str, Any]

_LINE = re.compile(r'^\{"id":', re.MULTILINE)
_REGISTRIES = {f"{name}.json": name for name in ("flags", "ids", "index", "reasons", "releases", "retired")}
OF_CASES = {"id", "wire", "flags", "given"}
"""The members of a vector without a verdict."""


class TreeProblem(NamedTuple):
    """One problem of a tree, and its place."""

    path: str
    line: int
    """The line from 1, or 0 for the whole file."""
    id: str
    """The id of the vector; empty if the problem is not about one vector."""
    text: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.id}: {self.text}" if self.id else f"{place}: {self.text}"


def vector_problems(path: str, text: str, document: Json, expected: Json) -> Iterator[TreeProblem]:
    """Yield the problems of a file, of its head or of one vector.

    `expected` is the document of a new build.
    """
    form = list(form_problems(path, document))
    yield from form
    if form or GROUPS not in document:
        return
    if document.get("spec") != expected.get("spec"):
        yield TreeProblem(path, 0, "", "the definition has changed: its release or SHA-256 is another one")
    lines = iter(_line_numbers(text))
    rebuilt = {group["version"]: group[VECTORS] for group in expected[GROUPS]}
    for group in document[GROUPS]:
        numbered = [(next(lines, 0), vector) for vector in group[VECTORS]]
        if (version := group["version"]) in rebuilt:
            yield from _group_problems(file_at(path), version, numbered, rebuilt.pop(version))
        else:
            yield TreeProblem(path, 0, "", f"version {version} is not of this message")
    for version in rebuilt:
        yield TreeProblem(path, 0, "", f"version {version} is missing")


def _line_numbers(text: str) -> Iterator[int]:
    """Yield the numbers of the lines with the beginning of a vector."""
    number, last = 1, 0
    for match in _LINE.finditer(text):
        number += text.count("\n", last, match.start())
        last = match.start()
        yield number


def form_problems(path: str, document: Json) -> Iterator[TreeProblem]:
    """Check a file against its JSON Schema, apart from its vectors."""
    name = _REGISTRIES.get(path) or ("header-versions" if path.endswith("headers/versions.json") else HEAD_OF_VECTORS)
    if not path.startswith("schema/"):
        yield from (TreeProblem(path, 0, "", fault) for fault in faults_of(name, document))


def has_shape(path: str, document: Json) -> bool:
    """Return whether the form of a document is good enough for a check together with others."""
    return not any(form_problems(path, document)) and all(
        isinstance(vector, dict)
        and isinstance(vector.get("id"), str)
        and isinstance(vector.get("result"), str)
        and isinstance(vector.get("flags"), list)
        for vector in vectors_in(document)
    )


def _schema_problems(vector: Any) -> Iterator[str]:
    result = vector.get("result") if isinstance(vector, dict) else None
    # An unknown result is an error by any of the schemas.
    return faults_of(str(result) if result in (*Result, UNWRITABLE) else Result.VALID, vector)


def _id_of(vector: Any) -> str:
    return str(vector.get("id", "")) if isinstance(vector, dict) else ""


def _group_problems(
    file: VectorFile, version: int, numbered: list[tuple[int, Any]], rebuilt: list[Json]
) -> Iterator[TreeProblem]:
    """Yield the problems of the vectors of one version, each given with its line."""
    path, sound = file.path, []
    for number, vector in numbered:
        wrong = [TreeProblem(path, number, _id_of(vector), problem) for problem in _schema_problems(vector)]
        yield from wrong
        sound += [] if wrong else [(number, vector)]
    counts = Counter(vector["id"] for _, vector in sound)
    wires = [vector["wire"] for _, vector in sound if vector["result"] == "valid"]
    by_id = {vector["id"]: vector for vector in rebuilt}
    for number, vector in sound:
        name = vector["id"]
        problems = chain(_own_problems(vector, counts, wires), _build_problems(file, version, vector, by_id.get(name)))
        yield from (TreeProblem(path, number, name, problem) for problem in problems)
    for name in sorted(set(by_id) - set(counts)):
        yield TreeProblem(path, 0, name, f"missing: a build of version {version} gives it")


def _own_problems(vector: Json, counts: Mapping[str, int], wires: list[str]) -> Iterator[str]:
    """Yield the problems of an id and flags, by the counts of ids and the valid bytes of the version."""
    cut = vector.get("wire", "")
    if counts[vector["id"]] > 1:
        yield "the id of more than one vector of this version"
    if "Truncated" in vector["flags"] and not any(wire[: len(cut)] == cut != wire for wire in wires):
        yield "flagged Truncated, and not a strict prefix of any valid vector of this version"
    yield from (f"the flag {flag} is not defined" for flag in vector["flags"] if flag not in flags())


def _build_problems(file: VectorFile, version: int, vector: Json, built: Json | None) -> Iterator[str]:
    """Compare a vector with the new build, and with the verdict of the reference if the build has another one."""
    target = file.target(version)
    yield from _writing_problems(target, vector)
    if built is None:
        yield f"no build of version {version} gives this vector"
    elif line_of(built) != line_of(vector):
        yield "a build gives this vector with other bytes, flags or values"
    else:
        return
    yield from _verdict_problems(file.release, target, vector)


def _writing_problems(target: Target, vector: Json) -> Iterator[str]:
    """Write the values of a vector, without incomplete record batches at the end, and compare the bytes."""
    if vector["result"] == UNWRITABLE or "compressed" in vector:
        return
    for key, expected in (("value", vector.get("canonical", vector["wire"])), ("given", vector["wire"])):
        if key not in vector:
            continue
        content = target.from_json(vector[key])
        try:
            wire = target.write({**content, PARTIAL: b""} if isinstance(target, RecordsField) else content).hex()
        except CodecError as error:
            yield f"{key} cannot be written: {error}"
        else:
            if wire != expected:
                yield f"{key} is written as {wire:.80}"


def _verdict_problems(release: str, target: Target, vector: Json) -> Iterator[str]:
    """Compare a vector of valid form with the verdict of the reference on its bytes, or on its unwritable value."""
    try:
        if vector["result"] == UNWRITABLE:
            known = {**vector, **refusal_of(target, vector["value"])}
        else:
            known = known_of(release, target, bytes.fromhex(vector["wire"]))
    except (CodecError, InternalError) as error:
        yield f"value is not refused: {error}"
        return
    for key in sorted({*known, *vector} - OF_CASES):
        if vector.get(key) != known.get(key):
            yield f"{key} is {vector.get(key)!r:.80}; the reference says {known.get(key)!r:.80}"
    missing = [flag for flag in known["flags"] if flag not in vector["flags"]]
    if missing:
        yield f"lacks the flags {', '.join(missing)}"
