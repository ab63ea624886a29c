"""Record batches taken apart and put together again, by writers and readers that are wrong on purpose."""

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.record_claims import EVERY_RECORD, RecordsClaims
from conformance.codec.session import Session
from conformance.codec.targets import RecordsField
from conformance.generate.records.building import changed, sealed
from conformance.generate.records.records_edges import GROUPS
from conformance.judge.checks.hostile_record_cases import RecordsBytesCase, hostile_records_cases
from conformance.judge.checks.record_cases import records_value_cases
from conformance.judge.checks.record_scope import outside
from conformance.judge.checks.unencodable_record_cases import unencodable_records_cases
from conformance.judge.engine import run
from reference import CodecError, Malformed, Reason, RecordsVerdict, Unencodable, encode_records
from reference.paths import Path
from reference.records.compression import CODECS, NAMES
from reference.records.compression.base import Stream
from reference.records.layouts import BATCH_HEADER, HEADER_SIZE, LENGTH, MAGIC_AT, OVERHEAD
from reference.records.reading import Reading, default_limit
from reference.records.records_field import read_field
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from conformance.judge.case import Event

Value = dict[str, Any]
Write = Callable[[Value], bytes]
Read = Callable[[bytes], Value]
Tamper = Callable[[bytes], bytes]

BATCH = 2


def read_leniently(wire: bytes, reader: type[LenientReader] = LenientReader, reading: type[Reading] = Reading) -> Value:
    """Read what Apache Kafka's consumer reads, but for what the two classes do otherwise."""
    return read_field(reading(reader(wire), default_limit(wire)))


class JudgedOnce(RecordsField):
    """The field, with the same bytes judged once for all mutants.

    To judge takes as long as to read.
    """

    @cache  # noqa: B019  # one field for each release, kept as long as its cases are
    def observe(self, wire: bytes, *, check_crc: bool = True) -> RecordsVerdict:
        return super().observe(wire, check_crc=check_crc)


@cache
def hostile_cases(release: str, group: str) -> Sequence[RecordsBytesCase]:
    """Every hostile input of a group, as the suite tries it."""
    field_ = JudgedOnce(release)
    return [replace(case, of=field_) for case in hostile_records_cases(release, group)]


@dataclass(frozen=True)
class RecordsMutant:
    """One codec of record batches that is wrong in one way."""

    name: str
    rule: str
    writes: Write = encode_records
    reads: Read = field(default=read_leniently)
    claims: RecordsClaims = EVERY_RECORD

    def adapter(self) -> LoadedAdapter:
        return LoadedAdapter(
            spec="",
            name=self.name,
            version="0",
            supported={"encode": {}, "decode": {}},
            encode_records=self.writes,
            decode_records=self.reads,
            records=self.claims,
            rejections=(CodecError,),
        )

    def check(self, session: Session) -> Iterator["Event"]:
        """What comes of the deterministic checks, in this process."""
        for group in GROUPS:
            yield from run(session, records_value_cases(session, group))
            if not outside(session.implementation.records, group):
                yield from run(session, hostile_cases(session.release.name, group))
            yield from run(session, unencodable_records_cases(session, group))


def refuse(rule: str) -> Malformed:
    """What a reader raises that does not find what it expects."""
    return Malformed(rule, Reason.TRUNCATED, 0, "")


def overlooking(*rules: str) -> Read:
    """A reader that goes on where these rules are broken."""

    class Overlooking(LenientReader):
        def malformed(self, rule: str, reason: Reason, offset: int, path: Path, detail: str = "") -> Any:
            if rule not in rules:
                super().malformed(rule, reason, offset, path, detail)

        def read(self, size: int | None = None, /) -> bytes:
            return b"" if size is not None and size < 0 else super().read(size)

    return lambda wire: read_leniently(wire, Overlooking)


def refusing(rule: str) -> Read:
    """A reader that stops where this rule is noted."""

    class Refusing(LenientReader):
        def note(self, rule_here: str, offset: int, path: Path) -> None:
            if rule_here == rule:
                self.truncated(path)
            super().note(rule_here, offset, path)

    return lambda wire: read_leniently(wire, Refusing)


def skipping(rule: str) -> Read:
    """A reader that passes over each batch that breaks a rule."""

    def read(wire: bytes) -> Value:
        kept = [part for part in parts(wire) if not _breaks(part, rule)]
        return read_leniently(b"".join(kept))

    return read


