"""The compression codecs, with their streams, other forms read by Apache Kafka, and refused ones."""

import zlib

import cramjam
import pytest
import xxhash
import zstandard
from lz4.block import decompress as lz4_block

from conformance.generate.record_building import batch, compressed, holding, record, records_of, wire
from conformance.targets.records.lz4_streams import block, frame
from reference import Malformed, Reason, Result, decode_records, judge_records
from reference.records.compression import CODECS, snappy
from reference.records.compression import lz4 as lz4_frame
from reference.records.compression.base import Stream

RECORDS = [record(0, key=b"key", value=b"value" * 40), record(1, headers=[("h", b"v")])]
PLAIN = records_of(*RECORDS)
HALF = 20


def result_of(stream: bytes, codec: str) -> tuple[Result, tuple[str, ...], str, bool]:
    """Return the result, the rules, the consumer's behaviour, and whether it reads the two records."""
    verdict = judge_records(holding(stream, codec=codec, count=2, maxTimestamp=1_700_000_000_000))
    assert verdict.client is not None
    value = verdict.value
    return verdict.result, verdict.rules, verdict.client.does, bool(value and value["batches"][0]["records"] == RECORDS)


VALID = (Result.VALID, (), "accepts", True)


def gzip(data: bytes, *, flags: int = 0, extra: bytes = b"") -> bytes:
    deflater = zlib.compressobj(wbits=-15)
    body = deflater.compress(data) + deflater.flush()
    head = bytes((0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3)) + extra
    return head + body + zlib.crc32(data).to_bytes(4, "little") + len(data).to_bytes(4, "little")


def header_crc(flags: int) -> bytes:
    head = bytes((0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3))
    return (zlib.crc32(head) & 0xFFFF).to_bytes(2, "little")


def lz4(data: bytes, *, flags: int = 0x60, sizes: int = 0x40, extra: bytes = b"", tail: bytes = b"") -> bytes:
    """Return a frame with one stored block."""
    descriptor = bytes((flags, sizes)) + extra
    checksum = xxhash.xxh32_intdigest(data).to_bytes(4, "little") if flags & 0x10 else b""
    block = (len(data) | 1 << 31).to_bytes(4, "little") + data + checksum
    head = lz4_frame.MAGIC + descriptor + bytes((xxhash.xxh32_intdigest(descriptor) >> 8 & 0xFF,))
    return head + block + bytes(4) + tail


def content_size(data: bytes) -> bytes:
    return len(data).to_bytes(8, "little")


def content_checksum(data: bytes) -> bytes:
    return xxhash.xxh32_intdigest(data).to_bytes(4, "little")


def zstd(data: bytes, *, write_checksum: bool = False) -> bytes:
    return zstandard.ZstdCompressor(write_checksum=write_checksum).compress(data)


def xerial(*blocks: bytes, version: int = 1) -> bytes:
    packed = [bytes(cramjam.snappy.compress_raw(block)) for block in blocks]
    head = snappy.MAGIC + version.to_bytes(4, "big") * 2
    return head + b"".join(len(each).to_bytes(4, "big") + each for each in packed)


def raw_snappy(data: bytes) -> bytes:
    return xerial(data)[20:]


FIRST, SECOND = PLAIN[:HALF], PLAIN[HALF:]
SKIPPED = bytes.fromhex("502a4d18 02000000 abcd")

FORMS = [
    ("gzip", "own", CODECS["gzip"].compress(PLAIN)),
    ("gzip", "name-and-comment", gzip(PLAIN, flags=0x18, extra=b"name\0comment\0")),
    ("gzip", "extra", gzip(PLAIN, flags=0x04, extra=b"\3\0abc")),
    ("gzip", "header-crc", gzip(PLAIN, flags=0x02, extra=header_crc(0x02))),
    ("gzip", "two-members", gzip(FIRST) + gzip(SECOND)),
    ("gzip", "empty-members", gzip(b"") + gzip(PLAIN) + gzip(b"")),
    ("snappy", "own", CODECS["snappy"].compress(PLAIN)),
    ("snappy", "raw", raw_snappy(PLAIN)),
    ("snappy", "chunks", xerial(FIRST, b"", SECOND)),
    ("snappy", "two-streams", xerial(FIRST) + xerial(SECOND)),
    ("lz4", "own", CODECS["lz4"].compress(PLAIN)),
    ("lz4", "stored", lz4(PLAIN)),
    ("lz4", "block-checksum", lz4(PLAIN, flags=0x70)),
    ("lz4", "content-size", lz4(PLAIN, flags=0x68, extra=content_size(PLAIN))),
    ("lz4", "content-checksum", lz4(PLAIN, flags=0x64, tail=content_checksum(PLAIN))),
    ("lz4", "large-blocks", lz4(PLAIN, sizes=0x70)),
    ("zstd", "own", CODECS["zstd"].compress(PLAIN)),
    ("zstd", "content-size-and-checksum", zstd(PLAIN, write_checksum=True)),
    ("zstd", "two-frames", zstd(FIRST) + zstd(b"") + zstd(SECOND)),
    ("zstd", "skippable-frames", SKIPPED + zstd(PLAIN) + SKIPPED),
]

