"""Hostile bytes of a message.

Valid encodings are tampered with in their structure, or mutated anywhere. Structure is the part known to a schema: the
places of lengths, counts, markers, tags and sizes. There is a fixed set of cases for each message, and a random source
of more. The result may be valid, invalid or unspecified: `reference.judge` decides.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from conformance.generate.choices import ByteChoices, pick
from conformance.generate.clean_faults import clean_faults
from conformance.generate.drawn_values import LARGE_BLOCK, sample, value_generator
from conformance.generate.edge_values import Bases
from conformance.generate.mutations import mutate, mutated
from conformance.generate.origin import MUTATED, CaseOrigin, CasePart, ChangedBytes
from conformance.generate.refused_bytes import UNKNOWN_TAG
from conformance.generate.structure import (
    EXPLICIT_DEFAULT,
    Scope,
    explicit_defaults,
    insertions,
    structural_tamperings,
)
from conformance.generate.tampering import mistakable, share_of, tamperings
from reference import Encoded, MessageSchema, encode, encode_with_spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.generate.choices import Choices
    from conformance.generate.structure import Tampering

Value = dict[str, Any]

FEWEST = 100
"""The least number of cases of a message; mutations fill up the cases made from structure."""

MAXIMUM_LEFT_OUT = 100
"""The number of refused sampled values after which the search for mutations ends."""

MAXIMUM_SAMPLED = 100 * FEWEST
"""The number of sampled values to try, far more than needed unless many are refused."""

MAXIMUM_TAMPERINGS = 3
LONGEST = 3_000
"""Bytes of an encoding to mutate. In longer ones most mutations hit the middle of a text."""

MUTATED_ONE_IN = 4
SECTION_ONE_IN = 8


def hostile_cases(
    schema: MessageSchema,
    bases: Bases | None = None,
    adapt: Callable[[Sequence[Value]], Sequence[Value | None]] = lambda values: values,
) -> Iterator[ChangedBytes]:
    """Yield two or three valid encodings, each with every tampering, and mutations.

    No changed bytes occur twice.

    Args:
        schema: the message.
        bases: the base values of the encodings; default: those of `Bases.usual`.
        adapt: returns an adapted value for each sampled one, or None to leave it out. It gets at most the number of
            still missing values at a time.
    """
    seen: set[bytes] = set()
    for case in structural_cases(schema, bases or Bases.usual(schema)):
        if case.wire not in seen:
            seen.add(case.wire)
            yield case
    index = left_out = 0
    while len(seen) < FEWEST and left_out <= MAXIMUM_LEFT_OUT and index < MAXIMUM_SAMPLED:
        # `adapt` may ask an implementation about each value, so it gets no more than the missing number at once.
        count = FEWEST - len(seen)
        for mutant in _mutated_cases(schema, range(index, index + count), adapt):
            left_out += mutant is None
            if mutant is not None and mutant.wire not in seen and left_out <= MAXIMUM_LEFT_OUT:
                seen.add(mutant.wire)
                yield mutant
        index += count
    # The bytes of a base are tried by its name, which the changes of it refer to.
    yield from (case for case in shared_cases(schema, bases) if case.wire not in seen or not case.origin.way)


def shared_cases(schema: MessageSchema, bases: Bases | None = None) -> Iterator[ChangedBytes]:
    """Yield a share of further changes: of numbers that are taken for others, and of a section with an unknown tag."""
    bases = bases or Bases.usual(schema)
    if bases.unknown_tag is not None:
        tagged = encode_with_spans(schema, bases.unknown_tag)
        yield ChangedBytes(CaseOrigin(base=UNKNOWN_TAG), "", tagged.wire)
        every = (each for each in tampered_cases(UNKNOWN_TAG, tagged) if not each.path or not each.origin.rule)
        yield from share_of(schema, every)
    encoded = encode_with_spans(schema, bases.populated)
    for span, way, wire in share_of(schema, mistakable(encoded.wire, encoded.spans)):
        origin = CaseOrigin(way, base="populated", place=str(span.start), rule=span.rule)
        yield ChangedBytes(origin, span.path, wire)


def structural_cases(schema: MessageSchema, bases: Bases) -> Iterator[ChangedBytes]:
    """Yield the bases first, then every tampering.

    If a tampering gives the bytes of a base, they count as the case of the base.
    """
    values = {"minimal": bases.minimal, "populated": bases.populated, "tagged": bases.tagged}
    encodings = {name: encode_with_spans(schema, value) for name, value in values.items() if value is not None}
    yield from (ChangedBytes(CaseOrigin(base=name), "", encoded.wire) for name, encoded in encodings.items())
    yield ChangedBytes(CaseOrigin(base="empty-input"), "", b"")
    yield from explicit_cases(schema)
    for name, encoded in encodings.items():
        yield from tampered_cases(name, encoded)
    for fault in clean_faults(schema, bases.populated):
        # Faults with a known rule are among the invalid bytes of `refused_bytes`.
        if not fault.rule:
            yield fault._replace(origin=fault.origin._replace(base="populated"))


def explicit_cases(schema: MessageSchema) -> Iterator[ChangedBytes]:
    """Yield each tagged field at its default, alone."""
    for path, wire in explicit_defaults(schema):
        yield ChangedBytes(CaseOrigin(EXPLICIT_DEFAULT, base="minimal", place=path), path, wire)


def tampered_cases(base: str, encoded: Encoded) -> Iterator[ChangedBytes]:
    """Yield every tampering with the encoding of a base."""
    return (changed_case(base, tampering) for tampering in structural_tamperings(encoded))


def changed_case(base: str, change: Tampering) -> ChangedBytes:
    """Return the case of a change of a base."""
    span, origin = change.span, CaseOrigin(change.way, base=base)
    if change.scope is Scope.SPAN:
        origin = origin._replace(place=str(change.span_index), rule=change.rule)
    elif change.scope is Scope.CUT:
        origin = CaseOrigin.of_part(CasePart.CUT, change.way)._replace(base=base, place=str(change.span_index))
    elif span is not None and change.scope is Scope.SECTION:
        origin = origin._replace(place=f"section-{span.start}")
    elif span is not None:
        origin = origin._replace(way=f"{change.way}-{span.start}")
    return ChangedBytes(origin, span.path if span is not None else "", change.wire)


def _mutated_cases(
    schema: MessageSchema, indices: Sequence[int], adapt: Callable[[Sequence[Value]], Sequence[Value | None]]
) -> Iterator[ChangedBytes | None]:
    """Yield mutated encodings of sampled values, and None for each value left out."""
    values = adapt([sample(schema, f"hostile/{index}") for index in indices])
    for index, value in zip(indices, values, strict=True):
        if value is None:
            yield None
        else:
            wire = mutated(encode(schema, value)[:LONGEST], f"hostile/{schema}/{index}")
            yield ChangedBytes(CaseOrigin(MUTATED, place=str(index)), "", wire)


def mutated_sample(schema: MessageSchema, value_seed: str, seed: str) -> bytes:
    """Return the encoding of the sample for `value_seed`, with the mutation for `seed`."""
    return mutated(encode(schema, sample(schema, value_seed))[:LONGEST], seed)


@lru_cache(maxsize=1)  # as of `values`
@st.composite
def many_hostile_bytes(
    draw: Callable[[Any], Any], schema: MessageSchema, count: int, mask: Callable[[Value], Value] = lambda value: value
) -> list[bytes]:
    """Return lists of `count` hostile inputs of a message, made from values after applying `mask`."""
    choices, generate = ByteChoices(draw, LARGE_BLOCK), value_generator(schema)
    drawn = (mask(generate(choices)) for _ in range(count))
    return [corrupted(encode_with_spans(schema, value), choices, MUTATED_ONE_IN) for value in drawn]


def corrupted(encoded: Encoded, choices: Choices, mutated_one_in: int) -> bytes:
    """Return a valid encoding, mutated anywhere or tampered with in its structure.

    It is mutated once in `mutated_one_in` times.
    """
    if choices.below(mutated_one_in) == mutated_one_in - 1:
        return mutate(encoded.wire[:LONGEST], choices)
    return tampered(encoded, choices)


def tampered(encoded: Encoded, choices: Choices) -> bytes:
    """Return a valid encoding, tampered with in one to three places of its structure.

    The changes go from the last place to the first, so the offsets of the remaining spans stay right.
    """
    if choices.below(SECTION_ONE_IN) == SECTION_ONE_IN - 1:
        inserted = list(insertions(encoded))
        if inserted:
            return pick(choices, inserted).made(encoded)
    wire, end = encoded.wire, len(encoded.spans)
    for _ in range(1 + choices.below(MAXIMUM_TAMPERINGS)):
        if not end:
            break
        end = choices.below(end)
        span = encoded.spans[end]
        pieces = [piece for _, piece in tamperings(span, encoded.wire[span.start : span.end])]
        if pieces:
            wire = wire[: span.start] + pick(choices, pieces) + wire[span.end :]
    return wire