def _breaks(part: bytes, rule: str) -> bool:
    try:
        read_leniently(part)
    except Malformed as error:
        return error.rule == rule
    return False


def refusing_values(is_refused: Callable[[Value], bool], rule: str) -> Read:
    """A reader that refuses a field with such a batch."""

    def read(wire: bytes) -> Value:
        value = read_leniently(wire)
        if any(is_refused(batch) for batch in value["batches"]):
            raise refuse(rule)
        return value

    return read


def then(change: Callable[[Value], None], read: Read = read_leniently) -> Read:
    """A reader that changes each batch after it is read."""

    def changed_value(wire: bytes) -> Value:
        value = read(wire)
        for batch in value["batches"]:
            change(batch)
        return value

    return changed_value


def first(change: Callable[[Value], None]) -> Write:
    """A writer that changes each batch before it is written; what is refused is refused as it is."""

    def write(value: Value) -> bytes:
        encode_records(value)
        other = deepcopy(value)
        for batch in other["batches"]:
            change(batch)
        return encode_records(other)

    return write


def records(change: Callable[[Value], Any]) -> Callable[[Value], None]:
    """A change of each record of a batch, as one of the batch."""

    def change_all(batch: Value) -> None:
        for record in batch.get("records", ()):
            change(record)

    return change_all


def parts(wire: bytes) -> list[bytes]:
    """The batches and messages of a field, and at the end what is no whole one."""
    found = []
    while len(wire) > MAGIC_AT:
        end = OVERHEAD + int.from_bytes(wire[LENGTH], "big", signed=True)
        if not MAGIC_AT < end <= len(wire):
            break
        found.append(wire[:end])
        wire = wire[end:]
    return [*found, wire] if wire else found


def taking(rule: str) -> Write:
    """A writer of values that this rule refuses: it writes an empty field for them."""

    def write(value: Value) -> bytes:
        try:
            return encode_records(value)
        except Unencodable as error:
            if error.rule != rule:
                raise
            return b""

    return write


def each(tamper: Tamper, *magics: int) -> Tamper:
    """A lie about every batch or message of these magics; about batches if none is named."""

    def tampered(wire: bytes) -> bytes:
        told = magics or (BATCH,)
        return b"".join(tamper(part) if is_whole(part) and part[MAGIC_AT] in told else part for part in parts(wire))

    return tampered


def is_whole(part: bytes) -> bool:
    """Whether these are the bytes of a batch or message, and not the beginning of one."""
    return len(part) > MAGIC_AT and len(part) == OVERHEAD + int.from_bytes(part[LENGTH], "big", signed=True)


def is_batch(part: bytes) -> bool:
    """Whether it is a whole batch whose CRC is right: a lie about another one would make it right."""
    return len(part) >= HEADER_SIZE and part[MAGIC_AT] == BATCH and is_whole(part) and sealed(part) == part


def written(tamper: Tamper, write: Write = encode_records) -> Write:
    """A writer that lies about its bytes."""
    return lambda value: tamper(write(value))


def read_after(tamper: Tamper) -> Read:
    """A reader that changes the bytes before it reads them."""
    return lambda wire: read_leniently(tamper(wire))


def header(change: Callable[[Value], Value]) -> Tamper:
    """Other numbers in the header of each batch, with a right CRC."""

    def tampered(part: bytes) -> bytes:
        if not is_batch(part):
            return part
        fields = BATCH_HEADER.read(LenientReader(part[:HEADER_SIZE]))
        return sealed(BATCH_HEADER.write(fields | change(fields)) + part[HEADER_SIZE:])

    return each(tampered)


def payload_of(part: bytes) -> bytes:
    """The records of a batch, decompressed."""
    name = NAMES[part[22] & 7]
    if name not in CODECS:
        return part[HEADER_SIZE:]
    stream = Stream(part[HEADER_SIZE:], default_limit(part))
    CODECS[name].decompress(stream)
    return stream.data


def with_payload(part: bytes, data: bytes) -> bytes:
    """The batch with other records."""
    name = NAMES[part[22] & 7]
    return sealed(part[:HEADER_SIZE] + (CODECS[name].compress(data) if name in CODECS else data))


def with_count(part: bytes, count: int) -> bytes:
    """The batch with another number of records."""
    return changed(part, "recordCount", count)
