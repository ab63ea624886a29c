"""Adapters with one mistake each, named by the name, around a correct codec."""

import os
import shutil
import signal
from enum import Enum
from pathlib import Path
from typing import Any, NoReturn
from uuid import UUID

import reference
from conformance.adapter import Unrepresentable, Value
from reference import MessageSchema
from tests.fakes.faulty_codecs import CountsAll, LittleEndian
from tests.fakes.lies import OFFERED, Honest, lie, read

VERSIONS_AND_HEARTBEAT = {"ApiVersionsRequest": [3], "HeartbeatRequest": [4]}
SCHEMA = reference.load_release(reference.newest_release()).schema


def _everywhere(error: type[Exception], **parts: Any) -> type[Any]:
    """Return an adapter that raises in every function, as a mistake in its own first line does."""

    def fail(schema: MessageSchema, given: Any) -> NoReturn:
        raise error(f"name 'codec' is not defined ({schema}, {len(given)})")

    return lie(encode=fail, decode=fail, **parts)


RaisesOnEverything = _everywhere(NameError)
RejectsEverything = _everywhere(TypeError, rejections=(Exception,))
"""Declares the exception of its own mistake as a rejection."""
ReturnsHex = lie(
    encode=lambda schema, value: reference.encode(schema, value).hex(),
    decode=lambda schema, data: list(read(schema, data).values()),
)
"""Returns text instead of bytes, and a list instead of a dict."""


def _other(schema: MessageSchema) -> MessageSchema:
    return SCHEMA(*(("HeartbeatRequest", 4) if schema.message == "ApiVersionsRequest" else ("ApiVersionsRequest", 3)))


def _another(schema: MessageSchema, value: Value) -> bytes:
    other = _other(schema)
    return reference.encode(other, reference.minimal(other)) if value else b""


MixesUp = lie(
    supported=VERSIONS_AND_HEARTBEAT,
    encode=_another,
    decode=lambda schema, data: reference.minimal(_other(schema)) if data else {},
)
"""Takes one message for another."""


def _printed(schema: MessageSchema, wire: bytes) -> bytes:
    print("encoding", schema)  # noqa: T201  # this is the lie
    return wire


PrintsAlways = lie(written=_printed)


class AnswersDifferently(Honest):
    """Keeps a buffer from one call to the next."""

    buffer = b""

    def written(self, _schema: MessageSchema, wire: bytes) -> bytes:
        self.buffer += wire
        return self.buffer


class KeepsWhatIsNotSet(Honest):
    """Fills one object for all values that it writes, and keeps old content where the next value is zero or empty."""

    def start(self) -> None:
        self.held: dict[str, Any] = {}

    def given(self, _schema: MessageSchema, value: Value) -> Value:
        self.held = {name: item or self.held.get(name) or item for name, item in value.items()}
        return self.held


class ReadsIntoOneObject(Honest):
    """Reads every value of a message into the same object, without its zeros and empty fields."""

    def start(self) -> None:
        self.held: dict[str, dict[str, Any]] = {}

    def got(self, schema: MessageSchema, value: Value) -> Value:
        held = self.held.setdefault(schema.message, {})
        held.update({name: item for name, item in value.items() if item or name not in held})
        return dict(held)


class CountsMessages(Honest):
    """Writes another message after the first one with a byte too many."""

    last: str | None = None
    supported = staticmethod(lambda: VERSIONS_AND_HEARTBEAT)

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        is_other, self.last = self.last not in {None, schema.message}, schema.message
        return super().encode(schema, value) + bytes(is_other)


def _with_zero_uuid(_schema: MessageSchema, value: Value) -> Value:
    for topic in value["Topics"] or ():
        topic["TopicId"] = topic["TopicId"] or UUID(int=0)
    return value


TakesNullForZero = lie(supported={"MetadataRequest": [12]}, given=_with_zero_uuid)
"""Maps null to the zero UUID, as it maps the zero UUID to the codec's None."""
SaysZeroIsNull = lie(
    TakesNullForZero, representations=frozenset({"zero-uuid-as-null"}), notes=("only version 12 is tested",)
)
"""Declares its mapping, and so makes no mistake."""
TakesNullForMinusOne = lie(
    given=lambda schema, value: {name: -1 if item is None else item for name, item in value.items()}
)
"""Maps null to the codec's None, which stands for -1."""


