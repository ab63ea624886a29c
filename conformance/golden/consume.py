"""Golden vectors, run on an implementation: what a consumer in any language does, here for adapters.

A vector says by itself what is expected. Valid: its wire is read as its value, and the value is written as `canonical`
or else as its wire. Invalid: it is refused. Unspecified: it does no harm. Nothing of the suite's checks takes part.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.golden.parts import FRAME, Part
from conformance.golden.subjects import Subject, subject_of
from conformance.golden.text import VECTORS
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from reference import TAGS, Result, load_release

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.bridge.isolation import IsolatedDecoder
    from conformance.implementation.driver import Implementation

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
    """Of what the implementation does not have, or values that it cannot hold."""
    accepted: Counter[tuple[str, bool]] = field(default_factory=Counter)
    """What the implementation makes of unspecified bytes: (flag, whether it reads them)."""
    failures: list[Failure] = field(default_factory=list)


def run_part(implementation: Implementation, decoder: IsolatedDecoder | None, part: Part, tried: Tried) -> None:
    """Run one group of vectors, and put what is found into `tried`.

    Args:
        implementation: what reads and writes.
        decoder: where it reads whatever is not valid; None: in this process.
        part: the vectors.
        tried: what was tried so far.
    """
    subject, vectors = subject_of(implementation, part), part.group[VECTORS]
    for vector, outcome in zip(vectors, _reads(subject, decoder, vectors), strict=True):
        tried.counts[vector["result"]] += 1
        problems = list(_problems(implementation, subject, vector, outcome, tried))
        if problems:
            tried.failures.append(Failure(f"{part.prefix}/{vector['id']}", tuple(vector["flags"]), "; ".join(problems)))
    if part.kind == FRAME:
        tried.failures.extend(_other_header(implementation, part))


def _other_header(implementation: Implementation, part: Part) -> Iterator[Failure]:
    """Another version of the header than the group's."""
    if implementation.adapter.header_version is None:
        return
    schema = load_release(part.release).schema(part.message, part.version)
    actual, expected = implementation.header_version(schema.api_key or 0, part.version, schema.kind), part.group[HEADER]
    if actual != expected and not (isinstance(actual, Outcome) and actual.kind in ABSENT):
        yield Failure(part.prefix, ("HeaderVersion",), f"header version {actual}, not {expected}")


HEADER = "headerVersion"


def _reads(subject: Subject, decoder: IsolatedDecoder | None, vectors: list[dict[str, Any]]) -> list[Outcome]:
    """What becomes of each wire: what is not valid is read in the child, if there is one."""
    if not subject.is_read:
        return [_NOT_ASKED] * len(vectors)
    wires = [bytes.fromhex(each["wire"]) for each in vectors]
    if decoder is None:
        return [subject.read(wire) for wire in wires]
    hostile = [index for index, each in enumerate(vectors) if each["result"] != Result.VALID]
    answers = decoder.decode_many([(subject.target, wires[index]) for index in hostile])
    outcomes = dict(zip(hostile, answers, strict=True))
    return [outcomes.get(index) or subject.read(wire) for index, wire in enumerate(wires)]


_NOT_ASKED = Outcome(Kind.UNSUPPORTED)


def _problems(
    implementation: Implementation, subject: Subject, vector: dict[str, Any], outcome: Outcome, tried: Tried
) -> Iterator[str]:
    """What is wrong about one vector, in both directions."""
    if vector["result"] == Result.VALID:
        yield from _written_otherwise(implementation, subject, vector)
    if outcome.kind in ABSENT:
        tried.not_tried += 1
    elif outcome.kind in FATAL:
        yield f"decode: {_shown(outcome)}"
    elif vector["result"] == Result.VALID:
        yield from _read_otherwise(subject, vector, outcome)
    elif vector["result"] == Result.UNSPECIFIED:
        tried.accepted[vector["flags"][-1], outcome.kind is Kind.VALUE] += 1
    elif outcome.kind not in REFUSALS:
        yield f"decode: accepted, though {vector['reason']} at offset {vector['offset']}"


def _read_otherwise(subject: Subject, vector: dict[str, Any], outcome: Outcome) -> Iterator[str]:
    """Sound bytes that are refused, or read as something else."""
    if outcome.kind is not Kind.VALUE:
        yield f"decode: {_shown(outcome)}"
        return
    found, size = subject.other(vector["value"], outcome), len(vector["wire"]) // 2
    consumed = subject.consumed(outcome)
    if found is not None:
        yield f"decode: {found}"
    elif consumed not in (None, size):
        yield f"decode: {consumed} bytes consumed, not {size}"


def _written_otherwise(implementation: Implementation, subject: Subject, vector: dict[str, Any]) -> Iterator[str]:
    """A value that is refused, written as other bytes, or announced with another size."""
    wire = vector.get("canonical", vector["wire"])
    for form in _forms(implementation, vector):
        outcome = subject.write(form)
        if outcome.kind in ABSENT:
            continue
        if outcome.kind is not Kind.BYTES or outcome.wire is None:
            yield f"encode: {_shown(outcome)}"
        elif outcome.wire.hex() != wire:
            yield f"encode: {outcome.wire.hex():.{SHOWN}}, not {wire:.{SHOWN}}"
        elif subject.size(form) not in (None, len(wire) // 2):
            yield f"size: {subject.size(form)}, not {len(wire) // 2}"


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
