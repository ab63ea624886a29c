"""JSON Schemas (2020-12) of the files of golden vectors."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

from conformance.definitions.catalogue import LEVELS
from conformance.vectors.enumeration.value_vectors import REFUSALS
from conformance.vectors.enumeration.vector import UNWRITABLE
from conformance.vectors.flags import CATEGORIES, flags
from conformance.vectors.tree.vector_paths import HEAD, TAKEN, WITHOUT
from reference import Reason, Result
from reference.definitions.model import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Json = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
HEX: Json = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
SHA_256: Json = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
TEXT: Json = {"type": "string", "minLength": 1}
COUNT: Json = {"type": "integer", "minimum": 0}
SLUG: Json = {"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}
WHOLE_ID: Json = {"type": "string", "pattern": "^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)+/v[0-9]+/[a-z0-9-]+$"}
NAME: Json = {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]*$"}
"""The name of a release, of a proposal, or of a folder of definitions."""
ANYTHING: Json = {"description": "The JSON form of a value: see README.md."}
REASONS = tuple(map(str, Reason))
STORED = {"coordinator-key": "key", "coordinator-value": "value", "metadata": "record", "data": "data"}
"""The `form` of stored messages, by the kind of the message; it decides about the bytes before the body."""


HEAD_OF_VECTORS = "head"
SHOWN = 300
"""The number of shown characters of a fault."""


def faults_of(name: str, document: Any) -> Iterator[str]:
    """Yield the faults of a document by the schema of that name, each with its place.

    `HEAD_OF_VECTORS` is that of a file of vectors with anything as a vector. A result is that of its vectors: the error
    names the one possible alternative.
    """
    for error in _validators()[name].iter_errors(document):
        yield f"{error.json_path}: {error.message[:SHOWN]}"


@cache
def _validators() -> dict[str, Draft202012Validator]:
    results = {each["properties"]["result"]["const"]: {"$schema": DIALECT, **each} for each in _vector()["oneOf"]}
    every = schemas() | results | {HEAD_OF_VECTORS: _vectors({"type": "array"})}
    return {name: Draft202012Validator(schema) for name, schema in every.items()}


@cache
def schemas() -> dict[str, Json]:
    """Return every schema, by name."""
    return {
        "vectors": _vectors(_array(_vector(), minItems=1)),
        "header-versions": _header_versions(),
        "flags": _flags(),
        "reasons": _document(
            {
                "reasons": _object(dict.fromkeys(REASONS, TEXT)),
                "refusals": _object(dict.fromkeys(map(str, REFUSALS), TEXT)),
            }
        ),
        "ids": _document({"ids": _map({"type": "string", "pattern": "^[0-9a-f]{8}( [0-9a-f]{8})*$"})}),
        "releases": _releases(),
        "retired": _document({"retired": _array(_object({"id": WHOLE_ID, "reason": TEXT}))}),
        "index": _index(),
    }


def _vectors(vectors: Json) -> Json:
    group = {"version": COUNT, "flexible": {"type": "boolean"}, "headerVersion": COUNT}
    kind = {"enum": [*KINDS, "frame", "primitive", "records", "stored"]}
    head = {"message": TEXT, "kind": kind, "form": {"enum": list(STORED.values())}, "apiKey": COUNT}
    spec = _object({"release": NAME, "sha256": SHA_256})
    groups = _array(_object({**group, "vectors": vectors}, optional=("flexible", "headerVersion")), minItems=1)
    return _document({**head, "spec": spec, "count": COUNT, "groups": groups}, optional=("form", "apiKey", "spec"))


def _vector() -> Json:
    """Return the schema of a vector, with keys by its result."""
    always = {"id": SLUG, "flags": _array({"enum": list(flags())}, minItems=1, uniqueItems=True)}
    readers: Json = {"readers": _readers()}
    bad = {"reason": {"enum": list(REASONS)}, "offset": COUNT, "path": {"type": "string"}, "within": COUNT}
    parts: dict[Result, Json] = {
        Result.VALID: {"value": ANYTHING, "canonical": HEX, "compressed": {"const": True}, "given": ANYTHING},
        Result.INVALID: bad,
        Result.UNSPECIFIED: {"compressed": {"const": True}, "observed": _observed()},
    }
    optional = ("canonical", "compressed", "given", "observed", "within", "readers")
    results = [
        _object({**always, "wire": HEX, "result": {"const": str(result)}, **more, **readers}, optional=optional)
        for result, more in parts.items()
    ]
    refused = {
        "value": ANYTHING,
        "refusal": {"enum": list(map(str, REFUSALS))},
        "rule": TEXT,
        "path": {"type": "string"},
    }
    return {"oneOf": [*results, _object({**always, "result": {"const": UNWRITABLE}, **refused})]}


def _observed() -> Json:
    canonical = {"anyOf": [HEX, {"type": "null"}]}
    accepts = {"accepts": {"const": True}, "consumed": COUNT, "value": ANYTHING, "canonical": canonical}
    either = {"oneOf": [_object(accepts), _object({"accepts": {"const": False}})]}
    return _by_release(either)


def _readers() -> Json:
    """Return the schema of the reactions of Apache Kafka's consumer and broker to record batches."""
    refuses = {"accepts": {"const": False}, "exception": TEXT, "rule": TEXT}
    either = {"oneOf": [_object({"accepts": {"const": True}}), _object(refuses)]}
    return _by_release(_object({"client": either, "broker": either}, optional=("broker",)))


def _by_release(values: Json) -> Json:
    name = {"pattern": "^apache-kafka-[0-9.]+$"}
    return {"type": "object", "minProperties": 1, "propertyNames": name, "additionalProperties": values}


def _header_versions() -> Json:
    entry = {"apiKey": COUNT, "api": TEXT, "version": COUNT, "requestHeader": COUNT, "responseHeader": COUNT}
    kind: Json = {"const": "header-versions"}
    return _document({"kind": kind, "release": NAME, "apis": _array(_object(entry), minItems=1)})


def _flags() -> Json:
    texts = {"about": TEXT, "effect": TEXT, "rules": _array(TEXT, minItems=1, uniqueItems=True)}
    flag = _object({"category": {"enum": list(CATEGORIES)}, "level": {"enum": list(LEVELS)}, **texts})
    return _document({"categories": {"const": list(CATEGORIES)}, "flags": _map(flag)})


def _releases() -> Json:
    versions = _array(COUNT, minItems=1, uniqueItems=True)
    ids = {"type": "object", "additionalProperties": _array(WHOLE_ID, minItems=1, uniqueItems=True)}
    return _document({WITHOUT: ids, TAKEN: _map({"type": "object", "additionalProperties": versions})})


def _index() -> Json:
    counts = _object({"vectors": COUNT, **{str(result): COUNT for result in Result}, UNWRITABLE: COUNT})
    about: Json = {"suite": TEXT, "release": NAME, "releases": _array(NAME), "proposals": _array(NAME)}
    return _document({**about, "counts": counts, "root": SHA_256, "files": _map(SHA_256)})


def _document(properties: Mapping[str, Json], optional: Iterable[str] = ()) -> Json:
    constants = {name: {"const": value} for name, value in HEAD.items()}
    return {"$schema": DIALECT, **_object({**constants, **properties}, optional)}


def _object(properties: Mapping[str, Json], optional: Iterable[str] = ()) -> Json:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}


def _array(items: Json, **limits: Any) -> Json:
    return {"type": "array", "items": items, **limits}


def _map(values: Json) -> Json:
    """Return the schema of an object with these values, under any names."""
    return {"type": "object", "minProperties": 1, "additionalProperties": values}
