"""Messages as they are stored, behind numbers that are wrong or not looked at."""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.adapter import StoredMessage
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.session import Session
from conformance.judge.checks.stored_cases import stored_checks
from conformance.judge.engine import run
from reference import (
    CodecError,
    Malformed,
    MessageSchema,
    Reason,
    Release,
    decode_prefixed,
    decode_record,
    encode_prefixed,
    encode_record,
    load_release,
)
from tests.helpers.releases import BASE
from tests.mutants.mutant import selected

if TYPE_CHECKING:
    from conformance.judge.case import Event

Tamper = Callable[[bytes], bytes]

RELEASE = load_release(BASE)
HIGHEST_INT16 = 2**15 - 1


def same(wire: bytes) -> bytes:
    return wire


def refuse() -> Malformed:
    """What a reader raises that does not find what it expects."""
    return Malformed("prefix.unknown", Reason.TRUNCATED, 0, "prefix")


def without(start: int, end: int) -> Tamper:
    return lambda wire: wire[:start] + wire[end:]


def in_front(piece: bytes) -> Tamper:
    return lambda wire: piece + wire


def behind(piece: bytes) -> Tamper:
    """Everything else stands behind these bytes, or is refused."""

    def taken(wire: bytes) -> bytes:
        if not wire.startswith(piece):
            raise refuse()
        return wire[len(piece) :]

    return taken


def turned(wire: bytes) -> bytes:
    return wire[1::-1] + wire[2:]


def wide(wire: bytes) -> bytes:
    """The int16 in front as an int32."""
    return b"\0\0" + wire


def narrowed(wire: bytes) -> bytes:
    return behind(b"\0\0")(wire)


