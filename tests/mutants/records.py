"""Mutants of record batches and message sets, rows of records.tsv.

A cell names a single fault, as `nulls/record.key/null-as-empty`, or a way at a place, as `batch.length@fixed/32 +12`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from crc32c import crc32c

from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.session import Session
from conformance.judge.checks.hostile_record_cases import hostile_records_cases
from conformance.judge.checks.record_cases import records_value_cases
from conformance.judge.checks.unencodable_record_cases import unencodable_records_cases
from conformance.judge.engine import run
from conformance.judge.kinds import CodecCase
from conformance.targets import RECORD_GROUPS, RecordsField, shown
from conformance.targets.listed import outside
from conformance.targets.record_claims import EVERY_RECORD, RecordsClaims
from reference import RecordsVerdict
from tests.mutants.kit.rows import rows_of
from tests.mutants.single_faults.records.steps import READ, SIDES, WRITE, Value, steps
from tests.mutants.ways.named import misstep_of
from tests.mutants.ways.records import LEFT_OUT
from tests.second_codec.records import COVERED, MAGIC_AT, read_field, write_field
from tests.second_codec.steps import Input, Output
from tests.second_codec.ways import SOUND, Misstep, NotTaken

if TYPE_CHECKING:
    from conformance.judge.case import Event

Read = Callable[[bytes], Value]
FLATTENED = RecordsClaims(batches="flattened")
DELIVERED = RecordsClaims.of({"wrapped-messages": "delivered"})


class JudgedOnce(RecordsField):
    """The field, with the same bytes judged once for all mutants, as judging takes as long as reading."""

    @cache  # noqa: B019  # one field for each release, kept as long as its cases are
    def observe(self, wire: bytes, *, check_crc: bool = True) -> RecordsVerdict:
        return super().observe(wire, check_crc=check_crc)


@cache
def hostile_cases(release: str, group: str) -> Sequence[CodecCase]:
    """Return every hostile input of a group, as the suite tries it."""
    field_ = JudgedOnce(release)
    return [replace(case, target=field_) for case in hostile_records_cases(release, group)]


@dataclass(frozen=True)
class RecordsMutant:
    """A codec of record batches with one fault."""

    name: str
    rule: str
    writes: Misstep = SOUND
    reads: Misstep | Read = SOUND
    """A misstep of the second codec, or its substitute."""
    claims: RecordsClaims = EVERY_RECORD

    def adapter(self) -> LoadedAdapter:
        return LoadedAdapter(
            spec="",
            name=self.name,
            version="0",
            supported={"encode": {}, "decode": {}},
            encode_records=self.write,
            decode_records=self.read,
            records=self.claims,
            rejections=(NotTaken,),
        )

    def write(self, value: Value) -> bytes:
        return write_field(Output(self.writes), value)

    def read(self, wire: bytes) -> Value:
        return read_field(Input(wire, self.reads)) if isinstance(self.reads, Misstep) else self.reads(wire)

    def check(self, session: Session) -> Iterator["Event"]:
        """Yield the events of the deterministic checks, in this process."""
        for group in RECORD_GROUPS:
            yield from run(session, records_value_cases(session, group))
            if not outside(session.claims.records, group):
                yield from run(session, hostile_cases(session.release.name, group))
            yield from run(session, unencodable_records_cases(session, group))


def _flattened(misstep: Misstep) -> Read:
    """Return a reader of records with their offsets and timestamps added up."""
    return lambda wire: shown(FLATTENED, read_field(Input(wire, misstep))) or {}


def _delivered(change: Callable[[Value], Any]) -> Read:
    """Return a reader that delivers the messages of wrappers mistaken for other ones."""

    def read(wire: bytes) -> Value:
        value = read_field(Input(wire))
        other = deepcopy(value)
        for batch in other["batches"]:
            change(batch)
        batches = (shown(DELIVERED, value) or {})["batches"]
        for batch, wrong in zip(batches, (shown(DELIVERED, other) or {})["batches"], strict=True):
            batch.update({"messages": wrong["messages"]} if "messages" in wrong else {})
        return {"batches": batches, "partial": value["partial"]}

    return read


def _without_base(batch: Value) -> None:
    if "messages" in batch:
        batch["offset"] = 0


def _without_wrapper_time(batch: Value) -> None:
    if "messages" in batch and batch.get("timestampType") == "log-append":
        batch["timestampType"] = "create"


def _crc_to_the_end(wire: bytes) -> Value:
    """Compare the CRC of a batch with that of all bytes of the field after it."""
    if wire[MAGIC_AT : MAGIC_AT + 1] != b"\2":
        return read_field(Input(wire))
    if wire[17:21] != crc32c(wire[COVERED]).to_bytes(4):
        raise NotTaken
    return read_field(Input(wire, Misstep("batch.crc", LEFT_OUT)))


READERS: Mapping[str, Read] = {
    "crc-to-the-end-of-the-field": _crc_to_the_end,
    "offsets-of-wrapped-messages-not-added-up": _delivered(_without_base),
    "time-of-the-wrapper-ignored": _delivered(_without_wrapper_time),
}
"""Readers beyond missteps."""
CLAIMS = {
    **dict.fromkeys(("log-append-time-not-applied", "delete-horizon-not-looked-at"), FLATTENED),
    **dict.fromkeys(("offsets-of-wrapped-messages-not-added-up", "time-of-the-wrapper-ignored"), DELIVERED),
}


def _mutants() -> Iterator[RecordsMutant]:
    for row in rows_of(__file__, "records.tsv"):
        name, claims = row["name"], CLAIMS.get(row["name"], EVERY_RECORD)
        reads = READERS.get(name) or _misstep(row["reads"], READ)
        if claims == FLATTENED and isinstance(reads, Misstep):
            reads = _flattened(reads)
        yield RecordsMutant(name, row["rule"], _misstep(row["writes"], WRITE), reads, claims)


def _misstep(cell: str, side: str) -> Misstep:
    """Return the misstep of a way, or that of a single fault."""
    if " " in cell:
        return misstep_of(cell, "", SIDES[side])
    kind, _, place_and_way = cell.partition("/")
    return steps()[f"{kind}/{side}/{place_and_way}"].misstep if cell else SOUND


MUTANTS: tuple[RecordsMutant, ...] = tuple(_mutants())
