"""The parts of `bridge check` that all of its checks of contents share.

They send requests to a harness, tell its own failures from those of the implementation, and merge equal diagnostics.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from conformance.codec.bridge.child_client import Client, Policy
from conformance.codec.bridge.harness_errors import HarnessError
from conformance.codec.bridge.protocol import PROTOCOL_ERROR, Message, reply_problem
from conformance.codec.bridge.transcript import EITHER, Diagnostic
from conformance.codec.outcome import ABSENT, REFUSALS, Kind
from conformance.system.printable import printable
from reference.definitions.model import ranges_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from conformance.codec.bridge.transport import JsonLinesProcess

MAXIMUM_SHOWN = 300

WHOSE = "answer harness-error if your own code raised it, and rejected-unclassified if it was the implementation"
KEYS = "See docs/reference/bridge.md for the keys of a reply"

_OWN_FAULT: Mapping[str, str] = {
    Kind.HARNESS_ERROR: "Fix the harness's own code; what the implementation's types cannot hold is unrepresentable",
    PROTOCOL_ERROR: "The request is of the protocol: see the forms of values in docs/reference/bridge.md",
}

LANGUAGES_OWN = re.compile(
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


def ask_all(
    start: Callable[[], JsonLinesProcess], requests: Sequence[Message], seconds: float
) -> tuple[list[Message], list[Diagnostic]]:
    """Return the replies to requests, and the diagnostic of a harness that does not start again, if it does not.

    Args:
        start: starts the harness, and says hello to it.
        requests: the requests.
        seconds: the maximum for one reply.
    """
    with Client(lambda _: start(), Policy.BATCHED, deadline=seconds) as client:
        try:
            return client.ask_many(requests), []
        except HarnessError as error:
            return [], [Diagnostic(f"it does not start again: {last_words(error)}", WHOSE[:1].upper() + WHOSE[1:])]


def last_words(error: Exception) -> str:
    """Return the end of the text of an error, on one printable line."""
    return printable(" ".join(str(error).split()))[-MAXIMUM_SHOWN:]


def form_diagnostic(asked: str, request: Message, reply: Message) -> Diagnostic | None:
    """Return the diagnostic of a reply that is not valid by the schema, or None."""
    problem = None if reply.get("outcome") in _CONCLUDED else reply_problem(request, {"id": 0, **reply})
    return (
        None
        if problem is None
        else Diagnostic(f"{asked}: the reply is not valid by the schema: {printable(problem)}", KEYS)
    )


def reason_of(reply: Message) -> str:
    """Return class and text of a reply."""
    return printable(": ".join(str(reply[key]) for key in ("class", "text") if reply.get(key)))


def failure(asked: str, reply: Message) -> Diagnostic | None:
    """Return the diagnostic of an outcome without bytes and value, or None if it says nothing."""
    outcome = reply["outcome"]
    text = f"{asked}: {outcome}: {reason_of(reply)}"
    if outcome in ABSENT:
        return None
    if outcome in _OWN_FAULT:
        return Diagnostic(text, _OWN_FAULT[outcome], is_own_code=outcome == Kind.HARNESS_ERROR)
    if outcome == Kind.CRASHED and _could_be_caught(str(reply.get("text", ""))):
        return Diagnostic(f"{asked}: the harness ended: {reason_of(reply)}", f"Catch it: {WHOSE}")
    if outcome in REFUSALS and LANGUAGES_OWN.search(str(reply.get("class"))):
        return Diagnostic(text, f"If that is no error of the implementation's own: {WHOSE}", is_note=True)
    return Diagnostic(text, EITHER, is_note=True)


def _could_be_caught(text: str) -> bool:
    """Whether a harness ended by an exception, and not by something beyond any handler."""
    if _UNCAUGHT.search(text):
        return True
    return text.startswith("exit status") and not _UNCATCHABLE.search(text)


def merged(found: Iterable[tuple[str, Diagnostic]]) -> Iterator[Diagnostic]:
    """Yield the first of equal diagnostics, with the number of the others.

    They are equal if they differ only in the numbers, texts and bytes of the reason, and in what was asked.

    Args:
        found: what was asked, with which the problem begins, and the diagnostic.
    """
    groups: dict[tuple[bool, str], list[Diagnostic]] = {}
    for asked, diagnostic in found:
        reason = CONTENT.sub(_masked, diagnostic.problem.removeprefix(asked))
        groups.setdefault((diagnostic.is_note, reason), []).append(diagnostic)
    for first, *others in groups.values():
        more = f" (and {len(others)} more like this)" if others else ""
        yield replace(first, problem=first.problem + more)


def _masked(content: re.Match[str]) -> str:
    return content[0] if _NAMES.fullmatch(content[0]) else "*"


def ranges(numbers: set[int]) -> str:
    """Return numbers as ranges, such as `0, 3-5`."""
    return ", ".join(map(str, ranges_of(numbers)))
