"""Wrong whole messages, and wrong answers about them."""

from dataclasses import dataclass, replace
from typing import Any

from conformance.codec.loaded_adapter import LoadedAdapter
from reference import CodecError, MessageSchema
from tests.mutants.mutant import Mutant, mutants
from tests.mutants.single_faults.ways import refuse_if
from tests.second_codec.steps import ContentWay, NotTaken


@dataclass(frozen=True)
class KeepsRest(Mutant):
    """A byte written of a refused value goes before the next message."""

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


def _back_of_null(wire: bytes) -> bytes:
    """Skip the length -1 of null, so that the next field begins in its last byte."""
    return wire[:2] + wire[1:] if wire.startswith(b"\xff\xff") else wire


def _byte_lost_at_64_kib(wire: bytes) -> bytes:
    """Write zero for the byte at which a buffer of 64 KiB grows."""
    return wire[: 2**16] + b"\0" * (len(wire) > 2**16) + wire[2**16 + 1 :]


def _size_of_long_messages(size: int) -> int:
    """Count one byte for each length in the size, too few for messages of 128 bytes and more."""
    return size - (size >= 128)


def _without_end(own: int, given: int) -> int:
    """Read the bytes after a message as another one, without end."""
    if own != given:
        raise RecursionError
    return own


NO_ZEROS = ContentWay(raw=refuse_if(lambda wire: not any(wire)))
"""A message of nothing but zeros is taken for padding."""
WAYS = {
    "message-of-zeros-not-read": NO_ZEROS,
    "message-of-zeros-not-written": NO_ZEROS,
    "null-skipped-as-one-byte-back": ContentWay(raw=_back_of_null),
    "newline-after-each-message": ContentWay(raw=lambda wire: wire + b"\n"),
    "buffer-cut-at-64-kib": ContentWay(raw=lambda wire: wire[: 2**16]),
    "byte-lost-at-64-kib": ContentWay(raw=_byte_lost_at_64_kib),
}
ALL = "MetadataRequest-v8..9"

MUTANTS = (
    *mutants(WAYS),
    Mutant("size-one-short", "codec.size", ALL, size=lambda size: size - 1),
    Mutant("size-of-long-messages-short", "codec.size", "FindCoordinatorRequest-v2..3", size=_size_of_long_messages),
    Mutant("what-follows-read-without-end", "codec.survival", ALL, consumed=_without_end),
    KeepsRest("rest-of-a-refused-value-written", "codec.stateless", ALL),
    Mutant("consumed-counts-what-follows", "codec.consumed", ALL, consumed=lambda _own, given: given),
)