class ForgetsItsConnection(Honest):
    """Reads frames with a connection that waits for one response only."""

    waiting = True

    def decode_frame(self, release: Any, direction: Any, api_key: int, api_version: int, data: bytes) -> Any:
        """As the reference, once."""
        if direction == "response" and not self.waiting:
            raise IndexError("pop from an empty deque")
        self.waiting &= direction == "request"
        return reference.decode_frame(release, direction, data, api_key=api_key, api_version=api_version)


WritesHeaders = lie(written=lambda schema, wire: bytes.fromhex("0003000100000001ffff") + wire)
"""Returns a header of version 1 without a client id, and the body, as a client writes them."""
WantsHeaders = lie(taken=lambda schema, data: data[4:] if schema.kind == "response" else data)
"""Passes its bytes to a client that reads header and body of responses together."""


def _without_folder(_schema: MessageSchema, value: Value) -> Value:
    folder = Path(os.environ["REMOVED_FOLDER"])
    shutil.rmtree(folder, ignore_errors=True)
    folder.touch()
    return value


RemovesItsFolder = lie(LittleEndian, given=_without_folder)
"""Puts a file in the place of the folder in a variable, at its first call."""


class Interrupts(Honest):
    """Sends Ctrl-C to the run once, from the first of several workers."""

    def start(self) -> None:
        worker = os.environ.get("PYTEST_XDIST_WORKER", "")
        self._to = {"": os.getpid(), "gw0": os.getppid()}.get(worker)

    def given(self, _schema: MessageSchema, value: Value) -> Value:
        if self._to is not None:
            os.kill(self._to, signal.SIGINT)
            self._to = None
        return value


MisnamesOneField = lie(
    got=lambda schema, value: {f"{name}s" if name == "ClientSoftwareName" else name: value[name] for name in value}
)
LosesOneField = lie(got=lambda schema, value: {name: value[name] for name in value if name != "ClientSoftwareVersion"})


class KnownError(Enum):
    """The errors known to the codec of `MapsToAnEnum`."""

    UNKNOWN = -1
    NONE = 0


def _as_enum(_schema: MessageSchema, value: Value) -> Value:
    if "ErrorCode" in value:
        KnownError(value["ErrorCode"])
    return value


def _checked(schema: MessageSchema, value: Value) -> Value:
    try:
        return _as_enum(schema, value)
    except ValueError as error:
        raise Unrepresentable(str(error)) from error


MapsToAnEnum = lie(rejections=(*Honest.rejections, ValueError), given=_as_enum)
"""Puts numbers into an enum without most of them, outside of the codec.

It declares the error of the enum as a rejection.
"""
ChecksItsEnum = lie(MapsToAnEnum, given=_checked)
"""Reports such a number as not representable, which is no mistake."""
WritesNullAsEmpty = lie(
    supported={"HeartbeatRequest": [3], "ApiVersionsResponse": [2]},
    given=lambda schema, value: {
        name: "" if item is None and name == "GroupInstanceId" else item for name, item in value.items()
    },
)
"""Writes null strings as empty ones, by a mistake of its codec and not of the adapter."""
ClaimsTooMuch = lie(supported={**OFFERED, "HeartbeatRequest": [4, 7, 8]})
"""Offers versions of no release."""


def _before(schema: MessageSchema) -> MessageSchema:
    return SCHEMA(schema.message, schema.version - 1)


def _of_before(schema: MessageSchema, value: Value) -> bytes:
    before = _before(schema)
    return reference.encode(before, {field.name: value.get(field.name, field.default) for field in before.fields})


OneVersionBelow = lie(
    supported={"HeartbeatRequest": [3, 4], "OffsetFetchRequest": [8], "JoinGroupRequest": [5, 9]},
    encode=_of_before,
    decode=lambda schema, data: read(_before(schema), data),
)
"""Calls the codec with the version before the requested one."""
CountsTheInput = CountsAll
