"""The judging of each reply by its outcome, and the merging of equal diagnostics, for every part of `bridge check`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from conformance.codec.bridge.harness_errors import HarnessError
from conformance.codec.bridge.json_forms import shown
from conformance.codec.bridge.protocol import Message, outcome_of_reply, reply_problem
from conformance.codec.bridge.transcript import KEYS, Diagnostic, note
from conformance.system.printable import printable
from conformance.targets.outcome import ABSENT, REFUSALS, Kind, Outcome
from reference.definitions.model import ranges_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from conformance.codec.bridge.child_client import Client
    from conformance.codec.bridge.form_probes import Probe

    Judge = Callable[["ProbeReply"], Iterable[Diagnostic]]

K = TypeVar("K")
V = TypeVar("V")

MAXIMUM_SHOWN = 300

MANY_ENDINGS = 10
"""The number of endings of the harness from which on they are a mistake of their own."""

WHOSE = "answer harness-error if your own code raised it, and rejected-unclassified if it was the implementation"
BY_WHOM = WHOSE[:1].upper() + WHOSE[1:]
IF_NOT_ITS_OWN = f"If that is no error of the implementation's own: {WHOSE}"

_OWN_FAULT: Mapping[str, str] = {
    Kind.HARNESS_ERROR: "Fix the harness's own code; what the implementation's types cannot hold is unrepresentable",
    Kind.PROTOCOL_ERROR: "The request is of the protocol: see the forms of values in docs/reference/bridge.md",
}

_LANGUAGES_OWN = re.compile(
    r"\b(TypeError|ReferenceError|AttributeError|KeyError|NameError|ClassCastException|NullPointerException"
    r"|InvalidCastException|NullReferenceException|KeyNotFoundException|JsonException|bad_cast|bad_variant_access)\b"
)
"""Errors that a language raises where code meets an unexpected value; no library declares them."""

_CONCLUDED = frozenset((Kind.TIMED_OUT, Kind.NOT_RUN))
"""Outcomes of the client itself."""

_NO_ANSWERS = _CONCLUDED | {Kind.CRASHED, Kind.PROTOCOL_ERROR}

_UNCAUGHT = re.compile(r"terminate called after throwing|\bpanic:|panicked at")
_UNCATCHABLE = re.compile(r"fatal error:|cannot unwind|stack overflow|out of memory", re.IGNORECASE)

CONTENT = re.compile(r'"(?:[^"\\]|\\.)*"|(?<!magic )(?<!>> )\b[0-9][0-9a-f.]*\b')
"""Texts, numbers and bytes; diagnostics that differ in them alone are one group. A magic has forms of its own."""

_NAMES = re.compile(r'"[A-Za-z_][A-Za-z_.]*"')
"""Quoted names: reasons that differ in them are different ones."""


class ProbeReply(NamedTuple):
    """The reply to a probe, and the outcome in it."""

    probe: Probe
    reply: Message
    outcome: Outcome


def answers_to(probes: Sequence[Probe], replies: Sequence[Message]) -> list[ProbeReply]:
    """Return the probes with their replies."""
    pairs = zip(probes, replies, strict=True)
    return [ProbeReply(probe, reply, outcome_of_reply(probe.ask, reply)) for probe, reply in pairs]


def asked(client: Client, groups: Iterable[Sequence[Probe]]) -> tuple[list[ProbeReply], str]:
    """Return the replies to groups of probes, and the reason why the rest was not tried, empty if everything was."""
    answers: list[ProbeReply] = []
    for probes in groups:
        kinds = [probe.what if probe.path else "" for probe in probes]  # a form that ends it is not tried again
        try:
            replies = client.ask_many([probe.request for probe in probes], kinds)
        except HarnessError as error:
            return answers, f"it does not start again: {printable(' '.join(str(error).split()))[-MAXIMUM_SHOWN:]}"
        answers += answers_to(probes, replies)
        if probes and all(reply["outcome"] in _NO_ANSWERS for reply in replies):
            break
    count = sum(each.outcome.kind is Kind.NOT_RUN for each in answers)
    is_whole = client.restarts < MANY_ENDINGS or not count
    return (
        answers,
        "" if is_whole else f"it has ended {client.restarts} times, so the rest is not tried, {count} requests",
    )


def given_up(reason: str, *, is_note: bool) -> Iterator[Diagnostic]:
    """Yield the diagnostic of a harness that was given up for a reason, if it was."""
    if reason:
        hint = "Answer every request; catch what your own code and the implementation raise"
        yield Diagnostic(reason, hint, is_note=is_note)


def judged(
    answers: Iterable[ProbeReply], *, written: Judge, read: Judge, absent: Judge | None = None
) -> Iterator[tuple[Probe, Diagnostic]]:
    """Yield what is wrong with the replies to probes, each with its probe.

    Args:
        answers: the replies.
        written: judges a reply with bytes.
        read: judges a reply with a value in any form.
        absent: judges a reply with neither, if that is not always a failure.
    """

    def of_outcome(answer: ProbeReply) -> Iterable[Diagnostic]:
        if answer.outcome.kind is Kind.BYTES:
            return written(answer)
        if answer.reply["outcome"] != Kind.VALUE:
            return failure(str(answer.probe), answer.outcome) if absent is None else absent(answer)
        if "value" not in answer.reply:
            return [note(f"{answer.probe}: no value is shown: {answer.outcome.text}")]
        # a number beyond every type has the right form
        is_huge = answer.outcome.kind is Kind.VALUE and answer.outcome.value is None and answer.outcome.text
        return [note(f"{answer.probe}: {answer.outcome.text}")] if is_huge else read(answer)

    for answer in answers:
        wrong = list(_invalid(answer))
        yield from ((answer.probe, each) for each in wrong or of_outcome(answer))


def _invalid(answer: ProbeReply) -> Iterator[Diagnostic]:
    """Yield the diagnostic of a reply that is not valid by the schema."""
    is_checked = answer.outcome.kind not in _CONCLUDED
    problem = reply_problem(answer.probe.request, {"id": 0, **answer.reply}) if is_checked else None
    if problem is not None:
        yield Diagnostic(f"{answer.probe}: the reply is not valid by the schema: {problem}", KEYS)


def other_bytes(answer: ProbeReply) -> str:
    """Return the words for bytes other than those of the content."""
    form = shown(answer.probe.request["value"])
    return f"the bytes of {form} are {answer.probe.hex}, got {answer.outcome}"


def class_of(outcome: Outcome) -> str:
    """Return the class of the error in a refusal."""
    return outcome.text.partition(": ")[0]


def is_of_the_language(outcome: Outcome) -> bool:
    """Return whether a refusal has an error that a language raises where code meets an unexpected value."""
    return outcome.kind in REFUSALS and _LANGUAGES_OWN.search(class_of(outcome)) is not None


def failure(asked: str, outcome: Outcome) -> Iterator[Diagnostic]:
    """Yield the diagnostic of an outcome without bytes and value, unless it says nothing."""
    kind = outcome.kind
    text = f"{asked}: {kind}: {outcome.text}"
    if kind in _OWN_FAULT:
        yield Diagnostic(text, _OWN_FAULT[kind], is_own_code=kind is Kind.HARNESS_ERROR)
    elif kind is Kind.CRASHED and _could_be_caught(outcome.text):
        yield Diagnostic(f"{asked}: the harness ended: {outcome.text}", f"Catch it: {WHOSE}")
    elif is_of_the_language(outcome):
        yield note(text, IF_NOT_ITS_OWN)
    elif kind not in ABSENT:
        yield note(text)


def _could_be_caught(text: str) -> bool:
    if _UNCAUGHT.search(text):
        return True
    return text.startswith("exit status") and not _UNCATCHABLE.search(text)


def merged(
    found: Iterable[tuple[Probe, Diagnostic]], key: Callable[[Probe, Diagnostic], object] | None = None
) -> Iterator[Diagnostic]:
    """Yield the first diagnostic of each group, with the number of the others, the mistakes before the notes.

    Without a key, a group differs only in the numbers, texts and bytes of the reason, and in what was asked, with whose
    text the problem begins.
    """
    groups = collected(((key or _reason)(*each), each) for each in found)
    yield from sorted(map(_counted, groups.values()), key=lambda first: first.is_note)


def _counted(group: Sequence[tuple[Probe, Diagnostic]]) -> Diagnostic:
    first, targets = group[0][1], {probe.target for probe, _ in group}
    if len(group) == 1:
        return first
    is_of_one = len(targets) > 1 and len({target.message for target in targets}) == 1
    where = f", in versions {ranges(target.version for target in targets)}" if is_of_one else ""
    return replace(first, problem=f"{first.problem} (and {len(group) - 1} more like this{where})")


def _reason(probe: Probe, diagnostic: Diagnostic) -> tuple[bool, str]:
    reason = diagnostic.problem.removeprefix(str(probe))
    return diagnostic.is_note, CONTENT.sub(lambda part: part[0] if _NAMES.fullmatch(part[0]) else "*", reason)


def collected(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values of each key."""
    values: dict[K, list[V]] = {}
    for key, value in pairs:
        values.setdefault(key, []).append(value)
    return values


def ranges(numbers: Iterable[int]) -> str:
    """Return numbers as ranges, such as `0, 3-5`."""
    return ", ".join(map(str, ranges_of(set(numbers))))
