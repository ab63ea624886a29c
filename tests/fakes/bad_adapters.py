"""Adapters with one mistake each, around a correct codec.

The docstring of each names its mistake.
"""

import os
import shutil
import signal
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any
from uuid import UUID

import reference
from conformance.adapter import Decoded, Unrepresentable, Value
from reference import MessageSchema
from tests.fakes.faulty_codecs import Honest, LittleEndian


class RaisesOnEverything(Honest):
    """Raises in every function, as a mistake in the adapter's own first line does."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        raise NameError(f"name 'codec' is not defined ({schema}, {len(value)})")

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        raise NameError(f"name 'codec' is not defined ({schema}, {len(data)})")


class RejectsEverything(Honest):
    """Declares the exception of its own mistake as a rejection."""

    rejections = (Exception,)

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        raise TypeError(f"{schema}, {len(value)}")

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        raise TypeError(f"{schema}, {len(data)}")


class ReturnsHex(Honest):
    """Returns text instead of bytes, and a list instead of a dict."""

    def encode(self, schema: MessageSchema, value: Value) -> Any:
        return reference.encode(schema, value).hex()

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        return list(reference.decode(schema, data).value.values())


class MixesUp(Honest):
    """Takes one message for another."""

    def supported(self) -> Mapping[str, Iterable[int]]:
        return {"ApiVersionsRequest": [3], "HeartbeatRequest": [4]}

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        other = _other(schema)
        return reference.encode(other, reference.minimal(other)) if value else b""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        return reference.minimal(_other(schema)) if data else {}


def _other(schema: MessageSchema) -> MessageSchema:
    release = reference.load_release(reference.newest_release())
    name, version = ("HeartbeatRequest", 4) if schema.message == "ApiVersionsRequest" else ("ApiVersionsRequest", 3)
    return release.schema(name, version)


class PrintsAlways(Honest):
    """Prints to standard output."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        print("encoding", schema)  # noqa: T201  # this is the lie
        return super().encode(schema, value)


class AnswersDifferently(Honest):
    """Keeps a buffer from one call to the next."""

    def __init__(self) -> None:
        self.buffer = b""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        self.buffer += super().encode(schema, value)
        return self.buffer


class KeepsWhatIsNotSet(Honest):
    """Fills one object for all values that it writes, and keeps old content where the next value is zero or empty."""

    def __init__(self) -> None:
        self.held: dict[str, Any] = {}

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        self.held = {name: item or self.held.get(name) or item for name, item in value.items()}
        return super().encode(schema, self.held)


class ReadsIntoOneObject(Honest):
    """Reads every value of a message into the same object, without its zeros and empty fields."""

    def __init__(self) -> None:
        self.held: dict[str, dict[str, Any]] = {}

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        held = self.held.setdefault(schema.message, {})
        value = super().decode(schema, data)
        held.update({name: item for name, item in value.items() if item or name not in held})
        return dict(held)


class CountsMessages(Honest):
    """Writes another message after the first one with a byte too many."""

    def __init__(self) -> None:
        self.last: str | None = None

    def supported(self) -> Mapping[str, Iterable[int]]:
        return {"ApiVersionsRequest": [3], "HeartbeatRequest": [4]}

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        is_other, self.last = self.last not in {None, schema.message}, schema.message
        return super().encode(schema, value) + bytes(is_other)


class TakesNullForZero(Honest):
    """Maps null to the zero UUID, as it maps the zero UUID to the codec's None."""

    def supported(self) -> Mapping[str, Iterable[int]]:
        """A message with a UUID."""
        return {"MetadataRequest": [12]}

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """As the reference, with the zero UUID for null."""
        for topic in value["Topics"] or ():
            topic["TopicId"] = topic["TopicId"] or UUID(int=0)
        return super().encode(schema, value)


class SaysZeroIsNull(TakesNullForZero):
    """Declares its mapping, and so makes no mistake."""

    representations = frozenset({"zero-uuid-as-null"})
    notes = ("only version 12 is tested",)


