"""The check of a harness by the `records` fields that it writes and reads.

A field of each magic has each attribute in turn, then come values that no field has. What only the forms of the bridge
decide is the harness's mistake: a member in another form, bits in another place, a refused value that is written.
Everything else is a note.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from conformance.codec.bridge.form_probes import Probe
from conformance.codec.bridge.reply_check import failure, judged, merged
from conformance.codec.bridge.transcript import EITHER, Diagnostic, note
from conformance.generate.record_building import batch, message, record, wrapper
from conformance.targets import DECODE, ENCODE, RecordsField, records_difference
from conformance.targets.listed import BATCHES, MESSAGE_SETS, as_chosen, outside, result_for, unencodable_records
from conformance.targets.outcome import ABSENT, REFUSALS, Kind
from reference import CodecError, Result, decode_records, encode_records, judge_records
from reference.records.layouts import BATCH_HEADER, MAGIC_AT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.codec.bridge.reply_check import ProbeReply
    from conformance.targets import Claims
    from conformance.targets.record_claims import RecordsClaims
    from reference import Difference

FIELD: dict[str, Any] = {"batches": [batch(record(key=b"k", headers=[("h", b"")]))], "partial": b""}
"""A field that a broker accepts, too."""

SMALLEST = "the smallest batch"
FORM = "See that each member has the form of the section on records, and that hello names what is not shown"
REFUSE = "Refuse it in the harness: answer rejected, or unrepresentable if the implementation has no place for it"
REFUSE_NULL = "Answer rejected or unrepresentable, unless it is the implementation that takes null for a number"

UNUSED_FROM = {0: 3, 1: 4, 2: 7}
"""The first unused bit of the attributes, by magic."""

UNUSED = "unusedAttributes"
SIGN = 2**8
"""The difference between an int8 without its sign and the number."""

ATTRIBUTES: dict[str, dict[str, Any]] = {
    "a log append time": {"timestampType": "log-append"},
    "the transactional flag": {"transactional": True, "producerId": 7, "producerEpoch": 0, "baseSequence": 0},
    "the delete horizon": {"deleteHorizon": True},
    "the first unused attribute": {UNUSED: 1},
    "every unused attribute": {UNUSED: 2**9 - 1},
}

OF_WORDS = ("batch.codec", "batch.attributes", "produce.no-tail")
"""The rules for words outside of their lists, and for bytes of an incomplete batch."""

REFUSED = (*OF_WORDS, "null.not-written", "number.range")
"""The rules for values in the forms of the bridge that no field has."""


def records_probes(claims: Claims) -> list[Probe]:
    """Return what is asked of a harness with these claims, the smallest batch first."""
    target, fields = RecordsField(), list(_fields())
    probes = [Probe(DECODE, target, what, field, _wire(field)) for what, field in (*fields, _INCOMPLETE)]
    probes += [Probe(ENCODE, target, what, field, _wire(field)) for what, field in fields]
    probes += [Probe(ENCODE, target, what, field, rule=rule) for what, field, rule in _refused_fields()]
    return [each for each in probes if target.is_offered(claims, each.way) and _is_within(claims.records, each)]


def _wire(field: dict[str, Any]) -> bytes:
    return encode_records({**field, "partial": b""}) + bytes(field["partial"])


def _is_within(claims: RecordsClaims, probe: Probe) -> bool:
    [one] = probe.content["batches"]
    group, value = BATCHES if "records" in one else MESSAGE_SETS, None if probe.wire is None else probe.content
    if outside(claims, group, value, writing=probe.way == ENCODE):
        return False
    is_read = probe.wire is not None and probe.way == DECODE
    return not is_read or result_for(claims, judge_records(probe.wire or b"")) is Result.VALID


def _fields() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield fields of one batch or message, each with another attribute."""
    yield SMALLEST, FIELD
    yield from ((what, {**FIELD, "batches": [one]}) for what, one in (*_batches(), *_messages(1), *_messages(0)))


def _batches() -> Iterator[tuple[str, dict[str, Any]]]:
    for what, changes in ATTRIBUTES.items():
        yield f"a batch with {what}", batch(record(key=b"k", value=b"v"), **changes)
    yield "a batch with the control flag", batch(record(key=bytes(4), value=bytes(6)), control=True)
    yield "a batch with negative attributes of a record", batch(record(attributes=-1))
    for codec in ("gzip", "snappy", "lz4", "zstd"):
        yield f"a batch in {codec}", batch(record(key=b"k", value=b"v"), compression=codec)


