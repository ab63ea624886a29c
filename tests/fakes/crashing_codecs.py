"""Codecs with one severe fault each, named in its docstring.

Most of them end or hold up their process. Those that fail on reading do so on one input only, HeartbeatResponse without
any bytes, so that a run costs one deadline and not a hundred. Those that fail on writing do so on one value.
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

NOISE = b"debug: decoding, and logging every byte\n" * 2_000
"""More bytes than a pipe holds."""


class OnNothing(Triggered):
    """Lies at an empty input only, see `lie`."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        is_sound = data or schema.message != "HeartbeatResponse"
        return Honest.decode(self, schema, data) if is_sound else self.lie()


class HangsOnNothing(OnNothing, Hangs):
    """Never returns."""


class HangsOnNothingAnywhere(Honest):
    """Never returns for a message without any bytes, of any schema."""

    def supported(self) -> Mapping[str, Iterable[int]]:
        return {"HeartbeatResponse": range(3), "HeartbeatRequest": range(3)}

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        return super().decode(schema, data) if data else time.sleep(600)


class AbortsOnNothing(OnNothing, Aborts):
    """Ends the process."""


class AllocatesOnNothing(OnNothing, Allocates):
    """Trusts a length."""


class ExitsOnNothing(OnNothing, ExitsAtOnce):
    """Ends the process without a signal."""


class Noisy(Honest):
    """Prints more than a pipe holds at every call, from Python and from below."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        print(NOISE.decode())  # noqa: T201  # that is the lie
        os.write(1, NOISE)
        os.write(2, NOISE)
        return super().decode(schema, data)


class NoisyOnStandardError(Honest):
    """Logs more than a pipe holds to standard error, which is no fault."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        os.write(2, NOISE)
        return super().decode(schema, data)


class KeepsHalfWritten(Honest):
    """Keeps the half-written bytes of a refused value in its buffer."""

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
    """Continues at the place of the last rejection when it reads the next bytes."""

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
    """Reads zeros after a refused value, by one buffer for both directions."""

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
    """Returns a value without reading the bytes."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        try:
            return super().decode(schema, data)
        except reference.Malformed:
            return reference.default(schema)


class OverwritesItsInput(Honest):
    """Decodes in place, and so changes the bytes of the caller."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        """Turn the first byte round, past Python's own protection.

        Bytes of length one are shared by all of Python, so they are left alone.
        """
        value = super().decode(schema, data)
        if len(data) > 1:
            first = id(data) + bytes.__basicsize__ - 1
            ctypes.memset(first, data[0] ^ 0xFF, 1)
        return value


def is_in_child() -> bool:
    spec = sys.modules["__main__"].__spec__
    return spec is not None and spec.name.startswith("conformance.codec.bridge")


class ExitsAtTheStart(Honest):
    """Fails to be created in the child."""

    def __init__(self) -> None:
        if is_in_child():
            sys.exit("no configuration for this process")


class AbortsAtTheStart(Honest):
    """Aborts the child when it is created there."""

    def __init__(self) -> None:
        if is_in_child():
            os.abort()


class StartsSlowly(Honest):
    """Takes longer to start than one decode may take, which is no fault."""

    def __init__(self) -> None:
        if is_in_child():
            time.sleep(4)


DEADLY = 9639
"""An error code that these cannot write, from row 2 of HeartbeatResponse v0, generated with the seed 1."""


class EndsWriting(Honest):
    """Ends the process."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        if value.get("ErrorCode") == DEADLY:
            os.abort()
        return reference.encode(schema, value)


class HangsWriting(Honest):
    """Never returns."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        if value.get("ErrorCode") == DEADLY:
            time.sleep(600)
        return reference.encode(schema, value)


class EndsLoading(Honest):
    """Ends every process that loads it, except the first."""

    def supported(self) -> dict[str, list[int]]:
        if os.environ.get("LOADED"):
            self.lie()
        os.environ["LOADED"] = "1"
        return {"HeartbeatResponse": [0], "ApiVersionsRequest": [3]}

    def lie(self) -> None:
        os._exit(3)


class HangsLoading(EndsLoading):
    """Holds up every process that loads it, except the first."""

    def lie(self) -> None:
        time.sleep(600)


class HangsAtOnce(Honest):
    """Holds up every process that loads it."""

    def __init__(self) -> None:
        time.sleep(600)
