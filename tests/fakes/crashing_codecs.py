"""Codecs that lie gravely, each in one way, which its docstring says: most end or hold up the process they run in.

Those that read do so on one input only, HeartbeatResponse without any bytes, so that a run costs one deadline and not a
hundred; those that write, on one value.
"""

import ctypes
import os
import sys
import time
from collections.abc import Iterable, Mapping
from typing import Any

import reference
from conformance.adapter import Value
from reference import MessageSchema
from tests.fakes.faulty_codecs import Aborts, Allocates, ExitsAtOnce, Hangs, Honest, Triggered

NOISE = b"debug: decoding, and telling everybody\n" * 2_000
"""More than a pipe holds."""


class OnNothing(Triggered):
    """Lies where there is no input, and nowhere else: see `lie`."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        is_sound = data or schema.message != "HeartbeatResponse"
        return Honest.decode(self, schema, data) if is_sound else self.lie()


class HangsOnNothing(OnNothing, Hangs):
    """Is never done."""


class HangsOnNothingAnywhere(Honest):
    """Is never done with a message without any bytes, whichever it is."""

    def supported(self) -> Mapping[str, Iterable[int]]:
        return {"HeartbeatResponse": range(3), "HeartbeatRequest": range(3)}

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        return super().decode(schema, data) if data else time.sleep(600)


class AbortsOnNothing(OnNothing, Aborts):
    """Ends the process."""


class AllocatesOnNothing(OnNothing, Allocates):
    """Believes a length."""


class ExitsOnNothing(OnNothing, ExitsAtOnce):
    """Ends the process without a signal."""


class Noisy(Honest):
    """Prints more than a pipe holds, from Python and from below, each time."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        print(NOISE.decode())  # noqa: T201  # that is the lie
        os.write(1, NOISE)
        os.write(2, NOISE)
        return super().decode(schema, data)


class NoisyOnStandardError(Honest):
    """Logs more than a pipe holds, where logs belong: it tells no lie."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        os.write(2, NOISE)
        return super().decode(schema, data)


class KeepsHalfWritten(Honest):
    """Does not empty its buffer when it refuses a value."""

    def __init__(self) -> None:
        self.buffer = b""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        try:
            wire, self.buffer = self.buffer + super().encode(schema, value), b""
        except reference.Unencodable:
            self.buffer = b"\x2a"
            raise
        return wire


class KeepsHalfRead(Honest):
    """Remembers, when it rejects bytes, where it was, and goes on from there the next time."""

    def __init__(self) -> None:
        self.position = 0

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        position, self.position = self.position, 0
        try:
            return super().decode(schema, data[position:])
        except reference.Malformed:
            self.position = 0 if position else 1
            raise


class ReadsZeroAfterARefusal(Honest):
    """Shares one buffer between both directions: after a refused value it reads zeros."""

    def __init__(self) -> None:
        self.refused = False

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        self.refused = True
        wire = super().encode(schema, value)
        self.refused = False
        return wire

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        value = super().decode(schema, data)
        refused, self.refused = self.refused, False
        return reference.default(schema) if refused else value


class BelievesAnything(Honest):
    """Gives a value for bytes that it never read."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        try:
            return super().decode(schema, data)
        except reference.Malformed:
            return reference.default(schema)


class OverwritesItsInput(Honest):
    """Decodes in place: the bytes that it was handed are no longer what they were."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """Turn the first byte round, past Python's own protection; bytes of length one are shared by all."""
        value = super().decode(schema, data)
        if len(data) > 1:
            first = id(data) + bytes.__basicsize__ - 1
            ctypes.memset(first, data[0] ^ 0xFF, 1)
        return value


def is_in_child() -> bool:
    spec = sys.modules["__main__"].__spec__
    return spec is not None and spec.name.startswith("conformance.codec.bridge")


class ExitsAtTheStart(Honest):
    """Cannot be made in the child."""

    def __init__(self) -> None:
        if is_in_child():
            sys.exit("no configuration for this process")


class AbortsAtTheStart(Honest):
    """Ends the child as soon as it is made there."""

    def __init__(self) -> None:
        if is_in_child():
            os.abort()


class StartsSlowly(Honest):
    """Takes longer to start than one decode may take: it tells no lie."""

    def __init__(self) -> None:
        if is_in_child():
            time.sleep(4)


DEADLY = 9639
"""The error code that these cannot write: that of row 2 of HeartbeatResponse v0, generated with the seed 1."""


class EndsWriting(Honest):
    """Ends the process."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        if value.get("ErrorCode") == DEADLY:
            os.abort()
        return reference.encode(schema, value)


class HangsWriting(Honest):
    """Is never done."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        if value.get("ErrorCode") == DEADLY:
            time.sleep(600)
        return reference.encode(schema, value)


class EndsLoading(Honest):
    """Ends the process that loads it, but for the first one."""

    def supported(self) -> dict[str, list[int]]:
        if os.environ.get("LOADED"):
            self.lie()
        os.environ["LOADED"] = "1"
        return {"HeartbeatResponse": [0], "ApiVersionsRequest": [3]}

    def lie(self) -> None:
        os._exit(3)


class HangsLoading(EndsLoading):
    """Holds up the process that loads it, but for the first one."""

    def lie(self) -> None:
        time.sleep(600)


class HangsAtOnce(Honest):
    """Holds up any process that loads it."""

    def __init__(self) -> None:
        time.sleep(600)
