"""The judging of each reply by its outcome, and the merging of equal diagnostics, for every part of `bridge check`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from conformance.codec.bridge.protocol import PROTOCOL_ERROR, Message, reply_problem
from conformance.codec.bridge.transcript import KEYS, Diagnostic, note
from conformance.system.printable import printable
from conformance.targets.outcome import ABSENT, REFUSALS, Kind
from reference.definitions.model import ranges_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Judge = Callable[[Any, Message], Iterator[Diagnostic]]
    """Judges the reply to a probe."""

K = TypeVar("K")
V = TypeVar("V")

MAXIMUM_SHOWN = 300

WHOSE = "answer harness-error if your own code raised it, and rejected-unclassified if it was the implementation"
BY_WHOM = WHOSE[:1].upper() + WHOSE[1:]
IF_NOT_ITS_OWN = f"If that is no error of the implementation's own: {WHOSE}"

_OWN_FAULT: Mapping[str, str] = {
    Kind.HARNESS_ERROR: "Fix the harness's own code; what the implementation's types cannot hold is unrepresentable",
    PROTOCOL_ERROR: "The request is of the protocol: see the forms of values in docs/reference/bridge.md",
}

_LANGUAGES_OWN = re.compile(
    r"\b(TypeError|ReferenceError|AttributeError|KeyError|NameError|ClassCastException|NullPointerException"
    r"|InvalidCastException|NullReferenceException|KeyNotFoundException|JsonException|bad_cast|bad_variant_access)\b"
)
"""Errors that a language raises where code meets an unexpected value; no library declares them."""

_CONCLUDED = frozenset((Kind.TIMED_OUT, Kind.NOT_RUN))
"""Outcomes of the client itself."""

_UNCAUGHT = re.compile(r"terminate called after throwing|^panic:|panicked at", re.MULTILINE)
_UNCATCHABLE = re.compile(r"fatal error:|cannot unwind|stack overflow|out of memory", re.IGNORECASE)

CONTENT = re.compile(r'"(?:[^"\\]|\\.)*"|(?<!magic )(?<!>> )\b[0-9][0-9a-f.]*\b')
"""Texts, numbers and bytes; diagnostics that differ in them alone are one group. A magic has forms of its own."""

_NAMES = re.compile(r'"[A-Za-z_][A-Za-z_.]*"')
"""Quoted names: reasons that differ in them are different ones."""


def last_words(error: Exception) -> str:
    """Return the end of the text of an error, on one printable line."""
    return printable(" ".join(str(error).split()))[-MAXIMUM_SHOWN:]


def judged(
    answers: Iterable[tuple[Any, Message]], *, written: Judge, read: Judge, absent: Judge | None = None
) -> Iterator[tuple[Any, Diagnostic]]:
    """Yield what is wrong with the replies to probes, each with its probe.

    Args:
        answers: the probes, each with its `request`, and the replies.
        written: judges a reply with bytes.
        read: judges a reply with a value.
        absent: judges a reply with neither, if that is not always a failure.
    """

    def of_outcome(probe: Any, reply: Message) -> Iterable[Diagnostic]:
        if reply["outcome"] == Kind.BYTES:
            return written(probe, reply)
        if reply["outcome"] != Kind.VALUE:
            return failure(str(probe), reply) if absent is None else absent(probe, reply)
        return read(probe, reply) if "value" in reply else [note(f"{probe}: no value is shown: {reply.get('text')}")]

    for probe, reply in answers:
        wrong = list(invalid(str(probe), probe.request, reply))
        yield from ((probe, each) for each in wrong or of_outcome(probe, reply))


def invalid(asked: str, request: Message, reply: Message) -> Iterator[Diagnostic]:
    """Yield the diagnostic of a reply that is not valid by the schema."""
    problem = None if reply.get("outcome") in _CONCLUDED else reply_problem(request, {"id": 0, **reply})
    if problem is not None:
        yield Diagnostic(f"{asked}: the reply is not valid by the schema: {problem}", KEYS)


def reason_of(reply: Message) -> str:
    """Return class and text of a reply."""
    return ": ".join(str(reply[key]) for key in ("class", "text") if reply.get(key))


def is_of_the_language(reply: Message) -> bool:
    """Return whether a reply has an error that a language raises where code meets an unexpected value."""
    return _LANGUAGES_OWN.search(str(reply.get("class"))) is not None


def failure(asked: str, reply: Message) -> Iterator[Diagnostic]:
    """Yield the diagnostic of an outcome without bytes and value, unless it says nothing."""
    outcome = reply["outcome"]
    text = f"{asked}: {outcome}: {reason_of(reply)}"
    if outcome in _OWN_FAULT:
        yield Diagnostic(text, _OWN_FAULT[outcome], is_own_code=outcome == Kind.HARNESS_ERROR)
    elif outcome == Kind.CRASHED and _could_be_caught(str(reply.get("text", ""))):
        yield Diagnostic(f"{asked}: the harness ended: {reason_of(reply)}", f"Catch it: {WHOSE}")
    elif outcome in REFUSALS and is_of_the_language(reply):
        yield note(text, IF_NOT_ITS_OWN)
    elif outcome not in ABSENT:
        yield note(text)


def _could_be_caught(text: str) -> bool:
    if _UNCAUGHT.search(text):
        return True
    return text.startswith("exit status") and not _UNCATCHABLE.search(text)


def merged(found: Iterable[tuple[object, Diagnostic]]) -> Iterator[Diagnostic]:
    """Yield the first of equal diagnostics, with the number of the others, the mistakes before the notes.

    They are equal if they differ only in the numbers, texts and bytes of the reason, and in what was asked, with whose
    text the problem begins.
    """
    groups = collected((_reason(str(asked), each), each) for asked, each in found)
    yield from sorted((counted(group[0], len(group)) for group in groups.values()), key=lambda first: first.is_note)


def collected(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values of each key."""
    values: dict[K, list[V]] = {}
    for key, value in pairs:
        values.setdefault(key, []).append(value)
    return values


def counted(first: Diagnostic, count: int, where: str = "") -> Diagnostic:
    """Return the first of some diagnostics with the number of the others."""
    more = f" (and {count - 1} more like this{where})" if count > 1 else ""
    return replace(first, problem=first.problem + more)


def _reason(asked: str, diagnostic: Diagnostic) -> tuple[bool, str]:
    reason = diagnostic.problem.removeprefix(asked)
    return diagnostic.is_note, CONTENT.sub(lambda part: part[0] if _NAMES.fullmatch(part[0]) else "*", reason)


def ranges(numbers: Iterable[int]) -> str:
    """Return numbers as ranges, such as `0, 3-5`."""
    return ", ".join(map(str, ranges_of(set(numbers))))
