"""The check of a harness by the values that it writes and reads.

A mistake of form is the harness's for certain, however wrong the implementation is: a reply in another form than its
type's, a missing field, an outcome that blames the harness's own code, an ending that the harness could have
prevented. Different values or bytes and refusals may come from the implementation: they are notes, for the suite to
judge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from conformance.adapter import DIRECTIONS
from conformance.codec.bridge.child_client import Client, Policy
from conformance.codec.bridge.form_probes import AFTER, BEFORE, Probe, form_probes, whole_probes, wrong_forms
from conformance.codec.bridge.harness_errors import HarnessError
from conformance.codec.bridge.json_forms import difference_texts, form_problems, names_in, value_differences
from conformance.codec.bridge.json_forms import shown as form_shown
from conformance.codec.bridge.mapping_check import MappingCheck, value_read
from conformance.codec.bridge.protocol import PROTOCOL_ERROR, UNSUPPORTED, Message
from conformance.codec.bridge.reply_check import (
    BY_WHOM,
    CONTENT,
    IF_NOT_ITS_OWN,
    collected,
    counted,
    failure,
    is_of_the_language,
    judged,
    last_words,
    merged,
    ranges,
    reason_of,
)
from conformance.codec.bridge.transcript import EITHER, Diagnostic, note, shortened
from conformance.targets.hidden import HiddenFields
from conformance.targets.outcome import REFUSALS, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from conformance.codec.bridge.transport import JsonLinesProcess
    from reference import MessageSchema, Release

MANY_DIFFERENT = 4
"""The number of different values from which on their share means something."""

SHOWN_AS_NULL = "A nil slice or list that is shown as null? Show []"

CONVERT_NOTHING = f"Convert nothing silently: answer {PROTOCOL_ERROR} or {Kind.HARNESS_ERROR}"

NO_ANSWERS = frozenset((Kind.NOT_RUN, Kind.CRASHED, Kind.TIMED_OUT, PROTOCOL_ERROR))

MANY_ENDINGS = 10
"""The number of endings of the harness from which on they are a mistake of their own."""


@dataclass(frozen=True)
class ValueCheck:
    """The answers of a harness to all probes."""

    hello: Message
    answers: Sequence[tuple[Probe, Message]]
    gave_up: str
    """Why the rest was not tried; empty if everything was."""
    signs: Sequence[Diagnostic] = ()

    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield mistakes of form, then signs of a wrong mapping, then notes. Equal notes are grouped."""
        found = list(judged(self.answers, absent=_absent, written=_written, read=self._read))
        mistakes = [(probe, diagnostic) for probe, diagnostic in found if not diagnostic.is_note]
        notes = [(probe, diagnostic) for probe, diagnostic in found if diagnostic.is_note]
        yield from self._unsupported()
        yield from merged(mistakes)
        yield from self.signs
        yield from self._mostly_different({id(probe) for probe, _ in notes})
        yield from grouped(notes)
        if self.gave_up:
            hint = "Answer every request; catch what your own code and the implementation raise"
            yield Diagnostic(self.gave_up, hint, is_note=not mistakes)

    def _unsupported(self) -> Iterator[Diagnostic]:
        outcomes = collected(((probe.operation, probe.schema), reply["outcome"]) for probe, reply in self.answers)
        lacking = collected(
            ((operation, schema.message), schema.version)
            for (operation, schema), kinds in outcomes.items()
            if {*kinds} == {UNSUPPORTED}
        )
        for (operation, message), versions in lacking.items():
            problem = f"{operation} of {message} v{ranges(versions)}: every value is unsupported, though hello lists it"
            yield Diagnostic(problem, f'Leave {message} v{ranges(versions)} out of "supports"')

    def _mostly_different(self, noted: set[int]) -> Iterator[Diagnostic]:
        for operation in DIRECTIONS:
            whole = [probe for probe, _ in self.answers if not probe.path and probe.operation == operation]
            count = sum(id(probe) in noted for probe in whole)
            if count >= MANY_DIFFERENT and 2 * count > len(whole):
                problem = f"{operation}: {count} of {len(whole)} whole values are refused, or come out otherwise"
                hint = "Most often it is the mapping: look at the notes below, and fix it before a run"
                yield note(problem, hint, is_of_mapping=True)

    def _read(self, probe: Probe, reply: Message) -> Iterator[Diagnostic]:
        form, of_wire = reply["value"], shortened(probe.hex or "no bytes")
        hidden = HiddenFields.of(self.hello.get("hidden", {})).paths(probe.schema)
        problems = list(form_problems(probe.schema, form, hidden))
        for problem in problems:
            hint = f"See the table under Values in docs/reference/bridge.md; the reply was to {of_wire}"
            yield Diagnostic(f"{probe}: {problem}", hint)
        if problems or probe.is_text:
            return
        differences = [
            difference
            for difference in value_differences(probe.schema, probe.form, form)
            if not any(names_in(difference.path)[: len(path)] == path for path in hidden)
            and not self._is_represented(difference.expected, difference.actual)
        ]
        for text in difference_texts(differences):
            hint = f"{SHOWN_AS_NULL}. {EITHER}" if text.endswith("is [], got null") else EITHER
            yield note(f"{probe}: {text}, of {of_wire}", hint)

    def _is_represented(self, expected: Any, actual: Any) -> bool:
        words = frozenset(self.hello.get("representations", ()))
        return (
            ("null-array-as-empty" in words and expected in (None, []) and actual in (None, []))
            or ("zero-uuid-as-null" in words and expected == str(UUID(int=0)) and actual is None)
            or ("absent-struct-as-null" in words and isinstance(expected, dict) and actual is None)
        )


