"""Checking one file: its form, and each of its vectors."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

from conformance.golden.flags import flags
from conformance.golden.judging import judgement_problems
from conformance.golden.problems import Problem
from conformance.golden.schemas import DIALECT, schemas
from conformance.golden.text import GROUPS, VECTORS, line_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jsonschema import ValidationError

Json = dict[str, Any]

_LINE = re.compile(r'^\{"id":', re.MULTILINE)
_NAMED = {f"{name}.json": name for name in ("flags", "ids", "index", "reasons", "retired")}
HEAD = 300


def line_problems(path: str, text: str, document: Json, expected: Json) -> Iterator[Problem]:
    """What is wrong with a file, as far as it can be said of its head or of one vector.

    Args:
        path: in the tree.
        text: of the file.
        document: what is in it.
        expected: what a build gives.
    """
    form = list(form_problems(path, document))
    yield from form
    if form or GROUPS not in document:
        return
    if document.get("spec") != expected.get("spec"):
        yield Problem(path, 0, "", "the definition has changed: its release or SHA-256 is another one")
    lines = iter(_numbers_of_lines(text))
    rebuilt = {group["version"]: group[VECTORS] for group in expected[GROUPS]}
    for group in document[GROUPS]:
        numbered = [(next(lines, 0), vector) for vector in group[VECTORS]]
        sound = []
        for number, vector in numbered:
            wrong = [Problem(path, number, _id_of(vector), what) for what in _schema_problems(vector)]
            yield from wrong
            if not wrong:
                sound.append((number, vector))
        for number, name, what in _group_problems(path, group["version"], sound, rebuilt.get(group["version"], [])):
            yield Problem(path, number, name, what)
    for version in set(rebuilt) - {group["version"] for group in document[GROUPS]}:
        yield Problem(path, 0, "", f"version {version} is missing")


def _numbers_of_lines(text: str) -> Iterator[int]:
    """The numbers of the lines that begin a vector."""
    number, last = 1, 0
    for match in _LINE.finditer(text):
        number += text.count("\n", last, match.start())
        last = match.start()
        yield number


def form_problems(path: str, document: Json) -> Iterator[Problem]:
    """A file against its schema, apart from its vectors."""
    name = _NAMED.get(path) or ("header-versions" if path.endswith("headers/versions.json") else "vectors")
    if path.startswith("schema/"):
        return
    schema = _head_schema() if name == "vectors" else _schemas()[name]
    for error in Draft202012Validator(schema).iter_errors(document):
        yield Problem(path, 0, "", _shown(error))


def has_shape(path: str, document: Json) -> bool:
    """Whether a document is sound enough to be looked at together with others."""
    return not any(form_problems(path, document)) and all(
        isinstance(vector, dict)
        and isinstance(vector.get("id"), str)
        and isinstance(vector.get("result"), str)
        and isinstance(vector.get("flags"), list)
        for group in document.get(GROUPS, ())
        for vector in group[VECTORS]
    )


def _shown(error: ValidationError) -> str:
    return f"{error.json_path}: {error.message[:HEAD]}"


@cache
def _schemas() -> dict[str, Json]:
    return schemas()


@cache
def _head_schema() -> Json:
    """The schema of a file of vectors, in which a vector may be anything: those are checked one by one."""
    schema = _schemas()["vectors"]
    groups = schema["properties"][GROUPS]
    group = {**groups["items"], "properties": {**groups["items"]["properties"], VECTORS: {"type": "array"}}}
    return {**schema, "properties": {**schema["properties"], GROUPS: {**groups, "items": group}}}


def _vector_schema() -> Json:
    items: Json = _schemas()["vectors"]["properties"][GROUPS]["items"]["properties"][VECTORS]["items"]
    return items


@cache
def _validators() -> dict[str, Draft202012Validator]:
    """A validator for each result: the one alternative that can fit is the one to check, and to speak of."""
    alternatives = _vector_schema()["oneOf"]
    return {
        each["properties"]["result"]["const"]: Draft202012Validator({"$schema": DIALECT, **each})
        for each in alternatives
    }


def _schema_problems(vector: Any) -> Iterator[str]:
    result = vector.get("result") if isinstance(vector, dict) else None
    validator = _validators().get(str(result), _validators()["valid"])
    yield from (_shown(error) for error in validator.iter_errors(vector))


def _id_of(vector: Any) -> str:
    return str(vector.get("id", "")) if isinstance(vector, dict) else ""


def _group_problems(
    path: str, version: int, numbered: list[tuple[int, Json]], rebuilt: list[Json]
) -> Iterator[tuple[int, str, str]]:
    """What is wrong with the vectors of one version: line, id and what."""
    counts = Counter(vector["id"] for _, vector in numbered)
    wires = [vector["wire"] for _, vector in numbered if vector["result"] == "valid"]
    by_id = {vector["id"]: vector for vector in rebuilt}
    for number, vector in numbered:
        name = vector["id"]
        if counts[name] > 1:
            yield number, name, "the id of more than one vector of this version"
        if "Truncated" in vector["flags"] and not _is_strict_prefix(vector["wire"], wires):
            yield number, name, "flagged Truncated, and not a strict prefix of any valid vector of this version"
        yield from (
            (number, name, f"the flag {flag} is not defined") for flag in vector["flags"] if flag not in flags()
        )
        yield from ((number, name, what) for what in judgement_problems(path, version, vector))
        if name not in by_id:
            yield number, name, f"no build of version {version} gives this vector"
        elif line_of(by_id[name]) != line_of(vector):
            yield number, name, "a build gives this vector with other bytes, flags or values"
    for name in sorted(set(by_id) - set(counts)):
        yield 0, name, f"missing: a build of version {version} gives it"


def _is_strict_prefix(wire: str, wires: list[str]) -> bool:
    return any(each.startswith(wire) and each != wire for each in wires)
