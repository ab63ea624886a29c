"""Adapters that are made badly, each in one way, which its docstring says; the codec behind them would be sound."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import reference
from tests.fakes.faulty_codecs import Honest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from conformance.adapter import Value
    from reference import MessageSchema


class WithoutFunctions:
    """Has neither encode nor decode."""

    def supported(self) -> Mapping[str, Iterable[int]]:
        """One message."""
        return {"HeartbeatResponse": [0]}


class RaisesOnEverything(Honest):
    """Cannot do anything: a mistake in the adapter's own first line."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """As with a name that is not there."""
        raise NameError(f"name 'codec' is not defined ({schema}, {len(value)})")

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """The same."""
        raise NameError(f"name 'codec' is not defined ({schema}, {len(data)})")


class RejectsEverything(Honest):
    """Declares the mistake of its own first line as a rejection."""

    rejections = (Exception,)

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """Always in vain."""
        raise TypeError(f"{schema}, {len(value)}")

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """Always in vain."""
        raise TypeError(f"{schema}, {len(data)}")


class ReturnsHex(Honest):
    """Returns text instead of bytes, and a list instead of a dict."""

    def encode(self, schema: MessageSchema, value: Value) -> Any:
        """Hex."""
        return reference.encode(schema, value).hex()

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """The values without their names."""
        return list(reference.decode(schema, data).value.values())


class UnknownMessage(Honest):
    """Claims a message that does not exist."""

    def supported(self) -> Mapping[str, Iterable[int]]:
        """A name with a letter missing."""
        return {"HeartbeatRespnse": [0]}


class MixesUp(Honest):
    """Takes one message for another."""

    def supported(self) -> Mapping[str, Iterable[int]]:
        """The two that it mixes up."""
        return {"ApiVersionsRequest": [3], "HeartbeatRequest": [4]}

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """Always the smallest of the other one."""
        other = _other(schema)
        return reference.encode(other, reference.minimal(other)) if value else b""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """Always the smallest of the other one."""
        return reference.minimal(_other(schema)) if data else {}


def _other(schema: MessageSchema) -> MessageSchema:
    release = reference.load_release(reference.newest_release())
    name, version = ("HeartbeatRequest", 4) if schema.message == "ApiVersionsRequest" else ("ApiVersionsRequest", 3)
    return release.schema(name, version)


class PrintsAlways(Honest):
    """Has left its debugging in."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """As the reference, and says so."""
        print("encoding", schema)  # noqa: T201  # this is the lie
        return super().encode(schema, value)


class AnswersDifferently(Honest):
    """Keeps a buffer from one call to the next."""

    def __init__(self) -> None:
        """An empty buffer."""
        self.buffer = b""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """Everything that was ever encoded."""
        self.buffer += super().encode(schema, value)
        return self.buffer
