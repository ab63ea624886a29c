"""Calls and their outcomes in MessagePack, the form between the suite and its own child.

A message is a list of calls or replies, after its length in four bytes. Values without a form in MessagePack are
extensions: UUIDs, tuples, and numbers and texts beyond those of the protocol. Any other object is pickled in a call,
but not in a reply, since the codec under test may have written it.
"""

from __future__ import annotations

import pickle
import struct
from mmap import mmap
from typing import IO, TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec.msgpack import Decoder, Ext

from conformance.adapter import FrameContent, StoredMessage
from conformance.codec.bridge.transport import BadReply, ChildProcess
from conformance.targets.outcome import Kind, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from conformance.codec.bridge.transport import Reply, Starter
    from conformance.targets import Ask

LENGTH = 4
"""Bytes before a message, with its length."""

FAILED = "failed"
"""The member of a reply with the traceback of a mistake of the suite's own, in the place of an outcome."""

_UUID, _NUMBER, _TEXT, _TUPLE, _PAIRS, _FRAME, _STORED, _OBJECT = range(1, 9)
_LOWEST, _HIGHEST = -(2**63), 2**64 - 1

_COUNT = struct.Struct("=Q")

_ENCODER = msgspec.msgpack.Encoder()


class Call(NamedTuple):
    """One call, its target by folder, message and version, and its content in a portable form."""

    what: str
    folder: str
    message: str
    version: int
    content: Any = None


def kind_of_call(call: Call) -> str:
    """Return the request and message of a call. After a call has ended the child, others of its kind are skipped."""
    return f"{call.what} {call.message}"


def unit_of_call(call: Call) -> str:
    """Return the request, message and version of a call."""
    return f"{kind_of_call(call)} {call.version}"


def call_of(ask: Ask) -> Call:
    """Return the call for a request to an implementation."""
    target = ask.target
    return Call(ask.what, target.folder, target.message, target.version, portable(ask.content))


def size_of(call: Call) -> int:
    """Return the number of bytes of a call's content."""
    return len(call.content) if isinstance(call.content, bytes) else len(_ENCODER.encode(portable(call.content)))


def packed(items: Sequence[Any]) -> bytes:
    """Return a message of calls or replies in portable forms."""
    data = _ENCODER.encode(items)
    return len(data).to_bytes(LENGTH) + data


def unpacked_calls(buffer: bytearray) -> Iterator[list[Any]]:
    """Yield the complete messages of calls in a buffer, unpickled as only the suite writes them, and remove them."""
    return _unpacked(buffer, _CALLS)


def unpacked_replies(buffer: bytearray) -> Iterator[list[Any]]:
    """Yield the complete messages of replies in a buffer, and remove them from it.

    Raises:
        ValueError: the buffer does not begin with a message.
        LookupError: a message has an unknown extension.
    """
    return _unpacked(buffer, _REPLIES)


def _unpacked(buffer: bytearray, decoder: Decoder[Any]) -> Iterator[list[Any]]:
    while len(buffer) >= LENGTH:
        end = LENGTH + int.from_bytes(buffer[:LENGTH])
        if len(buffer) < end:
            return
        items = decoder.decode(memoryview(buffer)[LENGTH:end])
        del buffer[:end]
        yield items


class CallCounter:
    """The number of calls that a child has taken up, in a file shared with the suite that outlives the child."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        file.truncate(_COUNT.size)
        self._shared = mmap(file.fileno(), _COUNT.size)

    @property
    def descriptor(self) -> int:
        """The file descriptor."""
        return self._file.fileno()

    @property
    def taken(self) -> int:
        """The number of calls taken up."""
        count: int
        (count,) = _COUNT.unpack(self._shared)
        return count

    @taken.setter
    def taken(self, count: int) -> None:
        _COUNT.pack_into(self._shared, 0, count)

    def close(self) -> None:
        """Close the file."""
        self._shared.close()
        self._file.close()


class PackedProcess(ChildProcess):
    """The suite's own child, with many calls in one message. `counter` tells the call taken up at its end."""

    def __init__(self, starter: Starter, counter: CallCounter | None = None, *, deadline: float) -> None:
        self._counter = counter
        super().__init__(starter, deadline=deadline)

    def _packed(self, batch: Sequence[Any]) -> bytes:
        return packed(batch)

    def _take(self, piece: bytes) -> Iterator[Reply]:
        self._incoming += piece
        try:
            for replies in unpacked_replies(self._incoming):
                if self._answered + len(replies) > self._sent:
                    raise BadReply(piece)
                yield from replies
        except (ValueError, TypeError, LookupError) as error:
            raise BadReply(piece) from error

    def _lost(self) -> int:
        return 0 if self._counter is None else max(0, self._counter.taken - self._answered - 1)


