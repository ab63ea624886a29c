"""Canonical bytes are read once, other valid bytes in their canonical form as well."""

from collections.abc import Iterable, Mapping
from typing import Any

from conformance.codec.python_codec import PythonCodec
from conformance.codec.validation import check_members
from conformance.judge.checks.body_bytes import hostile_case
from conformance.judge.engine import violations
from reference import MessageSchema, decode_leniently, encode, load_release, minimal
from tests.fakes.lies import Honest
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of

SCHEMA = load_release(BASE).schema("ApiVersionsResponse", 3)
CANONICAL = encode(SCHEMA, minimal(SCHEMA))
EXPLICIT = CANONICAL[:-1] + bytes.fromhex("01030100")
"""The same value, with a tagged field that is at its default."""


class Reads(Honest):
    """A codec with a list of the bytes read, and an optional refusal."""

    def __init__(self, *, refuses: bool = False) -> None:
        self.read: list[bytes] = []
        self._refuses = refuses

    def supported(self) -> Mapping[str, Iterable[int]]:
        return {SCHEMA.message: [SCHEMA.version]}

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        self.read.append(data)
        if self._refuses:
            raise ValueError("no")
        return decode_leniently(schema, data)[0]


def rules(codec: Reads, wire: bytes) -> list[str]:
    """Return the rules of the findings in one input."""
    session = session_of(PythonCodec(check_members("here", codec, "here")))
    case = hostile_case(SCHEMA, "sound", wire)
    return [violation.rule for violation in violations(session, [case])]


def test_canonical_bytes_are_read_once() -> None:
    codec = Reads()
    assert rules(codec, CANONICAL) == []
    assert codec.read == [CANONICAL]


def test_bytes_in_another_form_are_read_in_canonical_form_too() -> None:
    codec = Reads()
    assert rules(codec, EXPLICIT) == []
    assert codec.read == [EXPLICIT, CANONICAL]


def test_a_refusal_of_canonical_bytes_is_a_finding() -> None:
    assert rules(Reads(refuses=True), CANONICAL) == ["message.accepted"]