OPEN = [
    ("gzip", "reserved-flag", gzip(PLAIN, flags=0x20), "gzip.reserved-flags", "accepts"),
    ("gzip", "bytes-behind", gzip(PLAIN) + bytes(20), "codec.trailing-bytes", "accepts"),
    ("gzip", "crc-of-a-member-behind", gzip(PLAIN) + gzip(b"a")[:-8] + bytes(8), "codec.trailing-bytes", "rejects"),
    ("gzip", "begins-like-a-member", gzip(PLAIN) + gzip(b"")[:10] + b"\xff" * 20, "codec.trailing-bytes", "rejects"),
    ("snappy", "version", xerial(PLAIN, version=9), "snappy.version", "accepts"),
    ("snappy", "version-of-a-second-stream", xerial(FIRST) + xerial(SECOND, version=0), "snappy.version", "rejects"),
    ("snappy", "three-bytes-behind", xerial(PLAIN) + bytes(3), "codec.trailing-bytes", "accepts"),
    ("snappy", "four-bytes-behind", xerial(PLAIN) + bytes(4), "codec.trailing-bytes", "rejects"),
    ("lz4", "linked-blocks", lz4(PLAIN, flags=0x40), "lz4.independent-blocks", "rejects"),
    ("lz4", "dictionary", lz4(PLAIN, flags=0x61), "lz4.other-forms", "rejects"),
    ("lz4", "skippable-frame", SKIPPED + lz4(PLAIN), "lz4.other-forms", "rejects"),
    ("lz4", "block-of-no-content", frame(PLAIN, [block(b""), block(PLAIN)]), "lz4.other-forms", "rejects"),
    ("lz4", "content-checksum", lz4(PLAIN, flags=0x64, tail=bytes(4)), "lz4.content-checksum", "accepts"),
    ("lz4", "content-size", lz4(PLAIN, flags=0x68, extra=content_size(b"")), "lz4.content-size", "accepts"),
    ("lz4", "stored-end", lz4(PLAIN)[:-4] + b"\0\0\0\x80", "lz4.end-mark", "accepts"),
    ("lz4", "second-frame", lz4(PLAIN) + lz4(b"a"), "lz4.one-frame", "accepts"),
    ("lz4", "records-in-two-frames", lz4(FIRST) + lz4(SECOND), "lz4.one-frame", "rejects"),
    ("lz4", "bytes-behind", lz4(PLAIN) + b"abc", "codec.trailing-bytes", "accepts"),
    ("zstd", "bytes-behind", zstd(PLAIN) + b"abcd", "codec.trailing-bytes", "rejects"),
    ("zstd", "frame-cut-behind", zstd(PLAIN) + zstd(b"a")[:6], "codec.trailing-bytes", "accepts"),
]