def _messages(magic: int) -> Iterator[tuple[str, dict[str, Any]]]:
    of = f"of magic {magic}"
    yield f"a message {of}", message(magic=magic, key=b"k")
    if magic:
        yield f"a message {of} with a log append time", message(magic=magic, timestampType="log-append")
    yield f"a message {of} with the first unused attribute", message(magic=magic, **{UNUSED: 1})
    every = 2 ** (8 - UNUSED_FROM[magic]) - 1
    yield f"a message {of} with every unused attribute", message(magic=magic, **{UNUSED: every})
    for codec in ("gzip", "snappy", "lz4"):
        yield f"a wrapper {of} in {codec}", wrapper(message(magic=magic), codec=codec)


_INCOMPLETE: tuple[str, dict[str, Any]] = (
    "a batch with an incomplete one after it",
    {**FIELD, "partial": encode_records(FIELD)[:20]},
)


def _refused_fields() -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield values that are in the forms of the bridge, and must be refused."""
    for value in unencodable_records():
        if value.rule in REFUSED and (value.rule != "number.range" or value.path.endswith(UNUSED)):
            yield f"a value to be refused, {value.name}", value.value, value.rule


def records_diagnostics(claims: Claims, answers: Sequence[ProbeReply]) -> Iterator[Diagnostic]:
    """Yield the mistakes and notes of replies to the probes, the mistakes first."""
    yield from merged(
        judged(answers, absent=_absent, written=partial(_written, claims.records), read=partial(_read, claims))
    )


def _absent(answer: ProbeReply) -> Iterator[Diagnostic]:
    if answer.probe.wire is not None or answer.outcome.kind not in REFUSALS | ABSENT:
        yield from failure(str(answer.probe), answer.outcome)


def _written(claims: RecordsClaims, answer: ProbeReply) -> Iterator[Diagnostic]:
    """Compare the bytes, or what compressed records hold, since each compressor has its own.

    Words of the bridge mean nothing to an implementation; null in a number may reach it.
    """
    probe, written = answer.probe, answer.outcome.wire or b""
    if probe.wire is None:
        is_word = probe.rule in OF_WORDS
        hint = REFUSE if is_word else REFUSE_NULL
        yield Diagnostic(f"{probe}: it is written, as {answer.outcome}", hint, is_note=not is_word)
        return
    [one] = probe.content["batches"]
    chosen = as_chosen(claims, probe.content, written)
    due = _wire(chosen)
    if written == due or (one["compression"] != "none" and _holds(chosen, written)):
        return
    if one[UNUSED] and _attributes(written) == _attributes(due) >> UNUSED_FROM[one["magic"]]:
        yield Diagnostic(f"{probe}: they are written in the lowest bits: {_of_unused(one['magic'])}", FORM)
    else:
        yield note(f"{probe}: the bytes are {due.hex()}, not {answer.outcome}")


def _holds(content: dict[str, Any], written: bytes) -> bool:
    with suppress(CodecError):
        return records_difference(content, decode_records(written)) is None
    return False


def _attributes(wire: bytes) -> int:
    """Return the attributes of a first batch or message, without their sign."""
    if wire[MAGIC_AT : MAGIC_AT + 1] == b"\2":
        at = BATCH_HEADER.at("attributes").start
        return int.from_bytes(wire[at : at + 2])
    return int.from_bytes(wire[MAGIC_AT + 1 : MAGIC_AT + 2])


def _of_unused(magic: int) -> str:
    return f"of magic {magic}, {UNUSED} are the attributes >> {UNUSED_FROM[magic]}"


def _read(claims: Claims, answer: ProbeReply) -> Iterator[Diagnostic]:
    probe, outcome = answer.probe, answer.outcome
    if outcome.kind is not Kind.VALUE:
        yield Diagnostic(f"{probe}: {outcome.text}", FORM)
        return
    target = probe.target
    place = target.difference(claims, target.expected(claims, probe.content), outcome.value)
    if place is not None:
        reason = _form_of(probe, place)
        is_note = not reason and place.actual is not None
        text = f"{probe}: {place.path} is {place.expected!r}, not {place.actual!r}{reason}"
        yield Diagnostic(text, EITHER if is_note else FORM, is_note=is_note)


def _form_of(probe: Probe, place: Difference) -> str:
    if type(place.actual) is not int or type(place.expected) is not int:
        return ""
    magic = probe.content["batches"][0]["magic"]
    if place.path.endswith(UNUSED) and place.actual == place.expected << UNUSED_FROM[magic]:
        return f"; {_of_unused(magic)}"
    if place.path.endswith(".attributes") and place.actual == place.expected + SIGN:
        return "; the attributes of a record are signed"
    return ""
