"""Signs of a wrong mapping in a harness, seen in several messages together.

The implementation itself could make the same mistake, so each sign is a note. The signs come first: until the mapping
is fixed, most findings of a run are about the harness.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

from conformance.adapter import DIRECTIONS
from conformance.codec.bridge.form_probes import DISTINCT, Probe, whole_probes
from conformance.codec.bridge.json_forms import form_problems, value_differences
from conformance.codec.bridge.json_forms import shown as form_shown
from conformance.codec.bridge.reply_check import collected, failure, invalid, ranges
from conformance.codec.bridge.request_server import reply_to
from conformance.codec.bridge.transcript import Diagnostic, note
from conformance.codec.corrections import HOW_TO_COUNT, Fault, always_off
from conformance.targets import DECODE, ENCODE, Ask, Body
from conformance.targets.hidden import NOTHING_HIDDEN, HiddenFields
from conformance.targets.outcome import REFUSALS, Kind
from reference import CodecError, MessageSchema, NotJsonForm, UnknownMessage, decode, minimal, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.codec.bridge.protocol import Message
    from conformance.codec.session import Session
    from reference import Release

CUT = 5
"""The number of messages whose bytes are sent without the last one."""

LONGER = 3
"""The number of inputs that are sent once more with a further byte at the end."""

REPEATED = 60
"""The number of pairs with values written and read in turn."""

NEIGHBOURS = 8
"""The number of values sent in the form of another version."""

FEW = 2
"""The minimum number of messages and versions with the same mistake."""

REFUSED = "Answer rejected where the implementation refused: what it had read before is no value"

OF_VERSIONS = re.compile(r"version|not supported|unsupported|not implemented", re.IGNORECASE)
"""Words of a refusal of a version that an implementation does not have."""

Answer = tuple[Probe, "Message"]

_sign = partial(note, is_of_mapping=True)


def sure_signs(session: Session, schemas: Sequence[MessageSchema]) -> Iterator[Fault]:
    """Yield the mistakes of an adapter that no codec makes in every message, such as a wrong version or count."""
    ask, probes = partial(_replies, session), list[Probe]()
    for way in DIRECTIONS:
        probes += whole_probes([each for each in schemas if session.offers(Body(each), way)], way)
    answers = list(zip(probes, ask([probe.request for probe in probes]), strict=True))
    check = MappingCheck(session.release, answers, ask)
    for kind, signs in (("count", check.counts), ("mapping", check.other_versions)):
        for sign in signs():
            side = ENCODE if sign.problem.startswith(ENCODE) else DECODE
            yield Fault(kind, f"{sign.problem}; {sign.hint[:1].lower()}{sign.hint[1:]}", side)


def _replies(session: Session, requests: Sequence[Message]) -> list[Message]:
    # the bytes may be invalid, since some are of another version
    asks = [_ask_of(session.release, request) for request in requests]
    read = iter(session.read_together([each for each in asks if each.isolated]))
    outcomes = [next(read) if each.isolated else session.ask(each) for each in asks]
    return [reply_to(each, outcome) for each, outcome in zip(asks, outcomes, strict=True)]


def _ask_of(release: Release, request: Message) -> Ask:
    target = Body(release.schema(request["message"], request["version"]))
    if request["op"] == ENCODE:
        return Ask(ENCODE, target, target.from_json(request["value"]))
    return Ask(DECODE, target, bytes.fromhex(request["wire"]), isolated=True)


@dataclass(frozen=True)
class MappingCheck:
    """The answers of a harness to the probes, and a function for further requests."""

    release: Release
    answers: Sequence[Answer]
    ask: Callable[[list[Message]], list[Message]]
    hidden: HiddenFields = NOTHING_HIDDEN

    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield each sign, those of several messages first, or raise HarnessError if there is no new start."""
        yield from self._refusals_as_values()
        yield from self.counts()
        yield from self._kept()
        yield from self.other_versions()
        yield from self._in_front()
        yield from self._refused()
        yield from self._never_written()

    def _whole(self, operation: str) -> list[Answer]:
        return [(probe, reply) for probe, reply in self.answers if probe.operation == operation and not probe.path]

    def _refusals_as_values(self) -> Iterator[Diagnostic]:
        """Yield the mistakes in values of bytes that are cut short, which a library refuses."""
        probes = [probe for probe, reply in self._distinct("decode") if probe.wire and _has_value(reply)]
        requests = [{**probe.request, "wire": probe.hex[:-2]} for probe in probes[:CUT]]
        replies = self.ask(requests)
        for probe, request, reply in zip(probes, requests, replies, strict=False):
            yield from islice(self._judged_cut(probe, request, reply), 1)
        taken = [form_shown(reply["value"]) for reply in replies if _has_value(reply)]
        if taken and len(taken) == len(requests):
            count = f"in {len(taken)} of {len(taken)} messages, as {taken[0]}"
            yield _sign(f"bytes without their last one are read, {count}", REFUSED)

    def _judged_cut(self, probe: Probe, request: Message, reply: Message) -> Iterator[Diagnostic]:
        asked = f"decode of {probe.schema}, bytes cut short"
        yield from invalid(asked, request, reply)
        if reply["outcome"] == Kind.HARNESS_ERROR:
            yield from failure(asked, reply)
        elif _has_value(reply):
            of_wire = f"in {form_shown(reply['value'])} of {request['wire'] or 'no bytes'}"
            for problem in form_problems(probe.schema, reply["value"], self.hidden.paths(probe.schema)):
                yield Diagnostic(f"{asked}: {problem}, {of_wire}", REFUSED)

    def counts(self) -> Iterator[Diagnostic]:
        """Yield the sign of a `consumed` with the same mistake in every reply."""
        counts = [(probe, reply["consumed"]) for probe, reply in self._whole("decode") if _is_count(reply)]
        requests = [{**probe.request, "wire": f"{probe.hex}00"} for probe, _ in counts[:LONGER]]
        longer = [
            len(request["wire"]) // 2 == reply["consumed"]
            for request, reply in zip(requests, self.ask(requests), strict=True)
            if _is_count(reply)
        ]
        off = {consumed - len(probe.wire or b"") for probe, consumed in counts}
        if longer and off == {0} and all(longer):
            yield _sign(
                f"consumed is always the length of the input, with a byte more behind {len(longer)} messages as well",
                "Answer how many bytes the implementation says that it read; null, if it does not say",
            )
        elif len({len(probe.hex) for probe, _ in counts}) > 1 and len(off) == 1 and off != {0}:
            yield _sign(always_off(off.pop(), len(counts)), HOW_TO_COUNT[:1].upper() + HOW_TO_COUNT[1:])

    def _kept(self) -> Iterator[Diagnostic]:
        """Yield the sign of fields with the content of the value before."""
        for operation in DIRECTIONS:
            whole = [probe for probe, _ in self._whole(operation)]
            pairs = [(small, large) for small, large in pairwise(whole) if small.schema == large.schema][:REPEATED]
            replies = self.ask([probe.request for small, large in pairs for probe in (large, small)])
            kept = [
                (small, name)
                for (small, large), reply in zip(pairs, replies[1::2], strict=True)
                for name in _kept_fields(small, large, _value_of(small, reply))
            ]
            if kept:
                probe, name = kept[0]
                yield _sign(
                    f"{probe}: {name} has what it had in the value before, in {len(kept)} fields in all",
                    "Make a new object for each request; if that is so already, it is the implementation",
                )

    def other_versions(self) -> Iterator[Diagnostic]:
        """Yield the signs of values written or read in the form of the previous or next version."""
        hint = "See that the version of the request is the one that the implementation is called with"
        for step in (1, -1):
            words = f"version {'+' if step > 0 else '-'} 1"
            answers = self._distinct("encode")
            written = [probe for probe, reply in answers if reply.get("wire") != probe.hex]
            matching = [probe for probe, reply in answers if self._is_written_as(probe, reply, step)]
            if self._are_many(matching, "encode", written, step) and 2 * len(matching) >= len(written):
                count = f"{len(matching)} of {len(written)} values that differ, as {matching[0].schema}"
                yield _sign(f"encode writes the form of {words}, in {count}", hint)
            misread = [probe for probe, reply in self._distinct("decode") if _is_misread(probe, reply)]
            matching = self._read_as(misread, step)
            if self._are_many(matching, "decode", misread, step):
                place = f"in place of the one that is asked for, as {matching[0].schema}"
                yield _sign(f"decode reads the form of {words} {place}", hint)

    def _are_many(self, matching: Sequence[Probe], operation: str, wrong: Sequence[Probe], step: int) -> bool:
        """Return whether more values match a neighbouring version than are right with another form in it."""
        right = [probe.schema for probe, _ in self._distinct(operation) if probe not in wrong]
        count = sum(
            (other.fields, other.flexible) != (schema.fields, schema.flexible)
            for schema in right
            for other in self._neighbours(schema, step)
        )
        return len(matching) >= max(FEW, count + 1)

    def _distinct(self, operation: str) -> list[Answer]:
        return [(probe, reply) for probe, reply in self._whole(operation) if probe.what == DISTINCT]

    def _is_written_as(self, probe: Probe, reply: Message, step: int) -> bool:
        """Whether wrong bytes are those of the value in another version."""
        if reply["outcome"] != Kind.BYTES or reply["wire"] == probe.hex:
            return False
        others = self._neighbours(probe.schema, step)
        values = (value_read(schema, reply["wire"], is_whole=True) for schema in others)
        return any(value is not None and _are_equal(probe.schema, probe.form, value) for value in values)

    def _read_as(self, probes: Sequence[Probe], step: int) -> list[Probe]:
        """Return the probes for which the bytes of another version are read correctly."""
        tried = [
            (probe, other)
            for probe in probes[:NEIGHBOURS]
            for other in whole_probes(self._neighbours(probe.schema, step), "decode")
            if other.what == DISTINCT and other.hex != probe.hex
        ]
        replies = self.ask([{**probe.request, "wire": other.hex} for probe, other in tried])
        return [
            probe
            for (probe, other), reply in zip(tried, replies, strict=True)
            if isinstance(reply.get("value"), dict) and _are_equal(probe.schema, other.form, reply["value"])
        ]

    def _neighbours(self, schema: MessageSchema, step: int) -> list[MessageSchema]:
        with suppress(UnknownMessage):
            return [self.release.schema(schema.message, schema.version + step)]
        return []

    def _in_front(self) -> Iterator[Diagnostic]:
        """Yield the sign of an equal number of bytes before every body."""
        written = [(probe, reply["wire"]) for probe, reply in self._whole("encode") if "wire" in reply and probe.wire]
        fronts = [(probe, wire.removesuffix(probe.hex)) for probe, wire in written if wire.endswith(probe.hex)]
        by_size = collected((len(front), (probe, front)) for probe, front in fronts if front)
        size, those = max(by_size.items(), key=lambda item: len(item[1]), default=(0, []))
        if len(those) >= FEW and 2 * len(those) > len(written):
            probe, front = those[0]
            yield _sign(
                f"encode writes {size // 2} bytes in front of the body, as {front} in {probe.schema}: "
                f"in {len(those)} of {len(written)} values",
                '"wire" is a body alone, without size and header',
            )

    def _refused(self) -> Iterator[Diagnostic]:
        """Yield the sign of a message, or of versions that the refusal speaks of, without one accepted value."""
        valid = [(probe, reply) for probe, reply in self.answers if probe.wire is not None and not probe.is_text]
        replies = collected(((probe.operation, probe.schema), reply) for probe, reply in valid)
        by_message = collected(
            ((operation, schema.message), (schema.version, those)) for (operation, schema), those in replies.items()
        )
        for (operation, message), versions in by_message.items():
            refused = {
                version: those for version, those in versions if all(reply["outcome"] in REFUSALS for reply in those)
            }
            reason = next((f"{those[0].get('class')}: {those[0].get('text')}" for those in refused.values()), "")
            if len(refused) == len(versions):
                count = sum(map(len, refused.values()))
                problem = f"{operation} of {message} refuses every value, {count} of {count}, as with {reason}"
                hint = "Answer harness-error where your own code refused; an implementation may want a header in front"
                yield _sign(problem, hint)
            elif refused and OF_VERSIONS.search(reason):
                problem = f"{operation} of {message} v{ranges(refused)} refuses every value, as with {reason}"
                yield _sign(problem, f'Leave {message} v{ranges(refused)} out of "supports"')

    def _never_written(self) -> Iterator[Diagnostic]:
        """Yield the sign of fields that are always written as in the smallest value."""
        values = [(probe, _value_of(probe, reply)) for probe, reply in self._distinct("encode")]
        are_lost = ((probe.schema.message, _lost(probe, value)) for probe, value in values if isinstance(value, dict))
        for message, lost_fields in collected(are_lost).items():
            for name in sorted(set.intersection(*lost_fields) if len(lost_fields) >= FEW else ()):
                yield _sign(
                    f"encode of {message} writes {name} as if it had not been set, in {len(lost_fields)} versions",
                    "See that the field is looked up under its name in the definition",
                )