CORRUPT = [
    ("gzip", "empty", b""),
    ("gzip", "header-cut", gzip(PLAIN)[:9]),
    ("gzip", "cut", gzip(PLAIN)[:-9]),
    ("gzip", "trailer-cut", gzip(PLAIN)[:-1]),
    ("gzip", "crc", gzip(PLAIN)[:-5] + b"\0" + gzip(PLAIN)[-4:]),
    ("gzip", "size", gzip(PLAIN)[:-1] + b"\1"),
    ("gzip", "crc-of-a-second-member", gzip(FIRST) + gzip(SECOND)[:-8] + bytes(8)),
    ("gzip", "header-crc", gzip(PLAIN, flags=0x02, extra=b"\0\0")),
    ("gzip", "zlib", zlib.compress(PLAIN)),
    ("snappy", "empty", b""),
    ("snappy", "framing-format", bytes.fromhex("ff060000734e61507059") + raw_snappy(PLAIN)),
    ("snappy", "chunk-cut", xerial(PLAIN)[:-1]),
    ("snappy", "chunk-of-nothing", snappy.HEADER + bytes(4)),
    ("snappy", "chunk-negative", snappy.HEADER + b"\xff" * 4),
    ("snappy", "claims-two-gigabytes", bytes.fromhex("ffffffff07")),
    ("lz4", "empty", b""),
    ("lz4", "header-checksum", lz4_frame.compress(PLAIN, legacy=True)),
    ("lz4", "no-end-mark", lz4(PLAIN)[:-4]),
    ("lz4", "block-cut", lz4(PLAIN)[:-5]),
    ("lz4", "block-checksum", lz4(PLAIN, flags=0x70)[:-8] + bytes(8)),
    ("lz4", "reserved-flag", lz4(PLAIN, flags=0x62)),
    ("lz4", "block-size-code", lz4(PLAIN, sizes=0x30)),
    ("lz4", "block-beyond", lz4(bytes(65537))),
    ("lz4", "checksum-missing", lz4(PLAIN, flags=0x64)),
    ("zstd", "empty", b""),
    ("zstd", "cut", zstd(PLAIN)[:-1]),
    ("zstd", "checksum", zstd(PLAIN, write_checksum=True)[:-1] + b"\0"),
    ("zstd", "garbage", b"garbage!"),
]


@pytest.mark.parametrize(("codec", "form", "stream"), FORMS, ids=[f"{case[0]}-{case[1]}" for case in FORMS])
def test_form_of_a_stream_is_valid(codec: str, form: str, stream: bytes) -> None:
    assert result_of(stream, codec) == VALID, form


@pytest.mark.parametrize(
    ("codec", "form", "stream", "rule", "client"), OPEN, ids=[f"{case[0]}-{case[1]}" for case in OPEN]
)
def test_form_of_a_stream_is_left_open(codec: str, form: str, stream: bytes, rule: str, client: str) -> None:
    accepts = client == "accepts"
    assert result_of(stream, codec) == (Result.UNSPECIFIED, (rule,), client, accepts), form


@pytest.mark.parametrize(("codec", "form", "stream"), CORRUPT, ids=[f"{case[0]}-{case[1]}" for case in CORRUPT])
def test_stream_is_corrupt(codec: str, form: str, stream: bytes) -> None:
    verdict = judge_records(holding(stream, codec=codec, count=2, maxTimestamp=1_700_000_000_000))
    assert (verdict.result, verdict.rules, verdict.reason) == (
        Result.INVALID,
        ("codec.corrupt",),
        Reason.COMPRESSION,
    ), form
    assert verdict.client is not None
    assert verdict.client.does == "rejects"
    assert verdict.broker is not None
    assert verdict.broker.does == "rejects"


@pytest.mark.parametrize("codec", CODECS)
def test_stream_of_another_codec_is_refused(codec: str) -> None:
    others = [stream for name, form, stream in FORMS if name != codec and form == "own"]
    assert {result_of(stream, codec)[0] for stream in others} == {Result.INVALID}


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("size", [0, 1, 32768, 65536, 65537, 300_000])
def test_stream_of_any_size_is_read_back(codec: str, size: int) -> None:
    data = bytes(index * index % 251 for index in range(size))
    value = batch(record(value=data), compression=codec)
    assert decode_records(wire(value))["batches"] == [value]


def test_lz4_is_written_as_independent_blocks_of_64_kib() -> None:
    stream = CODECS["lz4"].compress(bytes(100_000))
    assert stream[:7].hex() == "04224d18604082"
    first = int.from_bytes(stream[7:11], "little")
    assert len(lz4_block(stream[11 : 11 + first], uncompressed_size=1 << 16)) == 65536


def test_zstd_is_written_without_the_size_of_its_content() -> None:
    parameters = zstandard.get_frame_parameters(CODECS["zstd"].compress(PLAIN))
    assert parameters.content_size == zstandard.CONTENTSIZE_UNKNOWN


