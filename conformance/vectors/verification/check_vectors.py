"""The check of one file, of its form, and of each of its vectors against the reference and a new build."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from jsonschema import Draft202012Validator

from conformance.targets import Body, RecordsField
from conformance.vectors.enumeration.vector import UNWRITABLE, known_of, refusal_of
from conformance.vectors.flags import flags
from conformance.vectors.tree.vector_paths import GROUPS, VECTORS, file_at, line_of
from conformance.vectors.tree.vector_schemas import DIALECT, SHOWN, faults_of, schemas
from reference import CodecError
from reference.errors import InternalError
from reference.records.records_field import PARTIAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jsonschema import ValidationError

    from conformance.targets import Target

Json = dict[str, Any]

_LINE = re.compile(r'^\{"id":', re.MULTILINE)
_REGISTRIES = {f"{name}.json": name for name in ("flags", "ids", "index", "reasons", "releases", "retired")}
JUDGED = (
    "result", "reason", "offset", "path", "within", "value", "canonical", "compressed", "observed", "readers",
)  # fmt: skip


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
        version, numbered = group["version"], [(next(lines, 0), vector) for vector in group[VECTORS]]
        if version not in rebuilt:
            yield TreeProblem(path, 0, "", f"version {version} is not of this message")
            continue
        sound = []
        for number, vector in numbered:
            wrong = [TreeProblem(path, number, _id_of(vector), problem) for problem in _schema_problems(vector)]
            yield from wrong
            if not wrong:
                sound.append((number, vector))
        for number, name, problem in _group_problems(path, version, sound, rebuilt[version]):
            yield TreeProblem(path, number, name, problem)
    for version in set(rebuilt) - {group["version"] for group in document[GROUPS]}:
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
    name = _REGISTRIES.get(path) or ("header-versions" if path.endswith("headers/versions.json") else "vectors")
    if path.startswith("schema/"):
        return
    if name != "vectors":
        yield from (TreeProblem(path, 0, "", fault) for fault in faults_of(name, document))
        return
    for error in Draft202012Validator(_head_schema()).iter_errors(document):
        yield TreeProblem(path, 0, "", _shown(error))


def has_shape(path: str, document: Json) -> bool:
    """Return whether the form of a document is good enough for a check together with others."""
    return not any(form_problems(path, document)) and all(
        isinstance(vector, dict)
        and isinstance(vector.get("id"), str)
        and isinstance(vector.get("result"), str)
        and isinstance(vector.get("flags"), list)
        for group in document.get(GROUPS, ())
        for vector in group[VECTORS]
    )


def _shown(error: ValidationError) -> str:
    return f"{error.json_path}: {error.message[:SHOWN]}"


@cache
def _head_schema() -> Json:
    """Return the schema of a file of vectors, with anything allowed as a vector.

    Vectors are checked one by one.
    """
    schema = schemas()["vectors"]
    groups = schema["properties"][GROUPS]
    group = {**groups["items"], "properties": {**groups["items"]["properties"], VECTORS: {"type": "array"}}}
    return {**schema, "properties": {**schema["properties"], GROUPS: {**groups, "items": group}}}


@cache
def _validators() -> dict[str, Draft202012Validator]:
    """Return a validator for each result, so that an error names the one possible alternative for the vector."""
    vector = schemas()["vectors"]["properties"][GROUPS]["items"]["properties"][VECTORS]["items"]
    return {
        schema["properties"]["result"]["const"]: Draft202012Validator({"$schema": DIALECT, **schema})
        for schema in vector["oneOf"]
    }


def _schema_problems(vector: Any) -> Iterator[str]:
    result = vector.get("result") if isinstance(vector, dict) else None
    # An unknown result is an error by any of the schemas.
    validator = _validators().get(str(result), _validators()["valid"])
    yield from (_shown(error) for error in validator.iter_errors(vector))


def _id_of(vector: Any) -> str:
    return str(vector.get("id", "")) if isinstance(vector, dict) else ""


def _group_problems(
    path: str, version: int, numbered: list[tuple[int, Json]], rebuilt: list[Json]
) -> Iterator[tuple[int, str, str]]:
    """Yield (line, id, problem) for the vectors of one version."""
    counts = Counter(vector["id"] for _, vector in numbered)
    wires = [vector["wire"] for _, vector in numbered if vector["result"] == "valid"]
    by_id = {vector["id"]: vector for vector in rebuilt}
    for number, vector in numbered:
        name = vector["id"]
        if counts[name] > 1:
            yield number, name, "the id of more than one vector of this version"
        if "Truncated" in vector["flags"] and not any(_is_cut(vector["wire"], wire) for wire in wires):
            yield number, name, "flagged Truncated, and not a strict prefix of any valid vector of this version"
        undefined = (flag for flag in vector["flags"] if flag not in flags())
        yield from ((number, name, f"the flag {flag} is not defined") for flag in undefined)
        yield from ((number, name, problem) for problem in _verdict_problems(path, version, vector))
        if name not in by_id:
            yield number, name, f"no build of version {version} gives this vector"
        elif line_of(by_id[name]) != line_of(vector):
            yield number, name, "a build gives this vector with other bytes, flags or values"
    for name in sorted(set(by_id) - set(counts)):
        yield 0, name, f"missing: a build of version {version} gives it"


def _is_cut(wire: str, whole: str) -> bool:
    return whole.startswith(wire) and whole != wire


def _verdict_problems(path: str, version: int, vector: Json) -> Iterator[str]:
    """Compare a vector of valid form with the verdict of the reference on its bytes."""
    file = file_at(path)
    target = file.target(version)
    if vector["result"] == UNWRITABLE:
        yield from _refusal_problems(target, vector)
        return
    if isinstance(target, Body) or (isinstance(target, RecordsField) and "compressed" not in vector):
        yield from _writing_problems(target, vector)
    known = known_of(file.release, target, bytes.fromhex(vector["wire"]))
    for key in JUDGED:
        if vector.get(key) != known.get(key):
            yield f"{key} is {vector.get(key)!r:.80}; the reference says {known.get(key)!r:.80}"
    missing = [flag for flag in known["flags"] if flag not in vector["flags"]]
    if missing:
        yield f"lacks the flags {', '.join(missing)}"


def _refusal_problems(target: Target, vector: Json) -> Iterator[str]:
    """Write an unwritable value, and compare the reason of the refusal."""
    try:
        known = refusal_of(target, vector["value"])
    except (CodecError, InternalError) as error:
        yield f"value is not refused: {error}"
        return
    for key, expected in known.items():
        if vector[key] != expected:
            yield f"{key} is {vector[key]!r:.80}; the reference says {expected!r:.80}"


def _writing_problems(target: Target, vector: Json) -> Iterator[str]:
    """Write the values of a vector, and compare the bytes."""
    for key, expected in (("value", vector.get("canonical", vector["wire"])), ("given", vector["wire"])):
        if key not in vector:
            continue
        try:
            wire = target.write(_written(target, vector[key])).hex()
        except CodecError as error:
            yield f"{key} cannot be written: {error}"
        else:
            if wire != expected:
                yield f"{key} is written as {wire:.80}"


def _written(target: Target, form: Any) -> Any:
    """Return the content of a form, for record batches without the incomplete batch at the end, which nobody writes."""
    content = target.from_json(form)
    return {**content, PARTIAL: b""} if isinstance(target, RecordsField) else content
