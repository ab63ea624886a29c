"""Faults of writers of records, legal variants, and damages of inputs, as ways by place and name."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from zlib import crc32

from tests.mutants.single_faults.records.changes import (
    CHANGED_BATCHES,
    CHANGED_HEADERS,
    CHANGED_MESSAGES,
    CHANGED_TEXTS,
    edited,
    text_alone,
)
from tests.mutants.single_faults.records.number_ways import Ways, alone, behind, fixed, written_varints
from tests.mutants.single_faults.records.read_ways import (
    ALSO,
    FLAG_BITS,
    LEFT_OUT,
    LENGTHS,
    MESSAGE_NUMBERS,
    VARINTS,
    VARLONG,
    WIDTHS,
    Table,
)
from tests.mutants.single_faults.records.stream_ways import DAMAGES as DAMAGED_STREAMS
from tests.mutants.single_faults.records.stream_ways import WRITE_LEGAL, WRITE_STREAMS
from tests.mutants.ways.basics import constant, refuse_if
from tests.second_codec.record_checks import CHECKS, MESSAGE_CHECKS
from tests.second_codec.steps import ContentWay, CrcWay, FixedWay, LengthWay, Misstep, swap
from tests.second_codec.streams import CODECS

OF_VARINTS = ("one-byte", "cut-at-7", "cut-at-14", "unsigned", "overlong", "one-byte-more")
OF_DELTAS = (*OF_VARINTS, "cut-at-21", "cut-at-28", "as-int16")
OF_NULLABLE = (*OF_VARINTS, "sign-dropped", "negative-off-by-one", "as-int16")
OF_THE_VARLONG = (
    *(f"cut-at-{bits}" for bits in (32, 35, 42, 49, 56, 63)),
    *("as-int32", "sign-dropped", "negative-off-by-one"),
)
REFUSALS = ("range-left-out", "saturated", "null-as-minus-one")
OF_FIXED = (*REFUSALS, "little-endian", "lower-half", "minus-one-as-zero", "zero-as-minus-one")


def _more(by: int) -> LengthWay:
    return LengthWay(of=lambda length: length + by if length >= 0 else length)


ONE_OFF: Ways = {"one-more": _more(1), "one-less": _more(-1)}
COUNT_OFF = {"one-more": FixedWay(number=lambda count: count + 1), "one-less": FixedWay(number=lambda count: count - 1)}
OVERHEAD_COUNTED = {"overhead-counted": FixedWay(number=lambda length: length + 12)}
BEHIND = {"one-byte-behind": ContentWay(raw=lambda body: body + b"\0")}
OF_MESSAGES = fixed(32, "little-endian", "lower-half", "lowest-byte") | {"one-more": ONE_OFF["one-more"]}
NUMBERS: Table = {
    "record.length": written_varints(32, *OF_VARINTS) | {"itself-counted": _more(1)} | ONE_OFF | BEHIND,
    **{place: written_varints(32, *OF_NULLABLE, "cut-at-21") for place in ("record.key", "record.value")},
    "header.value": written_varints(32, *OF_NULLABLE),
    "header.key": written_varints(32, *OF_VARINTS, "as-int16"),
    "record.headers": written_varints(32, *OF_VARINTS),
    "record.offsetDelta": written_varints(32, *OF_DELTAS),
    VARLONG: written_varints(64, *OF_DELTAS, *OF_THE_VARLONG),
    **{place: fixed(bits, *OF_FIXED) for place, bits in (WIDTHS | MESSAGE_NUMBERS).items()},
    "batch.baseOffset": fixed(64, *OF_FIXED[2:]),
    "batch.lastOffsetDelta": fixed(32, *REFUSALS, "little-endian", "lower-half", "zero-as-minus-one"),
    "batch.length": {"itself-counted": FixedWay(number=lambda length: length + 4)}
    | OVERHEAD_COUNTED
    | fixed(32, "little-endian", "lower-half"),
    "batch.recordCount": COUNT_OFF | fixed(32, "little-endian", "lowest-byte"),
    "message.size": OVERHEAD_COUNTED | fixed(32, "little-endian", "lower-half"),
    "message.key": OF_MESSAGES,
    "message.value": OF_MESSAGES,
}
TEXTS = ("stripped", "cut-at-nul", "crlf-as-lf", "composed", "ascii-only", "two-byte-signs-only")
OF_NULLS: Ways = {
    "null-as-empty": ContentWay(value=swap(None, b"")),
    "empty-as-null": ContentWay(value=swap(b"", None)),
    "null-refused": ContentWay(value=refuse_if(lambda value: value is None)),
    "empty-refused": ContentWay(value=refuse_if(lambda value: value == b"")),
}


def _utf_16(key: bytes) -> bytes:
    return key if b"\xff" in key else key.decode().encode("utf-16-be")


def _flag(place: str, bit: int, context: str = "") -> Ways:
    dropped = ContentWay(value=lambda attributes: attributes & ~(1 << bit))
    always = ContentWay(value=lambda attributes: attributes | 1 << bit)
    return {"dropped": Misstep(place, dropped, context=context), "always": Misstep(place, always, context=context)}


def _xor(bits: int) -> CrcWay:
    return CrcWay(lambda right, _chunk: (int.from_bytes(right) ^ bits).to_bytes(4))


def _other_crc(of: Callable[[bytes], bytes]) -> CrcWay:
    return CrcWay(lambda _right, chunk: of(chunk))


WRONG_CRCS: Ways = {
    "wrong": _xor(1),
    "wrong-high": _xor(1 << 31),
    **{f"wrong-byte-{index}": _xor(1 << 32 - 8 * index) for index in (1, 2, 3)},
}
OTHER_CRCS: Ways = {name: _other_crc(of) for name, of in ALSO.items()}
MESSAGE_CRCS: Ways = {
    "also-zero": CrcWay(constant(bytes(4))),
    "also-without-the-magic": CrcWay(lambda _right, body: crc32(body[1:]).to_bytes(4)),
}


def of_both(ways: Ways) -> Ways:
    """Return ways of the checksum of messages, wrappers among them."""
    return {name: Misstep("[mw]*.crc", way) for name, way in ways.items()}


LOST: Table = {
    **dict.fromkeys((*LENGTHS, "message.key", "message.value"), OF_NULLS),
    "header.key": {
        **{f"changed={name}": ContentWay(value=text_alone(CHANGED_TEXTS[name])) for name in TEXTS},
        "utf-16": ContentWay(raw=_utf_16),
        "signs-counted": LengthWay(counts=lambda key: len(key.decode(errors="replace"))),
    },
    "record.headers": {f"changed={name}": ContentWay(value=change) for name, change in CHANGED_HEADERS.items()},
    "batch": {f"changed={name}": ContentWay(value=edited(change)) for name, change in CHANGED_BATCHES.items()},
    "message": {f"changed={name}": ContentWay(value=edited(change)) for name, change in CHANGED_MESSAGES.items()},
    "field.batches": {"second-lost": ContentWay(value=lambda batches: batches[:1])},
    **{f"flag.{name}": _flag("batch.attributes", bit) for name, bit in FLAG_BITS.items()},
    "message.timestampType": _flag("message.attributes", 3, "magic-1"),
    "batch.crc": OTHER_CRCS | {"wrong": WRONG_CRCS["wrong"]},
    "message.crc": of_both({"wrong": WRONG_CRCS["wrong"]} | MESSAGE_CRCS),
    "batch.rest": {"00": behind(b"\0")},
}


def _check(name: str) -> Misstep:
    return Misstep(f"check.{name}", LEFT_OUT)


OPEN_OFFSET = "baseOffset-below-none"
"""The protocol leaves it open whether a writer refuses it (`batch.negative-offset`)."""
NOT_ALONE = {OPEN_OFFSET, "timestamp-beyond-63-bits"}
"""Checks that are no faults if they are left out: a timestamp beyond 63 bits has a maximum that is too low as well."""
REFUSED: Table = {
    "check": {name: _check(name) for name in CHECKS if name not in NOT_ALONE},
    "message.check": {name: _check(f"message-{name}") for name in (*MESSAGE_CHECKS, "nested")},
    VARLONG: written_varints(64, "range-left-out", "saturated"),
    "record.attributes": fixed(8, "range-left-out", "saturated"),
    "record.headers": {"null-as-none": ContentWay(value=lambda headers: [] if headers is None else headers)},
    "header.key": {
        "null-as-empty": ContentWay(value=swap(None, "")),
        "null-taken": LengthWay(form=lambda form: replace(form, nullable=True)),
    },
    "batch.codec": {"unknown-as-none": _check("codec")},
    "batch.magic": {"left-out": LEFT_OUT},
    "flag.timestampType": {"unknown-as-create": _check("timestamp-type")},
    "flag.unused": {"range-left-out": _check("unused-attributes")},
    "field.tail": {"written": _check("field-tail")},
}
KINDS: Mapping[str, Table] = {"numbers": NUMBERS, "values": LOST, "refusals": REFUSED, "streams": WRITE_STREAMS}
"""The faults by kind."""
LEGAL: Table = {
    **WRITE_LEGAL,
    "check": {OPEN_OFFSET: _check(OPEN_OFFSET)},
    "batch.codec": {
        f"{name}-as-none": ContentWay(value=swap(number, 0)) for number, name in enumerate(CODECS, start=1)
    },
}
"""The legal variants."""
IN_CONTEXTS: Mapping[tuple[str, str, str], Sequence[str]] = {
    ("values", "record.value", "null-as-empty"): (
        *("second-batch", "second-record", "log-append", "transactional", "zstd"),
    ),
    ("numbers", "record.offsetDelta", "cut-at-7"): ("second-batch", "log-append", "producer", "gzip", "deleteHorizon"),
    ("numbers", VARLONG, "sign-dropped"): ("second-batch", "log-append", "deleteHorizon", "lz4"),
    ("values", "batch.crc", "wrong"): ("second-batch", "control", "log-append", "snappy", "empty", "deleteHorizon"),
    ("numbers", "batch.lastOffsetDelta", "lower-half"): ("second-batch", "empty", "producer", "gzip"),
    ("values", "header.value", "null-as-empty"): ("second-record", "second-header", "zstd", "second-batch"),
    ("values", "message.crc", "wrong"): ("in-a-wrapper", "magic-0", "second-message"),
    ("values", "message.value", "null-as-empty"): ("in-a-wrapper", "magic-0", "second-message"),
}
"""Faults by kind, place and name in one context of a writer alone."""

OTHER_NUMBERS = ("=0", "=1", "=-1", "=-2", "=-53", "=64", "=300", "=-300", "=20000", "=3000000", "=400000000")
PADDED = ("overlong", "longest", "one-byte-more", "ten-bytes", "eleven-bytes")
OF_LENGTHS = ("=-1", "=-2", "=-53", "+1", "+2", "+64", *PADDED)


def _lengths(place: str) -> Ways:
    return alone(place, written_varints(32, *OF_LENGTHS))


def _alone(number: str) -> Misstep:
    """Return a length without the record after it."""
    [way] = written_varints(32, number).values()
    return Misstep("record.length", way, also=Misstep("record.length", ContentWay(raw=constant(b""))))


def _set(number: int) -> ContentWay:
    return ContentWay(value=constant(number))


OF_CONTENTS = ("=-1", "=-2", "=65537", "=2147483647")
DAMAGES: Table = {
    **{place: _lengths(place) for place in VARINTS},
    "record.offsetDelta": written_varints(32, *OTHER_NUMBERS, *PADDED),
    VARLONG: written_varints(64, *OTHER_NUMBERS, "=5000000000", "=-5000000000", f"={2**62}", f"={-(2**63)}", *PADDED),
    "record.length": written_varints(32, *OF_LENGTHS)
    | {f"alone={number}": _alone(f"={number}") for number in (0, -1)}
    | ONE_OFF
    | BEHIND
    | {"one-byte-missing": ContentWay(raw=lambda body: body[:-1])},
    "record.headers": written_varints(32, *OF_LENGTHS) | ONE_OFF,
    "record.attributes": fixed(8, "=1", "=-1", "=-128"),
    **{place: fixed(bits, "=0", "=-1", "=-2", "=258", "=-30000") for place, bits in WIDTHS.items()},
    "batch.recordCount": COUNT_OFF | fixed(32, "=-1", "=-2", "=0", "=65537", "=16777216", "=2147483647"),
    "batch.length": fixed(32, "=0", "=-1", "=13", "=14", "=48", "=-2147483648", "=65592")
    | COUNT_OFF
    | OVERHEAD_COUNTED,
    "batch.magic": {str(magic): FixedWay(piece=constant(bytes([magic % 256]))) for magic in (3, -1, 127)},
    "batch.codec": {str(number): _set(number) for number in range(8)},
    "batch.crc": OTHER_CRCS | WRONG_CRCS,
    "batch.rest": {
        rest: behind(bytes.fromhex(rest)) for rest in ("00", "01", "0000", "00" * 7, "0c000000010100", "0c000002010100")
    },
    "message.crc": of_both(WRONG_CRCS | MESSAGE_CRCS)
    | {"of-wrappers-wrong": Misstep("wrapper.crc", WRONG_CRCS["wrong"])},
    "message.codec": {str(number): _set(number) for number in range(1, 8)},
    "message.key": alone("message.key", fixed(32, *OF_CONTENTS)) | {"one-more": ONE_OFF["one-more"]},
    "message.value": alone("message.value", fixed(32, *OF_CONTENTS)) | {"one-more": ONE_OFF["one-more"]},
    "message.wrapped": alone("message.wrapped", fixed(32, "=-1", "=0")) | {"one-more": ONE_OFF["one-more"]},
    "message.offset": fixed(64, "=0", "=1", "=-1", "=70000", "=5000000000"),
    "message.timestamp": fixed(64, "=0", "=-1", "=-2", f"={2**63 - 1}", "=258"),
    "message.rest": {"00": behind(b"\0")},
    "wrapper": {"last-cut": ContentWay(raw=lambda data: data[:-3])}
    | {rest: behind(bytes.fromhex(rest)) for rest in ("00000000000000000000000d", "00" * 12, "00" * 5)},
    **DAMAGED_STREAMS,
}
"""Damages of the inputs of readers."""