def check_values(start: Callable[[], JsonLinesProcess], release: Release, seconds: float, hello: Message) -> ValueCheck:
    """Return the answers of a harness to every probe within its support, with at most so many seconds for one reply.

    The function `start` says hello as well.
    """
    answers: list[tuple[Probe, Message]] = []
    client = Client(lambda _: start(), Policy.BATCHED, deadline=seconds)
    with client:
        for probes in _probes(release, hello):
            kinds = [probe.what if probe.path else "" for probe in probes]  # a form that ends it is not tried again
            try:
                replies = client.ask_many([probe.request for probe in probes], kinds)
            except HarnessError as error:
                return ValueCheck(hello, answers, f"it does not start again: {last_words(error)}")
            answers += zip(probes, replies, strict=True)
            if probes and all(reply["outcome"] in NO_ANSWERS for reply in replies):
                break
        signs = _signs(release, hello, answers, client) if client.restarts < MANY_ENDINGS else []
    return ValueCheck(hello, answers, _untried(client, answers), signs)


def _signs(
    release: Release, hello: Message, answers: Sequence[tuple[Probe, Message]], client: Client
) -> list[Diagnostic]:
    written = [schema for schema in release.schemas() if is_offered(hello, "encode", schema)]
    hidden = HiddenFields.of(hello.get("hidden", {}))
    try:
        converted = list(_converted(client, written))
        return [*converted, *MappingCheck(release, answers, client.ask_many, hidden).diagnostics()]
    except HarnessError:
        return []


def _converted(client: Client, schemas: Sequence[MessageSchema]) -> Iterator[Diagnostic]:
    """Yield notes on written values of another type. Who converts them may convert what a library gives as well."""
    asked = list(wrong_forms(schemas))
    replies = client.ask_many([each.request for each in asked])
    yield from merged(
        (each, note(f"{each} is written, as {reply.get('wire')}", CONVERT_NOTHING))
        for each, reply in zip(asked, replies, strict=True)
        if reply["outcome"] == Kind.BYTES
    )


