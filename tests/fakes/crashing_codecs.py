"""Codecs with one severe fault each, named by the name.

Most of them end or hold up their process. Those that fail on reading do so on one input only, HeartbeatResponse without
any bytes, so that a run costs one deadline and not a hundred. Those that fail on writing do so on one value.
"""

import ctypes
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import reference
from conformance.adapter import Value
from reference import MessageSchema
from tests.fakes.faulty_codecs import allocate, exit_at_once
from tests.fakes.lies import OFFERED, Honest, lie, read, triggered

NOISE = b"debug: decoding, and logging every byte\n" * 2_000
"""More bytes than a pipe holds."""
DEADLY = 9639
"""An error code that some cannot write, from row 2 of HeartbeatResponse v0, generated with the seed 1."""


def is_in_child() -> bool:
    spec = sys.modules["__main__"].__spec__
    return spec is not None and spec.name.startswith("conformance.codec.bridge")


def _hang() -> None:
    time.sleep(600)  # here, so that this file is the place where it waits


def _on_nothing(does: Callable[[], Any]) -> type[Any]:
    return triggered(does, lambda schema, data: not data and schema.message == "HeartbeatResponse")


def _writing(does: Callable[[], Any]) -> type[Any]:
    return lie(given=lambda schema, value: does() if value.get("ErrorCode") == DEADLY else value)


def _loading(does: Callable[[], Any]) -> type[Any]:
    """Return an adapter with a misdeed in every process that loads it, except the first."""

    def supported() -> Mapping[str, Iterable[int]]:
        if os.environ.get("LOADED"):
            does()
        os.environ["LOADED"] = "1"
        return OFFERED

    return lie(supported=supported)


def _in_child(does: Callable[[], Any]) -> type[Any]:
    return lie(start=lambda: is_in_child() and does())


def _with_noise(_schema: MessageSchema, data: bytes) -> bytes:
    """Print from Python and from below."""
    print(NOISE.decode())  # noqa: T201  # that is the lie
    os.write(1, NOISE)
    os.write(2, NOISE)
    return data


def _overwrite(schema: MessageSchema, data: bytes) -> Value:
    """Decode in place, and turn the first byte of the caller round, past Python's own protection.

    Bytes of length one are shared by all of Python, so they are left alone.
    """
    value = read(schema, data)
    if len(data) > 1:
        first = id(data) + bytes.__basicsize__ - 1
        ctypes.memset(first, data[0] ^ 0xFF, 1)
    return value


HangsOnNothing = _on_nothing(partial(time.sleep, 60))
HangsOnNothingAnywhere = triggered(
    _hang,
    lambda schema, data: not data,
    supported={"HeartbeatResponse": range(3), "HeartbeatRequest": range(3)},
)
AbortsOnNothing = _on_nothing(os.abort)
AllocatesOnNothing = _on_nothing(allocate)
ExitsOnNothing = _on_nothing(exit_at_once)
Noisy = lie(taken=_with_noise)
NoisyOnStandardError = lie(taken=lambda schema, data: os.write(2, NOISE) and data)
"""Logs more than a pipe holds, which is no fault."""
BelievesAnything = lie(unread=lambda schema, error: reference.default(schema))
OverwritesItsInput = lie(decode=_overwrite)
ExitsAtTheStart = _in_child(partial(sys.exit, "no configuration for this process"))
AbortsAtTheStart = _in_child(os.abort)
StartsSlowly = _in_child(partial(time.sleep, 4))
"""Takes longer to start than one decode may take, which is no fault."""
EndsWriting = _writing(os.abort)
HangsWriting = _writing(_hang)
EndsLoading = _loading(partial(os._exit, 3))
HangsLoading = _loading(_hang)
HangsAtOnce = lie(start=_hang)


class KeepsHalfWritten(Honest):
    """Keeps the half-written bytes of a refused value in its buffer."""

    buffer = b""

    def written(self, _schema: MessageSchema, wire: bytes) -> bytes:
        kept, self.buffer = self.buffer, b""
        return kept + wire

    def unwritten(self, _schema: MessageSchema, error: reference.CodecError) -> bytes:
        self.buffer = b"\x2a"
        raise error


class KeepsHalfRead(Honest):
    """Continues at the place of the last rejection when it reads the next bytes."""

    position = 0

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        position, self.position = self.position, 0
        try:
            return super().decode(schema, data[position:])
        except reference.Malformed:
            self.position = 0 if position else 1
            raise


class ReadsZeroAfterARefusal(Honest):
    """Reads zeros after a refused value, by one buffer for both directions."""

    refused = False

    def written(self, _schema: MessageSchema, wire: bytes) -> bytes:
        self.refused = False
        return wire

    def unwritten(self, _schema: MessageSchema, error: reference.CodecError) -> bytes:
        self.refused = True
        raise error

    def got(self, schema: MessageSchema, value: Value) -> Value:
        refused, self.refused = self.refused, False
        return reference.default(schema) if refused else value
