"""Golden vectors, run on an implementation: what a consumer in any language does, here for adapters.

A vector says by itself what is expected. Valid: its wire is read as its value, and the value is written as `canonical`
or else as its wire. Invalid: it is refused. Unspecified: it does no harm. Nothing of the suite's checks takes part.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.checks.outcomes import ABSENT, FATAL, REFUSALS, Kind, Outcome
from conformance.golden.documents import path_of
from conformance.golden.files import Built
from conformance.golden.text import GROUPS, VECTORS
from reference import TAGS, Result, difference, from_json, load_release
from reference.definitions.model import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from conformance.bridge.isolation import IsolatedDecoder
    from conformance.checks.implementation import Implementation
    from reference import MessageSchema

SHOWN = 160


class Failure(NamedTuple):
    """A vector that an implementation fails."""

    id: str
    """The whole one: `4.3.0/messages/FetchRequest/v17/unknown-tag-9999`."""
    flags: tuple[str, ...]
    what: str
    """What it did instead."""


@dataclass
class Tried:
    """How many vectors were tried, by result, and which failed."""

    counts: Counter[str] = field(default_factory=Counter)
    not_tried: int = 0
    """Of messages that the implementation does not have, or values that it cannot hold."""
    accepted: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """What the implementation makes of unspecified bytes: (flag, whether it reads them)."""
    failures: list[Failure] = field(default_factory=list)


def groups_of(documents: Mapping[str, dict[str, Any]]) -> Iterator[Built]:
    """Every group of the messages in a tree, whose documents are keyed by path."""
    for document in documents.values():
        if document.get("kind") in KINDS:
            for group in document[GROUPS]:
                yield Built(document["spec"]["release"], document["message"], group["version"], group)


def run_groups(
    implementation: Implementation, decoder: IsolatedDecoder | None, groups: Iterable[Built], tried: Tried
) -> Iterator[Built]:
    """Run groups of vectors, and put what is found into `tried`; gives each group when it is done.

    Args:
        implementation: what reads and writes.
        decoder: where it reads whatever is not valid; None: in this process.
        groups: the vectors.
        tried: what was tried so far.
    """
    for built in groups:
        run_group(implementation, decoder, built, tried)
        yield built


def run_group(implementation: Implementation, decoder: IsolatedDecoder | None, built: Built, tried: Tried) -> None:
    """Run the vectors of one message at one version."""
    schema = load_release(built.release).schema(built.message, built.version)
    prefix = f"{path_of(built.release, built.message).removesuffix('.json')}/v{built.version}"
    vectors: list[dict[str, Any]] = built.group[VECTORS]
    reads = _reads(implementation, decoder, schema, vectors)
    for vector, outcome in zip(vectors, reads, strict=True):
        tried.counts[vector["result"]] += 1
        problems = list(_problems(implementation, schema, vector, outcome, tried))
        if problems:
            tried.failures.append(Failure(f"{prefix}/{vector['id']}", tuple(vector["flags"]), "; ".join(problems)))


_NOT_ASKED = Outcome(Kind.UNSUPPORTED)


def _reads(
    implementation: Implementation, decoder: IsolatedDecoder | None, schema: MessageSchema, vectors: list[Any]
) -> list[Outcome]:
    """What becomes of each wire: what is not valid is read in the child, if there is one."""
    if not implementation.offers("decode", schema):
        return [_NOT_ASKED] * len(vectors)
    wires = [bytes.fromhex(each["wire"]) for each in vectors]
    if decoder is None:
        return [implementation.decode(schema, wire) for wire in wires]
    hostile = [index for index, each in enumerate(vectors) if each["result"] != Result.VALID]
    outcomes = dict(zip(hostile, decoder.decode_many([(schema, wires[index]) for index in hostile]), strict=True))
    return [outcomes.get(index) or implementation.decode(schema, wire) for index, wire in enumerate(wires)]


def _problems(
    implementation: Implementation, schema: MessageSchema, vector: dict[str, Any], outcome: Outcome, tried: Tried
) -> Iterator[str]:
    """What is wrong about one vector, in both directions."""
    if vector["result"] == Result.VALID:
        yield from _written_otherwise(implementation, schema, vector)
    if outcome.kind in ABSENT:
        tried.not_tried += 1
    elif outcome.kind in FATAL:
        yield f"decode: {_shown(outcome)}"
    elif vector["result"] == Result.VALID:
        yield from _read_otherwise(implementation, schema, vector, outcome)
    elif vector["result"] == Result.UNSPECIFIED:
        tried.accepted[vector["flags"][-1], outcome.kind is Kind.VALUE] += 1
    elif outcome.kind not in REFUSALS:
        yield f"decode: accepted, though {vector['reason']} at offset {vector['offset']}"


def _read_otherwise(
    implementation: Implementation, schema: MessageSchema, vector: dict[str, Any], outcome: Outcome
) -> Iterator[str]:
    """Sound bytes that are refused, or read as something else."""
    if outcome.kind is not Kind.VALUE:
        yield f"decode: {_shown(outcome)}"
        return
    expected, actual = implementation.judged(from_json(schema, vector["value"])), implementation.judged(outcome.value)
    found = difference(schema, expected, actual, absent=implementation.takes_absent_fields)
    size = len(vector["wire"]) // 2
    if found is not None:
        yield f"decode: {found.path or 'the message'} is {found.actual!r:.80}, not {found.expected!r:.80}"
    elif outcome.consumed not in (None, size):
        yield f"decode: {outcome.consumed} bytes consumed, not {size}"


def _written_otherwise(implementation: Implementation, schema: MessageSchema, vector: dict[str, Any]) -> Iterator[str]:
    """A value that is refused, written as other bytes, or announced with another size."""
    if not implementation.offers("encode", schema):
        return
    wire = vector.get("canonical", vector["wire"])
    for form in _forms(implementation, vector):
        value = from_json(schema, form)
        outcome = implementation.encode(schema, value)
        if outcome.kind in ABSENT:
            continue
        if outcome.kind is not Kind.BYTES or outcome.wire is None:
            yield f"encode: {_shown(outcome)}"
        elif outcome.wire.hex() != wire:
            yield f"encode: {outcome.wire.hex():.{SHOWN}}, not {wire:.{SHOWN}}"
        elif implementation.adapter.size is not None:
            size = implementation.size(schema, value)
            if size != len(wire) // 2:
                yield f"size: {size}, not {len(wire) // 2}"


def _forms(implementation: Implementation, vector: dict[str, Any]) -> Iterator[Any]:
    """The values that are written as the vector's bytes, as far as the implementation can hold them."""
    if implementation.keeps_unknown_tags or not _has_unknown_tags(vector["value"]):
        yield vector["value"]
    if "given" in vector and implementation.takes_absent_fields:
        yield vector["given"]


def _has_unknown_tags(form: Any) -> bool:
    """Whether any struct of a value has unknown tagged fields."""
    if isinstance(form, dict):
        return TAGS in form or any(_has_unknown_tags(each) for each in form.values())
    return isinstance(form, list) and any(_has_unknown_tags(each) for each in form)


def _shown(outcome: Outcome) -> str:
    text = str(outcome)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
