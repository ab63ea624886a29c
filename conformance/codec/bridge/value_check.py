"""The check of a harness by the values that it writes and reads.

A mistake of form is the harness's for certain, however wrong the implementation is: a reply in another form than its
type's, a missing field, an outcome that blames the harness's own code, an ending that the harness could have
prevented. Different values or bytes and refusals may come from the implementation: they are notes, for the suite to
judge.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from conformance.adapter import DIRECTIONS
from conformance.codec.bridge.form_probes import AFTER, BEFORE, Probe, form_probes, whole_probes, wrong_forms
from conformance.codec.bridge.harness_errors import HarnessError
from conformance.codec.bridge.json_forms import difference_texts, form_problems, value_differences
from conformance.codec.bridge.mapping_check import MappingCheck, by_version
from conformance.codec.bridge.protocol import outcome_of_reply
from conformance.codec.bridge.reply_check import (
    BY_WHOM,
    CONTENT,
    IF_NOT_ITS_OWN,
    MANY_ENDINGS,
    ProbeReply,
    answers_to,
    asked,
    class_of,
    failure,
    given_up,
    is_of_the_language,
    judged,
    merged,
    other_bytes,
    ranges,
)
from conformance.codec.bridge.transcript import EITHER, Diagnostic, note, shortened
from conformance.targets import ENCODE, Body, WireTypeTarget
from conformance.targets.hidden import READ
from conformance.targets.outcome import REFUSALS, Kind, Outcome
from reference import CodecError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.adapter import Direction
    from conformance.codec.bridge.child_client import Client
    from conformance.targets import Ask, Claims
    from reference import FieldSchema, MessageSchema, Release

MANY_DIFFERENT = 4
"""The number of different values from which on their share means something."""

SHOWN_AS_NULL = "A nil slice or list that is shown as null? Show []"

CONVERT_NOTHING = f"Convert nothing silently: answer {Kind.PROTOCOL_ERROR} or {Kind.HARNESS_ERROR}"

FORMS = "See the table under Values in docs/reference/bridge.md"


def check_values(client: Client, release: Release, claims: Claims) -> Iterator[Diagnostic]:
    """Yield mistakes of form, then signs of a wrong mapping, then notes. Equal notes are grouped."""
    answers, gave_up = asked(client, _probes(release, claims))
    signs = _signs(release, claims, answers, client) if client.restarts < MANY_ENDINGS else []
    found = list(judged(answers, absent=_absent, written=_written, read=partial(_read, claims)))
    mistakes = [(probe, diagnostic) for probe, diagnostic in found if not diagnostic.is_note]
    notes = [(probe, diagnostic) for probe, diagnostic in found if diagnostic.is_note]
    yield from _unsupported(answers)
    yield from merged(mistakes)
    yield from signs
    yield from _mostly_different(answers, {id(probe) for probe, _ in notes})
    yield from merged(notes, _group)
    yield from given_up(gave_up, is_note=not mistakes)


def wire_type_diagnostics(claims: Claims, answers: Sequence[ProbeReply]) -> Iterator[Diagnostic]:
    """Yield the mistakes and notes of replies to the probes of wire types, the mistakes first."""
    yield from merged(judged(answers, written=_written, read=partial(_read, claims)))


def _probes(release: Release, claims: Claims) -> Iterator[list[Probe]]:
    offered = _offered(release, claims)
    keeps_tags = claims.keeps_unknown_tags
    yield from (list(form_probes(schemas, way, keeps_tags=keeps_tags)) for way, schemas in offered.items())
    yield from (list(whole_probes(schemas, way)) for way, schemas in offered.items())


def _offered(release: Release, claims: Claims) -> dict[Direction, list[MessageSchema]]:
    return {way: [each for each in release.schemas() if Body(each).is_offered(claims, way)] for way in DIRECTIONS}


def _signs(release: Release, claims: Claims, answers: Sequence[ProbeReply], client: Client) -> list[Diagnostic]:
    def ask(asks: Sequence[Ask]) -> list[Outcome]:
        return list(map(outcome_of_reply, asks, client.ask_many([each.request for each in asks])))

    outcomes = [(each.probe, each.outcome) for each in answers]
    try:
        converted = list(_converted(client, _offered(release, claims)[ENCODE]))
        return [*converted, *MappingCheck(release, claims, outcomes, ask).diagnostics()]
    except HarnessError:
        return []


def _converted(client: Client, schemas: Sequence[MessageSchema]) -> Iterator[Diagnostic]:
    """Yield notes on written values of another type. Who converts them may convert what a library gives as well."""
    asked = list(wrong_forms(schemas))
    yield from merged(
        (probe, note(f"{probe} is written, as {outcome}", CONVERT_NOTHING))
        for probe, _, outcome in answers_to(asked, client.ask_many([each.request for each in asked]))
        if outcome.kind is Kind.BYTES
    )


def _unsupported(answers: Sequence[ProbeReply]) -> Iterator[Diagnostic]:
    for way, message, versions in by_version((each.probe, each.outcome) for each in answers):
        lacking = ranges(
            version for version, those in versions.items() if {each.kind for each in those} == {Kind.UNSUPPORTED}
        )
        if lacking:
            problem = f"{way} of {message} v{lacking}: every value is unsupported, though hello lists it"
            yield Diagnostic(problem, f'Leave {message} v{lacking} out of "supports"')


def _mostly_different(answers: Sequence[ProbeReply], noted: set[int]) -> Iterator[Diagnostic]:
    for way in DIRECTIONS:
        whole = [each.probe for each in answers if not each.probe.path and each.probe.way == way]
        count = sum(id(probe) in noted for probe in whole)
        if count >= MANY_DIFFERENT and 2 * count > len(whole):
            problem = f"{way}: {count} of {len(whole)} whole values are refused, or come out otherwise"
            hint = "Most often it is the mapping: look at the notes below, and fix it before a run"
            yield note(problem, hint, is_of_mapping=True)


def _read(claims: Claims, answer: ProbeReply) -> Iterator[Diagnostic]:
    probe, target, outcome = answer.probe, answer.probe.target, answer.outcome
    of_wire, field, form = shortened(probe.hex), _defined(target), answer.reply["value"]
    problems = [] if field is None else [*form_problems(field, form, claims.hidden.paths(target.schema))]
    if not problems and outcome.kind is not Kind.VALUE:
        problems = [outcome.text]
    is_alone = isinstance(target, WireTypeTarget)
    meaning = f", which is {probe.shown(probe.content)}" if is_alone else ""
    for problem in problems:
        yield Diagnostic(f"{probe}: {problem}", f"{FORMS}; the reply was to {of_wire}{meaning}")
    if problems or probe.is_text:
        return
    value = target.restored(outcome.value, claims.representations & READ)
    due, got = (target.to_json(target.expected(claims, each)) for each in (probe.content, value))
    for text in difference_texts([*value_differences(field, due, got)]):
        hint = f"{SHOWN_AS_NULL}. {EITHER}" if text.endswith("is [], got null") else EITHER
        yield note(f"{probe}: {text}, of {of_wire}", hint)
    # the count of a message may be the implementation's
    length = len(probe.wire or b"")
    if is_alone and outcome.consumed not in {None, length}:
        yield note(f"{probe}: consumed is {outcome.consumed}, of the {length} bytes of one value")


def _defined(target: Body | WireTypeTarget) -> FieldSchema | None:
    """Return the definition of a content, if it has one."""
    if isinstance(target, Body):
        return target.schema.body
    return target.schema.fields[0] if target.schema.fields else None


def _written(answer: ProbeReply) -> Iterator[Diagnostic]:
    probe, target, wire = answer.probe, answer.probe.target, answer.outcome.wire or b""
    if probe.wire is None:
        return  # an invalid null was written: the suite judges that
    if probe.is_text:
        if BEFORE.encode() not in wire or AFTER.encode() not in wire:
            hint = "Make a string of its hex: of UTF-16 units, or of bytes; what no string can hold is unrepresentable"
            yield Diagnostic(f"{probe}: the form is not understood: the bytes are {shortened(wire.hex())}", hint)
    elif wire != probe.wire:
        texts: list[str] = []
        with suppress(CodecError):
            due, written = target.to_json(probe.content), target.to_json(target.read(wire))
            differences = [*value_differences(_defined(target), due, written)]
            texts = [f"{text}, in {answer.outcome} in place of {probe.hex}" for text in difference_texts(differences)]
        yield from (note(f"{probe}: {shortened(text, 400)}") for text in texts or [other_bytes(answer)])


def _absent(answer: ProbeReply) -> Iterator[Diagnostic]:
    """Yield the diagnostic of an outcome without bytes and value, if it needs one."""
    probe, outcome = answer.probe, answer.outcome
    is_own, text = is_of_the_language(outcome), f"{probe}: {outcome}"
    if outcome.kind not in REFUSALS:
        yield from failure(str(probe), outcome)
    # the harness must convert text with an encoded number or bytes, so an error of the language there is its own
    elif is_own and (probe.is_text or (outcome.kind is Kind.REJECTED and probe.is_encoded)):
        yield Diagnostic(text, BY_WHOM)
    elif is_own and probe.wire is None:
        yield note(f"{probe}: null where it may not be is {outcome.kind}, with {class_of(outcome)}", IF_NOT_ITS_OWN)
    elif is_own and outcome.kind is Kind.REJECTED:
        yield note(text, IF_NOT_ITS_OWN)
    elif probe.wire is not None and not probe.is_text:
        yield note(text)


def _group(probe: Probe, diagnostic: Diagnostic) -> tuple[str, str, str]:
    """Return direction, message and difference of a note.

    Nulls that a field does not allow are one group over all messages: an implementation refuses them in one way.
    """
    text = diagnostic.problem.removeprefix(str(probe)).partition(", of ")[0].partition(", in ")[0]
    return probe.way, "" if probe.wire is None else probe.target.message, CONTENT.sub("*", text)