def _has_value(reply: Message) -> bool:
    return reply["outcome"] == Kind.VALUE and "value" in reply


def _is_count(reply: Message) -> bool:
    return reply["outcome"] == Kind.VALUE and type(reply.get("consumed")) is int


def value_read(schema: MessageSchema, wire: str, *, is_whole: bool = False) -> Message | None:
    """Return the form of the value of some bytes in hex, to the last one with `is_whole`, or None if they have none."""
    with suppress(CodecError, NotJsonForm, ValueError):
        read = decode(schema, bytes.fromhex(wire))
        if not is_whole or 2 * read.consumed == len(wire):
            return to_json(schema, read.value)
    return None


def _value_of(probe: Probe, reply: Message) -> Any:
    return value_read(probe.schema, reply["wire"]) if reply["outcome"] == Kind.BYTES else reply.get("value")


def _kept_fields(small: Probe, large: Probe, value: Any) -> list[str]:
    """Return the fields with the content of the previous probe's value in place of their own."""
    if not isinstance(value, dict):
        return []
    differ = [name for name, content in large.form.items() if content != small.form.get(name)]
    return [name for name in differ if not isinstance(large.form[name], bool) and value.get(name) == large.form[name]]


def _lost(probe: Probe, value: Message) -> set[str]:
    small = to_json(probe.schema, minimal(probe.schema))
    return {name for name, item in probe.form.items() if item != small.get(name) == value.get(name)}


def _is_misread(probe: Probe, reply: Message) -> bool:
    if reply["outcome"] in REFUSALS:
        return True
    value = reply.get("value")
    return isinstance(value, dict) and not _are_equal(probe.schema, probe.form, value)


def _are_equal(schema: MessageSchema, one: Message, other: Any) -> bool:
    return not any(value_differences(schema, one, other))
