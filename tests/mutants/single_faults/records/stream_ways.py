"""Ways of reading and writing compressed streams of records, by place and name."""

from collections.abc import Mapping, Sequence
from operator import itemgetter

from tests.mutants.single_faults.records.number_ways import Ways, behind
from tests.second_codec.steps import ContentWay, Misstep, StreamWay
from tests.second_codec.streams import CODECS

Names = Mapping[str, Sequence[str]]
"""Names of ways by place."""


def _ways(names: Names) -> dict[str, Ways]:
    return {place: {name: StreamWay(name) for name in those} for place, those in names.items()}


READ_NAMES: Names = {
    "gzip.format": ("zlib-taken", "deflate-taken"),
    "gzip.members": (
        "second-refused",
        "second-ignored",
        "third-ignored",
        "empty-as-the-end",
        "empty-refused",
        "last-only",
    ),
    "gzip.header": (
        *("second-byte-left-out", "method-left-out", "text-refused", "header-crc-refused", "extra-refused"),
        *("name-refused", "comment-refused", "time-refused", "extra-flags-refused", "system-refused"),
    ),
    "gzip.optional": (
        *("extra-not-skipped", "extra-big-endian", "name-not-skipped", "comment-not-skipped"),
        *("header-crc-not-skipped", "header-crc-left-out"),
    ),
    "gzip.block": ("stored-refused", "fixed-refused", "dynamic-refused"),
    "gzip.data": ("cut-taken",),
    "gzip.trailer": ("left-out", "crc-left-out", "size-left-out"),
    "snappy.form": ("raw-refused", "xerial-refused", "framed-taken", "without-versions"),
    "snappy.chunks": (
        *("second-refused", "second-ignored", "third-ignored", "empty-as-the-end", "empty-refused"),
        *("second-header-refused", "second-stream-ignored"),
    ),
    "snappy.length": ("little-endian", "lowest-byte", "zero-taken", "beyond-cut"),
    "lz4.header": (
        *(f"block-size-{code}-refused" for code in range(4, 8)),
        *("block-checksum-refused", "content-size-refused", "content-checksum-refused", "content-size-not-skipped"),
        *("version-taken", "size-bits-taken", "magic-taken", "reserved-taken", "dictionary-taken"),
        *("block-size-0-taken", "block-size-3-taken"),
    ),
    "lz4.header-checksum": ("right-one-only", "legacy-one-only", "left-out", "legacy-taken", "zero-taken"),
    "lz4.content-checksum": ("not-skipped", "cut-taken"),
    "lz4.blocks": (
        *("second-refused", "second-ignored", "third-ignored", "stored-refused", "stored-as-compressed"),
        *("larger-taken", "checksum-left-out", "checksum-not-skipped", "length-big-endian", "end-mark-left-out"),
    ),
    "lz4.frames": ("skippable-skipped",),
    "zstd.frames": ("second-refused", "second-ignored", "empty-as-the-end", "empty-refused"),
    "zstd.skippable": (
        *("refused", "first-refused", "behind-refused", "other-than-50-refused", "size-big-endian", "empty-refused"),
        "as-the-end",
    ),
    "zstd.header": (
        *(f"{name}-refused" for name in ("raw-block", "rle-block", "compressed-block", "several-blocks")),
        *(f"{name}-refused" for name in ("single-segment", "window", "content-size", "no-content-size")),
        *(
            f"{name}-refused"
            for name in ("checksum", "no-checksum", "size-of-1", "size-of-2", "size-of-4", "size-of-8")
        ),
        *(f"window-of-{1 << bits}-refused" for bits in (17, 20, 23, 24, 26)),
    ),
    "zstd.checksum": ("left-out",),
    "zstd.content-size": ("left-out",),
}
READ_LEGAL_NAMES: Names = {
    "gzip.members": ("rest-refused",),
    "gzip.header": ("reserved-refused",),
    "snappy.form": ("other-versions-refused",),
    "snappy.chunks": ("rest-refused",),
    "lz4.header": ("linked-taken",),
    "lz4.content-checksum": ("compared",),
    "lz4.blocks": ("stored-end-refused",),
    "lz4.frames": ("second-read", "rest-refused"),
    "zstd.frames": ("rest-ignored",),
}
WRITTEN_NAMES: Names = {
    "gzip.format": ("zlib", "deflate"),
    "gzip.header": ("method", "second-byte", "header-crc+crc-wrong"),
    "gzip.trailer": ("crc-wrong", "size-wrong", "big-endian"),
    "snappy.form": ("framed", "without-header"),
    "snappy.length": ("little-endian", "one-more", "one-less", "zero-behind"),
    "snappy.block": ("one-more", "one-less"),
    "lz4.header": ("linked", "version", "size-bits", "magic", "reserved", "dictionary", "block-size-3"),
    "lz4.header-checksum": ("wrong", "zero", "other-form"),
    "lz4.blocks": ("no-end-mark", "length-big-endian"),
    "lz4.frames": ("two", "skippable-first"),
    "zstd.header": ("window-of-268435456",),
    "zstd.frames": ("skippable-alone",),
}
WRITTEN_LEGAL_NAMES: Names = {
    "gzip.block": ("stored", "fast", "fixed"),
    "gzip.header": ("name", "comment", "extra", "text", "header-crc", "extra+name+comment", "time", "system"),
    "gzip.members": ("two", "empty-first"),
    "snappy.form": ("raw",),
    "snappy.chunks": ("two", "large"),
    "snappy.block": ("literal", "long-literal"),
    "lz4.blocks": ("two", "stored"),
    "lz4.header": (
        "block-size-5",
        "block-size-6",
        "block-size-7",
        "content-size",
        "content-checksum",
        "block-checksum",
    ),
    "zstd.header": ("content-size", "checksum", "best", "raw-block", "size-of-8", "window-of-8388608"),
    "zstd.frames": ("two",),
}
DAMAGE_NAMES: Names = {
    "gzip.members": ("two", "three", "empty-first", "empty-between", "empty-last"),
    "gzip.header": ("reserved", "extra-flags", "header-crc+crc-wrong", "extra+header-crc"),
    "gzip.trailer": ("crc-wrong-high", "size-wrong-high"),
    "snappy.form": ("version-9", "version-0"),
    "snappy.chunks": ("three", "empty-first", "empty-between", "empty-last", "two-streams"),
    "snappy.length": ("zero",),
    "lz4.blocks": ("three", "four", "large", "checksum-wrong", "stored-end"),
    "lz4.header": ("block-checksum+content-size", "block-size-0", "content-checksum+block-checksum"),
    "lz4.content-checksum": ("wrong", "missing"),
    "zstd.frames": (
        *("three", "empty-first", "empty-between", "empty-last", "skippable-first", "skippable-last", "skippable-5f"),
        "skippable-empty",
        "skippable-between",
    ),
    "zstd.header": (
        *("rle-block", "several-blocks", "size-of-1", "size-of-2", "size-of-4"),
        *(f"window-of-{1 << bits}" for bits in (17, 20, 24, 26, 27, 28)),
    ),
    "zstd.checksum": ("wrong", "missing"),
    "zstd.content-size": ("wrong",),
}
PAIRS = (
    ("lz4.header", "block-checksum", "lz4.blocks", "checksum-wrong"),
    ("lz4.header", "content-checksum", "lz4.content-checksum", "wrong"),
    ("lz4.header", "content-checksum", "lz4.content-checksum", "missing"),
    ("zstd.header", "checksum", "zstd.checksum", "wrong"),
    ("zstd.header", "checksum", "zstd.checksum", "missing"),
    ("zstd.header", "size-of-8", "zstd.content-size", "wrong"),
    ("lz4.header", "block-size-7", "lz4.blocks", "large"),
    ("lz4.header", "block-size-5", "lz4.blocks", "three"),
)
"""A form of a stream, and its fault."""