class TakesNullForMinusOne(Honest):
    """Maps null to the codec's None, which stands for -1."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """As the reference, with -1 for null."""
        return super().encode(schema, {name: -1 if item is None else item for name, item in value.items()})


class ForgetsItsConnection(Honest):
    """Reads frames with a connection that waits for one response only."""

    def __init__(self) -> None:
        """Wait for one response."""
        self.waiting = True

    def decode_frame(self, release: Any, direction: Any, api_key: int, api_version: int, data: bytes) -> Any:
        """As the reference, once."""
        if direction == "response" and not self.waiting:
            raise IndexError("pop from an empty deque")
        self.waiting &= direction == "request"
        return reference.decode_frame(release, direction, data, api_key=api_key, api_version=api_version)


class WritesHeaders(Honest):
    """Returns a header of version 1 without a client id, and the body, as a client writes them."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        return bytes.fromhex("0003000100000001ffff") + super().encode(schema, value)


class WantsHeaders(Honest):
    """Passes its bytes to a client that reads header and body of responses together."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        return super().decode(schema, data[4:] if schema.kind == "response" else data)


class RemovesItsFolder(LittleEndian):
    """Puts a file in the place of the folder in a variable, at its first call."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        shutil.rmtree(os.environ["REMOVED_FOLDER"], ignore_errors=True)
        Path(os.environ["REMOVED_FOLDER"]).touch()
        return super().encode(schema, value)


class Interrupts(Honest):
    """Sends Ctrl-C to the run once, from the first of several workers."""

    def __init__(self) -> None:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "")
        self._to = {"": os.getpid(), "gw0": os.getppid()}.get(worker)

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        if self._to is not None:
            os.kill(self._to, signal.SIGINT)
            self._to = None
        return super().encode(schema, value)


class MisnamesOneField(Honest):
    """Gives one field another name."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        value = dict(reference.decode(schema, data).value)
        return {f"{name}s" if name == "ClientSoftwareName" else name: item for name, item in value.items()}


class LosesOneField(Honest):
    """Leaves one field out of its result."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        value = reference.decode(schema, data).value
        return {name: item for name, item in value.items() if name != "ClientSoftwareVersion"}


class MapsToAnEnum(Honest):
    """Puts numbers into an enum without most of them, outside of the codec.

    It declares the error of the enum as a rejection.
    """

    rejections = (*Honest.rejections, ValueError)

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        if "ErrorCode" in value:
            KnownError(value["ErrorCode"])
        return super().encode(schema, value)


class KnownError(Enum):
    """The errors known to the codec of `MapsToAnEnum`."""

    UNKNOWN = -1
    NONE = 0


class ChecksItsEnum(MapsToAnEnum):
    """Reports such a number as not representable, which is no mistake."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        try:
            return super().encode(schema, value)
        except ValueError as error:
            raise Unrepresentable(str(error)) from error


class WritesNullAsEmpty(Honest):
    """Writes null strings as empty ones, by a mistake of its codec and not of the adapter."""

    def supported(self) -> Mapping[str, Iterable[int]]:
        return {"HeartbeatRequest": [3], "ApiVersionsResponse": [2]}

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        filled = {name: "" if item is None and name == "GroupInstanceId" else item for name, item in value.items()}
        return super().encode(schema, filled)


class ClaimsTooMuch(Honest):
    """Offers versions of no release."""

    def supported(self) -> Mapping[str, Iterable[int]]:
        return {**super().supported(), "HeartbeatRequest": [4, 7, 8]}


class OneVersionBelow(Honest):
    """Calls the codec with the version before the requested one."""

    def supported(self) -> Mapping[str, Iterable[int]]:
        return {"HeartbeatRequest": [3, 4], "OffsetFetchRequest": [8], "JoinGroupRequest": [5, 9]}

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        before = _before(schema)
        return reference.encode(before, {field.name: value.get(field.name, field.default) for field in before.fields})

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        return reference.decode(_before(schema), data).value


def _before(schema: MessageSchema) -> MessageSchema:
    return reference.load_release(reference.newest_release()).schema(schema.message, schema.version - 1)


class CountsTheInput(Honest):
    """Reports the length of the whole input as read, for any input."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        value, _ = reference.decode_leniently(schema, data)
        return Decoded(value, len(data))