def numbers(wire: bytes) -> tuple[list[int], bytes]:
    """The three unsigned varints in front of a record, and what follows."""
    found, at = [], 0
    for _ in range(3):
        number, shift = 0, 0
        while True:
            if at == len(wire) or shift > 28:
                raise refuse()
            number |= (wire[at] & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if wire[at - 1] < 0x80:
                break
        found.append(number % 2**32)
    return found, wire[at:]


def changed(change: Callable[[list[int]], list[int]]) -> Tamper:
    """The three numbers changed, each of which takes one byte afterwards, or is refused."""

    def tampered(wire: bytes) -> bytes:
        found, body = numbers(wire)
        new = change(found)
        if not all(0 <= number < 0x80 for number in new):
            raise refuse()
        return bytes(new) + body

    return tampered


def any_frame_version(found: list[int]) -> list[int]:
    return [1, *found[1:]] if found[0] <= HIGHEST_INT16 else found


def unknown_as_no_op(found: list[int]) -> list[int]:
    """A type that is not known is taken for that of NoOpRecord."""
    known = {schema.api_key for schema in RELEASE.schemas() if schema.kind == "metadata"}
    return found if found[1] in known else [found[0], 20, 0]


def low_bits_of_version(found: list[int]) -> list[int]:
    """The version is cut to 16 bits."""
    return [*found[:2], found[2] % 2**16]


def swapped(found: list[int]) -> list[int]:
    return [found[0], found[2], found[1]]


def zigzag(found: list[int]) -> list[int]:
    return [number * 2 for number in found]


def unzigzag(found: list[int]) -> list[int]:
    return [number // 2 if number % 2 == 0 else -1 for number in found]


def fixed(wire: bytes) -> bytes:
    """Type and version as one int16 each."""
    return wire[:1] + struct.pack(">hh", wire[1], wire[2]) + wire[3:]


def varied(wire: bytes) -> bytes:
    if len(wire) < 5 or wire[1] or wire[3]:
        raise refuse()
    return bytes([wire[0], wire[2], wire[4]]) + wire[5:]


@dataclass(frozen=True)
class StoredMutant:
    """One implementation that is wrong in what it stores."""

    name: str
    rule: str
    pairs: str
    writes: Tamper = same
    reads: Tamper = same
    ignores_rest: bool = False
    """Whether bytes behind a record are left alone."""

    def check(self, session: Session) -> Iterator["Event"]:
        """What comes of the deterministic checks of its messages."""
        for schema in self.schemas():
            yield from run(session, stored_checks(session, schema))

    def schemas(self) -> list[MessageSchema]:
        return selected(RELEASE.name, self.pairs)

    def adapter(self) -> LoadedAdapter:
        return LoadedAdapter(
            spec="",
            name=self.name,
            version="0",
            supported={"encode": {}, "decode": {}},
            encode_prefixed=lambda schema, value: self.writes(encode_prefixed(schema, value)),
            decode_prefixed=self._decode_prefixed,
            encode_record=lambda schema, value: self.writes(encode_record(schema, value)),
            decode_record=self._decode_record,
            rejections=(CodecError,),
            capabilities=frozenset({"unknown-tags"}),
        )

    def _decode_prefixed(self, release: Release, message: str, wire: bytes) -> StoredMessage:
        return _stored(decode_prefixed(release, message, self.reads(wire)))

    def _decode_record(self, release: Release, source: str, wire: bytes) -> StoredMessage:
        sound = self.reads(wire)
        try:
            return _stored(decode_record(release, sound, source=source))
        except Malformed as error:
            if not self.ignores_rest or error.rule != "record.trailing-bytes":
                raise
            return _stored(decode_record(release, sound[: error.offset], source=source))


def _stored(found: Any) -> StoredMessage:
    return StoredMessage(found.schema.message, found.schema.version, found.value)


VERSIONED = "ConsumerProtocolSubscription,OffsetCommitValue"
TYPED = "OffsetCommitKey,ConsumerGroupMetadataKey"
RECORDS = "TopicRecord,RegisterBrokerRecord,NoOpRecord"

PREFIXES = (
    StoredMutant(
        "version-missing",
        "prefix.version",
        "OffsetCommitValue-v3,ConsumerProtocolSubscription-v3",
        without(0, 2),
        in_front(b"\0\3"),
    ),
    StoredMutant("version-not-written", "prefix.version", VERSIONED, without(0, 2)),
    StoredMutant("version-as-int32", "prefix.version", VERSIONED, wide, narrowed),
    StoredMutant("version-read-as-int32", "prefix.version", VERSIONED, reads=narrowed),
    StoredMutant("version-little-endian", "prefix.version", VERSIONED, turned, turned),
    StoredMutant("type-missing", "prefix.type", "OffsetCommitKey", without(0, 2), in_front(b"\0\1")),
    StoredMutant("type-as-int32", "prefix.type", TYPED, wide, narrowed),
    StoredMutant("type-little-endian", "prefix.type", TYPED, turned, turned),
    StoredMutant("version-for-type", "prefix.type", "OffsetCommitKey", lambda wire: b"\0\0" + wire[2:]),
)

RECORD_FRAMES = (
    StoredMutant("frame-version-missing", "record.frame-version", RECORDS, without(0, 1), in_front(b"\1")),
    StoredMutant("frame-version-0", "record.frame-version", RECORDS, lambda wire: b"\0" + wire[1:]),
    StoredMutant("frame-version-ignored", "record.frame-version", RECORDS, reads=changed(any_frame_version)),
    StoredMutant("signed-numbers", "record.frame-version", RECORDS, changed(zigzag), changed(unzigzag)),
    StoredMutant("unknown-type-read", "record.type", RECORDS, reads=changed(unknown_as_no_op)),
    StoredMutant("type-and-version-swapped", "record.type", RECORDS, changed(swapped), changed(swapped)),
    StoredMutant("version-cut-to-16-bits", "record.version", RECORDS, reads=changed(low_bits_of_version)),
    StoredMutant("version-of-record-not-written", "record.version", "TopicRecord,NoOpRecord", without(2, 3)),
    StoredMutant("rest-of-a-record-ignored", "record.trailing-bytes", RECORDS, ignores_rest=True),
)

MUTANTS = (*PREFIXES, *RECORD_FRAMES)
"""Every mutant of stored messages."""
