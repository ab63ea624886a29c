"""Messages that are sound in each of their parts, and wrong as a whole; and what is said of them."""

from dataclasses import dataclass, replace
from typing import Any, NoReturn

from conformance.codec.loaded_adapter import LoadedAdapter
from reference import CodecError, MessageSchema
from tests.mutants.mutant import Mutant
from tests.second_codec.steps import NotTaken


@dataclass(frozen=True)
class KeepsRest(Mutant):
    """A byte that was written of a refused value goes before the next message."""

    def adapter(self) -> LoadedAdapter:
        sound, rest = super().adapter(), bytearray()

        def encode(schema: MessageSchema, value: dict[str, Any]) -> bytes:
            try:
                wire = self.write(schema, value)
            except (CodecError, NotTaken):
                rest.append(0)
                raise
            written = bytes(rest) + wire
            rest.clear()
            return written

        return replace(sound, encode=encode)


class Refused(CodecError):
    """What a mutant says when it refuses."""


def refuse() -> NoReturn:
    raise Refused


def zeros_refused(wire: bytes) -> bytes:
    """A message of nothing but zeros is taken for padding."""
    return wire if any(wire) else refuse()


def back_of_null(wire: bytes) -> bytes:
    """The length -1 of null is skipped, so that the next field begins in the last byte of it."""
    return wire[:2] + wire[1:] if wire.startswith(b"\xff\xff") else wire


def newline_after(wire: bytes) -> bytes:
    return wire + b"\n"


def cut_at_64_kib(wire: bytes) -> bytes:
    """A buffer of 64 KiB does not grow: what is written beyond it is lost."""
    return wire[: 2**16]


def byte_lost_at_64_kib(wire: bytes) -> bytes:
    """The byte at which a buffer of 64 KiB grows is zero."""
    return wire[: 2**16] + b"\0" * (len(wire) > 2**16) + wire[2**16 + 1 :]


def one_short(size: int) -> int:
    return size - 1


def size_of_long_messages(size: int) -> int:
    """The size counts one byte for each length, however long: it is short for messages of 128 bytes and more."""
    return size - (size >= 128)


def without_end(own: int, given: int) -> int:
    """What follows a message is read as another one, and so on without end."""
    if own != given:
        raise RecursionError
    return own


def everything(_own: int, given: int) -> int:
    """What follows the message is counted as consumed."""
    return given


MUTANTS = (
    Mutant("message-of-zeros-not-read", "message.accepted", "HeartbeatRequest-v0..2", read=zeros_refused),
    Mutant("message-of-zeros-not-written", "message.writable", "HeartbeatRequest-v0..2", written=zeros_refused),
    Mutant("null-skipped-as-one-byte-back", "null.legacy", "ProduceRequest-v3..8", read=back_of_null),
    Mutant("newline-after-each-message", "message.nothing-else", "MetadataRequest-v8..9", written=newline_after),
    Mutant("buffer-cut-at-64-kib", "bytes.payload", "SaslAuthenticateRequest-v1..2", written=cut_at_64_kib),
    Mutant("byte-lost-at-64-kib", "string.utf8", "DeleteGroupsRequest-v1..2", written=byte_lost_at_64_kib),
    Mutant("size-one-short", "codec.size", "MetadataRequest-v8..9", size=one_short),
    Mutant("size-of-long-messages-short", "codec.size", "FindCoordinatorRequest-v2..3", size=size_of_long_messages),
    Mutant("what-follows-read-without-end", "codec.survival", "MetadataRequest-v8..9", consumed=without_end),
    KeepsRest("rest-of-a-refused-value-written", "codec.stateless", "MetadataRequest-v8..9"),
    Mutant("consumed-counts-what-follows", "codec.consumed", "MetadataRequest-v8..9", consumed=everything),
)