def _pair(place: str, name: str, inner: str, wrong: str) -> Misstep:
    return Misstep(place, StreamWay(name), also=Misstep(inner, StreamWay(wrong)))


def _whole(cuts: Sequence[int], rests: Sequence[str] = ()) -> Ways:
    """Return ways of writing a stream cut short, or with bytes after it."""
    ways: Ways = {f"cut={count}": ContentWay(raw=itemgetter(slice(-count))) for count in cuts}
    return ways | {f"behind={rest}": behind(bytes.fromhex(rest)) for rest in rests}


READ_STREAMS, READ_LEGAL = _ways(READ_NAMES), _ways(READ_LEGAL_NAMES)
WRITE_STREAMS = _ways(WRITTEN_NAMES) | {
    "gzip.stream": _whole((1, 4, 8, 9)),
    "lz4.stream": _whole((1, 4)),
    "zstd.stream": _whole((1,)),
    "snappy.stream": _whole((1,)),
}
WRITE_LEGAL = _ways(WRITTEN_LEGAL_NAMES)
BEHIND = ("00", "616263", "00" * 24)
DAMAGES = _ways(DAMAGE_NAMES) | {
    f"{codec}.stream": _whole((1, 4, 8, *[2, 9] * (codec == "gzip")), BEHIND) for codec in CODECS
}
for _place, _name, _inner, _wrong in PAIRS:
    DAMAGES.setdefault(_inner, {})[f"{_name} and {_wrong}"] = _pair(_place, _name, _inner, _wrong)
