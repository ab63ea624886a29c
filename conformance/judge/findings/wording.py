"""Texts of expectations and observations, in words or in hex.

No other module makes such texts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import structs

from conformance.judge.events import Another, Answered, Counted, Differs, Expected
from conformance.targets.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.judge.events import Expectation, Held, Observation
    from conformance.judge.forms import Broken

NO_BYTES = "no bytes"


def expected_text(expectation: Expectation) -> str:
    """Return the text of an expectation."""
    return _EXPECTED[expectation.what](expectation)


def actual_text(observation: Observation) -> str:
    """Return the text of an observation."""
    if isinstance(observation, Answered):
        return _answered(observation)
    if isinstance(observation, Differs):
        return f"{_place(observation.path)}{shortened(observation.actual.text)} ({observation.aspect} differs)"
    if isinstance(observation, Counted):
        return _NUMBERS[observation.outcome].format(observation.number)
    if isinstance(observation, Another):
        return "another one"
    return f"{observation.explanation}, {observation.detail}" if observation.detail else observation.explanation


def worded(event: Broken) -> Broken:
    """Return an event with both texts, for readers of a file."""
    return structs.replace(event, expected=expected_text(event.expectation), actual=actual_text(event.observation))


def shortened(held: Held) -> str:
    """Return a text, or its beginning with its length."""
    return held.start if held.is_whole else f"{held.start}... ({held.length} characters)"


_SHORTENED = re.compile(r"\.\.\. \(([0-9]+) characters\)$")
"""The end of a text made by `shortened`, which a page or a terminal may cut again."""


def length_of(text: str) -> int:
    """Return the number of characters of a text, or of the whole text if it is shortened already."""
    already = _SHORTENED.search(text)
    return int(already[1]) if already else len(text)


def _answered(observation: Answered) -> str:
    if observation.outcome == Kind.BYTES and observation.wire is not None:
        return shortened(observation.wire) or NO_BYTES
    if observation.value is not None:
        return shortened(observation.value.text)
    text = f"{observation.outcome}: {observation.explanation}" if observation.explanation else observation.outcome
    return f"{text} ({observation.place})" if observation.place else text


_NUMBERS = {"consumed": "{} bytes consumed", "size": "{} announced", "header-version": "{}"}


def _place(path: str) -> str:
    return f"{path}: " if path else ""


def _bytes(expectation: Expectation) -> str:
    return "bytes" if expectation.wire is None else shortened(expectation.wire)


def _value(expectation: Expectation) -> str:
    return _place(expectation.path) + (shortened(expectation.value.text) if expectation.value else "")


def _numbers(text: str) -> Callable[[Expectation], str]:
    return lambda expectation: text.format(*expectation.numbers, name=expectation.name)


def _range(expectation: Expectation) -> str:
    if not expectation.numbers:
        return "an API that is announced"
    return "versions {} to {}".format(*expectation.numbers)


_EXPECTED: dict[Expected, Callable[[Expectation], str]] = {
    Expected.BYTES: _bytes,
    Expected.VALUE: _value,
    Expected.CORRELATION_IDS: lambda expectation: f"correlation ids {list(expectation.numbers)}",
    Expected.ANNOUNCED_VERSION: _range,
    **{
        what: _numbers(text)
        for what, text in {
            Expected.SIZE: "{} bytes",
            Expected.CONSUMPTION: "{} bytes consumed",
            Expected.FRAME: "the frame as written",
            Expected.FIRST_FRAME: "the first frame",
            Expected.ACCEPTANCE: "accepted",
            Expected.OWN_VALUE: "the value that it wrote",
            Expected.SAME_VALUE: "the same value each time",
            Expected.VALUE_AS_BEFORE: "the same value as before",
            Expected.REFUSAL: "refused",
            Expected.REJECTION: "rejected",
            Expected.SURVIVAL: "no crash",
            Expected.HEADER_VERSION: "header version {}",
            Expected.RESPONSE: "a response of version {}",
            Expected.NO_RESPONSE: "no response",
            Expected.ANSWERS_ASKED: "an entry for each that was asked, and no other",
            Expected.RESPONSE_OR_ERROR: "version {}, or version {} with error code {}",
            Expected.RESPONSES: "{} answers",
            Expected.ERROR_RESPONSE: "{name} with error code {}",
            Expected.FRAME_REFUSAL: "refused: an error response, or the connection is closed",
            Expected.CLOSED_CONNECTION: "the connection is closed",
            Expected.ANNOUNCED_ONCE: "each API once, lowest version <= highest",
            Expected.CORRELATION_ID: "correlation id {}",
            Expected.NEXT_CONNECTION: "the next connection is served",
            Expected.OWN_MEMORY: "memory for what has come",
            Expected.DESCRIPTORS: "as before: {}",
            Expected.PLAIN_END: "goes on as with plain answers",
            Expected.MESSAGE: "{name}",
            Expected.REQUEST_HEADER: "a request header",
            Expected.FRAME_SIZE: "a size from 0 to {}",
            Expected.SOUND_RECORDS: "sound record batches",
            Expected.TAKEN_BATCH: "a batch that a broker takes",
            Expected.NOTHING_AFTER: "{} bytes of body",
            Expected.WRITABLE_VALUE: "a value that can be written",
            Expected.ALLOWED_VALUE: "a value that the version allows: {name}",
        }.items()
    },
}