def _untried(client: Client, answers: Sequence[tuple[Probe, Message]]) -> str:
    count = sum(reply["outcome"] == Kind.NOT_RUN for _, reply in answers)
    if client.restarts < MANY_ENDINGS or not count:
        return ""
    return f"it has ended {client.restarts} times, so the rest is not tried, {count} requests"


def _probes(release: Release, hello: Message) -> Iterator[list[Probe]]:
    offered = {way: [each for each in release.schemas() if is_offered(hello, way, each)] for way in DIRECTIONS}
    keeps_tags = "unknown-tags" in hello["capabilities"]
    yield from (list(form_probes(schemas, way, keeps_tags=keeps_tags)) for way, schemas in offered.items())
    yield from (list(whole_probes(schemas, way)) for way, schemas in offered.items())


def is_offered(hello: Message, direction: str, schema: MessageSchema) -> bool:
    """Whether a harness declares support for a message at a version."""
    return schema.version in hello["supports"][direction].get(schema.message, ())


def _written(probe: Probe, reply: Message) -> Iterator[Diagnostic]:
    wire = bytes.fromhex(reply["wire"])
    if probe.wire is None:
        return  # an invalid null was written: the suite judges that
    if probe.is_text:
        if BEFORE.encode() not in wire or AFTER.encode() not in wire:
            hint = "Make a string of its hex: of UTF-16 units, or of bytes; what no string can hold is unrepresentable"
            yield Diagnostic(f"{probe}: the form is not understood: the bytes are {shortened(wire.hex())}", hint)
    elif wire != probe.wire:
        written = value_read(probe.schema, reply["wire"])
        places = [] if written is None else [*value_differences(probe.schema, probe.form, written)]
        texts = [f"{text}, in {wire.hex()} in place of {probe.hex}" for text in difference_texts(places)]
        for text in texts or [f"the bytes of {form_shown(probe.form)} are {probe.hex}, got {wire.hex()}"]:
            yield note(f"{probe}: {shortened(text, 400)}")


def _absent(probe: Probe, reply: Message) -> Iterator[Diagnostic]:
    """Yield the diagnostic of an outcome without bytes and value, if it needs one."""
    outcome, is_own = reply["outcome"], is_of_the_language(reply)
    text = f"{probe}: {outcome}: {reason_of(reply)}"
    if outcome not in REFUSALS:
        yield from failure(str(probe), reply)
    # the harness must convert text with an encoded number or bytes, so an error of the language there is its own
    elif is_own and (probe.is_text or (outcome == Kind.REJECTED and probe.is_encoded)):
        yield Diagnostic(text, BY_WHOM)
    elif is_own and probe.wire is None:
        yield note(f"{probe}: null where it may not be is {outcome}, with {reply['class']}", IF_NOT_ITS_OWN)
    elif is_own and outcome == Kind.REJECTED:
        yield note(text, IF_NOT_ITS_OWN)
    elif probe.wire is not None and not probe.is_text:
        yield note(text)


def grouped(notes: Iterable[tuple[Probe, Diagnostic]]) -> Iterator[Diagnostic]:
    """Yield the first note of each message, direction and difference, with the number of others like it.

    Nulls that a field does not allow are one group over all messages: an implementation refuses them in one way.
    """
    for group in collected((_group(probe, each), (probe, each)) for probe, each in notes).values():
        messages = {probe.schema.message for probe, _ in group}
        versions = {probe.schema.version for probe, _ in group}
        where = f", in versions {ranges(versions)}" if len(versions) > 1 and len(messages) == 1 else ""
        yield counted(group[0][1], len(group), where)


def _group(probe: Probe, diagnostic: Diagnostic) -> tuple[str, str, str]:
    text = diagnostic.problem.removeprefix(str(probe)).partition(", of ")[0].partition(", in ")[0]
    return probe.operation, "" if probe.wire is None else probe.schema.message, CONTENT.sub("*", text)