def test_snappy_is_written_in_chunks_of_32_kib() -> None:
    stream = Stream(CODECS["snappy"].compress(bytes(100_000)), limit=1 << 20)
    CODECS["snappy"].decompress(stream)
    assert [len(chunk) for chunk in stream.chunks] == [32768, 32768, 32768, 1696]


@pytest.mark.parametrize("codec", CODECS)
def test_more_than_the_bound_never_comes_out(codec: str) -> None:
    """The validity of the batch is unknown then, and the verdict has no behaviour of Apache Kafka."""
    data = compressed(records_of(record(value=bytes(200_000))), codec, maxTimestamp=1_700_000_000_000)
    verdict = judge_records(data, limit=100_000)
    assert (verdict.result, verdict.rules, verdict.bound_reached) == (Result.UNSPECIFIED, ("codec.beyond-bound",), True)
    assert (verdict.client, verdict.broker) == (None, None)
    assert judge_records(data, limit=250_000).result is Result.VALID
    with pytest.raises(Malformed) as caught:
        decode_records(data, limit=100_000)
    assert (caught.value.rule, caught.value.reason) == ("codec.beyond-bound", None)


def test_bound_is_for_all_batches_together() -> None:
    one = compressed(records_of(record(value=bytes(60_000))), "gzip")
    assert not judge_records(one, limit=100_000).bound_reached
    assert judge_records(one + one, limit=100_000).bound_reached


SKIPPED_AT_MOST = 2**32 - 1
HEADER_ALONE = 8
CUT_FRAMES = [
    (SKIPPED_AT_MOST, 0, "rejects"),
    (SKIPPED_AT_MOST, 118, "rejects"),
    (SKIPPED_AT_MOST, 119, "accepts"),
    (SKIPPED_AT_MOST - 118, 0, "rejects"),
    (SKIPPED_AT_MOST - 119, 0, "accepts"),
    (2**31, 0, "accepts"),
    (10, 3, "accepts"),
]
"""The claimed size of a skippable frame, its actual size, and the behaviour of readers before 4.4.0."""


def skippable(claimed: int, there: int) -> bytes:
    return SKIPPED[:4] + claimed.to_bytes(4, "little") + bytes(there)


@pytest.mark.parametrize(("claimed", "there", "older"), CUT_FRAMES)
def test_reading_of_a_cut_skippable_frame_after_the_records_depends_on_its_missing_bytes(
    claimed: int, there: int, older: str
) -> None:
    """The older readers count the missing bytes in an int32, and take its last numbers for error codes."""
    wire = holding(zstd(PLAIN) + skippable(claimed, there), codec="zstd", count=2, maxTimestamp=1_700_000_000_000)
    for release, does in (("3.9.1", older), ("4.3.0", older), ("4.4.0", "accepts")):
        verdict = judge_records(wire, release=release)
        assert verdict.client is not None
        assert verdict.broker is not None
        assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, ("codec.trailing-bytes",))
        assert (verdict.client.does, verdict.broker.does) == (does, does)


@pytest.mark.parametrize("magic", [0x50, 0x5F])
def test_every_skippable_frame_is_counted_in_the_same_way(magic: int) -> None:
    stream = zstd(PLAIN) + bytes([magic]) + skippable(SKIPPED_AT_MOST, 0)[1:]
    verdict = judge_records(holding(stream, codec="zstd", count=2), release="4.3.0")
    assert verdict.client is not None
    assert verdict.client.does == "rejects"


@pytest.mark.parametrize(
    "stream",
    [
        skippable(SKIPPED_AT_MOST, 0),
        skippable(SKIPPED_AT_MOST, 0) + zstd(PLAIN),
        skippable(10, 3),
        zstd(FIRST) + skippable(SKIPPED_AT_MOST, 0) + zstd(SECOND),
    ],
    ids=["alone", "before the records", "a few bytes missing", "between the records"],
)
def test_a_cut_skippable_frame_without_all_records_before_it_is_refused(stream: bytes) -> None:
    assert result_of(stream, "zstd")[2] == "rejects"


def test_the_header_of_a_skippable_frame_may_be_cut_in_every_release() -> None:
    for there in range(1, HEADER_ALONE):
        stream = zstd(PLAIN) + skippable(SKIPPED_AT_MOST, 0)[:there]
        verdict = judge_records(holding(stream, codec="zstd", count=2), release="4.3.0")
        assert (verdict.rules, verdict.client and verdict.client.does) == (("codec.trailing-bytes",), "accepts")