def reply_of(outcome: Outcome) -> Reply:
    """Return the reply with an outcome."""
    reply: Reply = {"outcome": str(outcome.kind)}
    if outcome.wire is not None:
        reply["wire"] = outcome.wire
    if outcome.kind is Kind.VALUE:
        reply["value"] = portable(outcome.value)
    if outcome.consumed is not None:
        reply["consumed"] = outcome.consumed
    if outcome.text:
        reply["text"] = outcome.text
    if outcome.reason:
        reply["reason"] = outcome.reason
    if outcome.kind is Kind.UNCLASSIFIED:
        reply["raisedIn"] = outcome.raised_in
        reply["place"] = outcome.place
    return reply


def outcome_of(reply: Reply) -> Outcome:
    """Return the outcome in a reply, or raise RuntimeError if the suite's own code has failed in the child."""
    if FAILED in reply:
        raise RuntimeError(f"a mistake of the suite's own in its child process: {reply[FAILED]}")
    kind = Kind(reply["outcome"])
    words = (reply.get(name, "") for name in ("text", "reason", "raisedIn", "place"))
    return Outcome(kind, reply.get("wire"), reply.get("value"), reply.get("consumed"), *words)


def portable(value: Any) -> Any:
    """Return a value with an extension in the place of everything without a form in MessagePack."""
    convert = _FORMS.get(type(value), _object)
    return value if convert is None else convert(value)


def _text(value: str) -> Any:
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return Ext(_TEXT, value.encode(errors="surrogatepass"))
    return value


def _number(value: int) -> Any:
    return value if _LOWEST <= value <= _HIGHEST else Ext(_NUMBER, f"{value:x}".encode())


def _dict(value: dict[Any, Any]) -> Any:
    copy = {name: portable(item) for name, item in value.items()}
    if {*map(type, copy)} <= _TEXTS and all(map(str.isascii, copy)):
        return copy
    return Ext(_PAIRS, _ENCODER.encode([[portable(name), item] for name, item in copy.items()]))


def _list(value: Iterable[Any]) -> list[Any]:
    return [portable(item) for item in value]


def _object(value: Any) -> Any:
    return Ext(_OBJECT, pickle.dumps(value))


_TEXTS = {str}

_FORMS: Mapping[type, Callable[[Any], Any] | None] = {
    **dict.fromkeys((type(None), bool, float, bytes, Ext)),
    str: _text,
    int: _number,
    dict: _dict,
    list: _list,
    UUID: lambda value: Ext(_UUID, value.bytes),
    tuple: lambda value: Ext(_TUPLE, _ENCODER.encode(_list(value))),
    FrameContent: lambda value: Ext(_FRAME, _ENCODER.encode(_list(vars(value).values()))),
    StoredMessage: lambda value: Ext(_STORED, _ENCODER.encode(_list(vars(value).values()))),
}
"""The function for the portable form of each type, or None for a type that is portable."""

_VALUES: Mapping[int, Callable[[memoryview, Callable[[memoryview], Any]], Any]] = {
    _UUID: lambda data, _: UUID(bytes=bytes(data)),
    _NUMBER: lambda data, _: int(bytes(data), 16),
    _TEXT: lambda data, _: bytes(data).decode(errors="surrogatepass"),
    _TUPLE: lambda data, decode: tuple(decode(data)),
    _PAIRS: lambda data, decode: dict(decode(data)),
    _FRAME: lambda data, decode: FrameContent(*decode(data)),
    _STORED: lambda data, decode: StoredMessage(*decode(data)),
}
"""The function for the value in an extension, by its code, with the decoder of what is inside."""


def _decoder(values: Mapping[int, Callable[[memoryview, Callable[[memoryview], Any]], Any]]) -> Decoder[Any]:
    decoder: Decoder[Any] = Decoder(ext_hook=lambda code, data: values[code](data, decoder.decode))
    return decoder


_REPLIES = _decoder(_VALUES)
_CALLS = _decoder({**_VALUES, _OBJECT: lambda data, _: pickle.loads(data)})  # noqa: S301  # see `unpacked_calls`
