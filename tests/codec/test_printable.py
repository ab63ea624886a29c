from typing import Any

import pytest

from conformance.codec.bridge.loading import load_codec
from conformance.system.printable import printable, printable_lines
from conformance.targets import DECODE, Ask, Body
from conformance.targets.plain_values import UnsupportedType, describe, plain, short_repr
from reference import MessageSchema, load_release, newest_release
from tests.helpers.adapters import load_adapter

ESCAPED = {
    "clear-screen": ("\x1b[2J", "\\x1b[2J"),
    "c1-control-sequence": ("\x9b2J", "\\x9b2J"),
    "carriage-return": ("\r", "\\r"),
    "line-feed": ("\n", "\\n"),
    "null": ("\0", "\\x00"),
    "delete": ("\x7f", "\\x7f"),
    "right-to-left-override": ("\u202e", "\\u202e"),
    "arabic-letter-mark": ("\u061c", "\\u061c"),
    "line-separator": ("\u2028", "\\u2028"),
    "zero-width-space": ("\u200b", "\\u200b"),
    "high-surrogate": ("\ud800", "\\ud800"),
    "tag-character": ("\U000e0041", "\\U000e0041"),
}


class EscapeInRepr:
    """An object with a `repr` that clears the terminal."""

    def __repr__(self) -> str:
        return "\x1b[2J"


@pytest.mark.parametrize(("text", "escape"), ESCAPED.values(), ids=ESCAPED)
def test_control_character_of_terminals_is_escaped(text: str, escape: str) -> None:
    assert printable(text) == escape
    assert printable(f"a{text}b") == f"a{escape}b"


@pytest.mark.parametrize("text", ["", "plain text", "naïve 日本語 🙂", "back\\slash \\x1b", "العربية"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize("text", [text for text, _ in ESCAPED.values()], ids=ESCAPED)
def test_escaping_twice_changes_nothing(text: str) -> None:
    assert printable(printable(text)) == printable(text)


def test_lines_stay_lines() -> None:
    """The standard error of a child keeps its lines, with either line ending, and the rest is escaped."""
    assert printable_lines("a\x1b[2J\r\n\tb\n\rc") == "a\\x1b[2J\n    b\n\\rc"


def test_the_text_of_an_exception_is_escaped() -> None:
    assert describe(ValueError("\x1b[2J gone\n\u202e")) == "ValueError: \\x1b[2J gone \\u202e"


def test_the_repr_of_an_object_is_escaped() -> None:
    """Its own `__repr__` may return anything."""
    assert short_repr(EscapeInRepr()) == "\\x1b[2J"


def test_the_place_of_an_object_is_escaped() -> None:
    with pytest.raises(UnsupportedType) as error:
        plain({"\x1b[2J": object()})
    assert str(error.value) == "object at \\x1b[2J"


class ClearsTheTerminal:
    """An adapter with control characters in its name and in the texts of its exceptions."""

    name = "\x1b[2J"
    version = "\u202e1"

    def supported(self) -> dict[str, list[int]]:
        return {"HeartbeatResponse": [0]}

    def decode(self, schema: MessageSchema, data: bytes) -> Any:  # noqa: ARG002  # as in the contract
        raise ValueError("\x1b[2J\x07")


def test_the_name_and_version_of_an_adapter_are_escaped() -> None:
    adapter = load_adapter(f"{__name__}:ClearsTheTerminal")
    assert (adapter.name, adapter.version) == (r"\x1b[2J", r"\u202e1")


def test_the_text_of_an_outcome_is_escaped() -> None:
    target = Body(load_release(newest_release()).schema("HeartbeatResponse", 0))
    outcome = load_codec(f"{__name__}:ClearsTheTerminal").perform(Ask(DECODE, target, b""))
    assert outcome.text == r"ValueError: \x1b[2J\x07"
