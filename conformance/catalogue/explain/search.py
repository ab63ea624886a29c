"""Examples that are searched for: the smallest bytes that depart from a rule, among those that the suite tries.

What a reader must not take, or may not be able to, is found by the oracle's verdict; what a writer must not write, by
what the suite blames it on.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from conformance.blame.bodies import adapted, blame_bytes
from conformance.blame.fault_models import hypotheses
from conformance.catalogue.explain.example import Base, Worked, base_of, first_difference, right, wrong
from conformance.catalogue.rules import catalogue
from conformance.generate.cases import edge_cases
from conformance.generate.hostile import HostileCase, hostile_cases
from conformance.generate.invalid_bytes import BrokenCase, broken_cases
from conformance.implementation.driver import without_tags
from reference import Malformed, MessageSchema, Unencodable, encode, judge, load_release, newest_release
from reference.definitions.model import RELEASED
from reference.wire.varints import CONTINUES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import Span

PAIRS = (
    ("FindCoordinatorRequest", 0),
    ("HeartbeatRequest", 4),
    ("MetadataRequest", 1),
    ("MetadataRequest", 9),
    ("SaslAuthenticateRequest", 0),
    ("SaslAuthenticateRequest", 2),
    ("DescribeClusterRequest", 0),
    ("ClearElrRecord", 0),
    ("AbortTransactionRecord", 0),
    ("DeleteTopicsRequest", 4),
    ("DescribeTopicPartitionsRequest", 0),
    ("InitProducerIdRequest", 2),
    ("GetTelemetrySubscriptionsRequest", 0),
    ("BeginQuorumEpochResponse", 1),
    ("ClientQuotaRecord", 0),
    ("ConsumerGroupMemberMetadataValue", 0),
    ("BrokerRegistrationChangeRecord", 0),
    ("ApiVersionsResponse", 3),
    ("ProduceRequest", 8),
    ("ProduceRequest", 9),
    ("FetchRequest", 12),
)
"""Small messages that together have every kind of field; few enough to be searched while somebody waits."""

LONGEST = 80


def schemas(protocol: str = RELEASED) -> Iterator[MessageSchema]:
    """What is searched: of the released protocol some messages, of a proposal all that it has."""
    if protocol != RELEASED:
        yield from load_release(protocol).schemas()
        return
    release = load_release(newest_release())
    for message, version in PAIRS:
        yield release.schema(message, version)


def protocol_of(rule: str) -> str:
    """Of which protocol it is a rule."""
    known = catalogue().get(rule)
    return RELEASED if known is None else known.dialect


@cache
def bases(protocol: str = RELEASED) -> tuple[Base, ...]:
    """Short sound values of all those messages, no two of the same form; the shortest first."""
    found: dict[tuple[object, ...], Base] = {}
    for schema in schemas(protocol):
        for variation in edge_cases(schema):
            wire = encode(schema, variation.value)
            if len(wire) <= LONGEST:
                base = base_of(schema, variation.value, variation.name)
                found.setdefault((schema, *(_form(span, wire) for span in base.encoded.spans)), base)
    return tuple(sorted(found.values(), key=lambda base: (len(base.wire), base.name != "minimal")))


def _form(span: Span, wire: bytes) -> tuple[str, str, int, bool]:
    """What two values may have in common; whether the bytes can be turned round without a change is told apart."""
    piece = wire[span.start : span.end]
    return span.rule, span.role, len(piece), piece == piece[::-1]


class Case(NamedTuple):
    """Bytes that the suite tries, and of which message."""

    schema: MessageSchema
    name: str
    wire: bytes


@cache
def cases(protocol: str = RELEASED) -> tuple[Case, ...]:
    """Everything that may be invalid or left open, the shortest first."""
    found = [Case(schema, case.name, case.wire) for schema in schemas(protocol) for case in _tried(schema)]
    return tuple(sorted((case for case in found if len(case.wire) <= LONGEST), key=lambda case: len(case.wire)))


def _tried(schema: MessageSchema) -> Iterator[HostileCase | BrokenCase]:
    yield from broken_cases(schema)
    yield from hostile_cases(schema)


def judged(rule: str) -> Worked | None:
    """The shortest bytes that depart from this rule alone, and the sound ones that they are nearest to."""
    for case in cases(protocol_of(rule)):
        if judge(case.schema, case.wire).rules == (rule,):
            base = _nearest(case.schema, case.wire)
            at = first_difference(base.wire, case.wire)
            return Worked(right(base, rule, at=at), wrong(base, case.wire, case.name.rpartition("/")[2]))
    return None


def _nearest(schema: MessageSchema, wire: bytes) -> Base:
    """The base that has most of its bytes, at the beginning and at the end, in common with `wire`."""

    def common(base: Base) -> tuple[int, int]:
        ends = first_difference(base.wire, wire) + first_difference(base.wire[::-1], wire[::-1])
        return min(ends, len(base.wire), len(wire)), -abs(len(base.wire) - len(wire))

    return max((base for base in bases(schema.dialect) if base.schema == schema), key=common)


def blamed(rule: str) -> Worked | None:
    """The smallest value for which other bytes than the canonical ones are blamed on this rule; and such bytes."""
    for base in bases(protocol_of(rule)):
        for what, wire in _wrong_bytes(rule, base):
            if wire != base.wire and blame_bytes(base.schema, base.value, base.wire, wire).rule == rule:
                return Worked(right(base, rule), wrong(base, wire, what))
    return None


def _wrong_bytes(rule: str, base: Base) -> Iterator[tuple[str, bytes]]:
    """What writers might write instead that break just this rule."""
    wire = base.wire
    for span in base.encoded.spans:
        if span.end > span.start and (span.rule == rule or (rule == "varint.shortest" and span.form == "varint")):
            for what, other in _other_pieces(wire[span.start : span.end], span.role):
                yield what, wire[: span.start] + other + wire[span.end :]
    if rule in CODECS:
        yield from _other_codecs(rule, base)
    if rule == "message.nothing-else":
        yield "one byte more", wire + b"\0"
    if rule == "tag.unknown-kept":
        yield "without unknown tags", encode(base.schema, without_tags(base.value))
    if rule == "tag.non-default-written":
        for field in base.schema.fields:
            if field.tag is not None:
                yield f"{field.name} left out", encode(base.schema, {**base.value, field.name: field.default})


def _other_pieces(piece: bytes, role: str) -> Iterator[tuple[str, bytes]]:
    if role in {"number", "payload"} and len(piece) > 1:
        yield "bytes in reverse", piece[::-1]
    elif role != "payload":
        yield "zero", bytes(len(piece))
        yield "one more", piece[:-1] + bytes([(piece[-1] + 1) % 256])
        yield "one byte longer", piece[:-1] + bytes([piece[-1] | CONTINUES, 0])
        yield "left out", b""


CODECS = {
    "default.value": "default.value",
    "struct.field-order": "struct.field-order",
    "tag.default-omitted": "default.value",
    "version.field-presence": "version.field-presence",
    "version.flexible": "version.flexible",
}
"""Rules that no single span stands for, and what a codec is wrong about that breaks them."""


def _other_codecs(rule: str, base: Base) -> Iterator[tuple[str, bytes]]:
    """What codecs write that are wrong about this rule."""
    for hypothesis in hypotheses(base.schema):
        if hypothesis.rule == CODECS[rule]:
            try:
                what = (
                    f"from a codec that is wrong about {hypothesis.path}" if hypothesis.path else "from another codec"
                )
                yield what, hypothesis.wire_type.write(adapted(hypothesis.schema, base.value))
            except (Unencodable, Malformed):
                continue


def accepted(rule: str) -> Worked | None:
    """Bytes that are valid and yet show the rule: no writer makes them, and every reader takes them."""
    found = judged(rule)
    if found is None or found.wrong is None:
        return None
    return Worked(found.wrong)
