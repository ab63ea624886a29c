"""Damaged fields, with right and wrong CRCs, plain and compressed.

None of them may raise, hang, or take much memory.
"""

import random
import tracemalloc
from time import monotonic

import pytest

from conformance.generate.record_building import (
    batch,
    compressed,
    holding,
    message,
    record,
    records_of,
    sealed,
    wire,
    wrapper,
)
from reference import RecordsVerdict, Result, judge_records, records_layers
from reference.records.compression import CODECS
from tests.helpers.sweeps import swept_numbers

SEEDS, EACH = 20, 5_000
"""A hundred thousand damaged fields; a run that does not sweep over everything tries a quarter of them."""
SECONDS = 240
MEGABYTE = 1 << 20
PLAIN = records_of(*(record(index, key=b"key", value=b"v" * 20, headers=[("h", None)]) for index in range(3)))
INTERESTING = (b"\0", b"\x7f", b"\x80", b"\xff", b"\xff\xff\xff\xff\x0f", b"\x7f\xff\xff\xff", b"\x80\0\0\0")


def damaged(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data) + 1)
    match chance.randrange(4):
        case 0:
            return data[:at] + chance.choice(INTERESTING) + data[at + 1 :]
        case 1:
            return data[:at] + data[at + chance.randrange(1, 5) :]
        case 2:
            return data[:at]
        case _:
            return data[:at] + chance.randbytes(chance.randrange(1, 6)) + data[at:]


def hostile(chance: random.Random) -> bytes:
    codec = chance.choice(list(CODECS))
    match chance.randrange(5):
        case 0:
            return damaged(wire(batch(record(key=b"k")), wrapper(message(0), message(1))), chance)
        case 1:
            return holding(damaged(PLAIN, chance), count=3)
        case 2:
            return compressed(damaged(PLAIN, chance), codec, count=3)
        case 3:
            return holding(damaged(CODECS[codec].compress(PLAIN), chance), codec=codec, count=chance.choice((0, 3)))
        case _:
            data = damaged(wire(wrapper(message(0), message(1, key=b"k"))), chance)
            return sealed(data) if len(data) > 17 else data


def checked(data: bytes) -> RecordsVerdict:
    verdict = judge_records(data)
    assert (verdict.reason is not None) == (verdict.result is Result.INVALID)
    if verdict.result is Result.INVALID:
        assert verdict.client is not None
        assert verdict.client.does == "rejects"
        assert verdict.offset is not None
        assert 0 <= verdict.offset <= len(data)
    if verdict.result is Result.VALID:
        assert verdict.value is not None
        assert verdict.client is not None
        assert verdict.client.does == "accepts"
    return verdict


@pytest.mark.parametrize("seed", range(5))
def test_damaged_fields_have_a_verdict(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    results = {checked(hostile(chance)).result for _ in range(300)}
    assert results == set(Result)


def test_damaged_fields_are_explained_up_to_the_fault() -> None:
    chance = random.Random(7)  # noqa: S311
    for _ in range(300):
        for layer in records_layers(hostile(chance)):
            assert all(0 <= span.start <= span.end <= len(layer.wire) for span in layer.spans)


def test_many_damaged_fields_have_a_verdict() -> None:
    start = monotonic()
    for seed in swept_numbers(SEEDS):
        chance = random.Random(f"damaged {seed}")  # noqa: S311
        for _ in range(EACH):
            checked(hostile(chance))
    assert monotonic() - start < SECONDS


def test_random_bytes_have_a_verdict() -> None:
    for seed in swept_numbers(SEEDS):
        chance = random.Random(f"random {seed}")  # noqa: S311
        for _ in range(EACH):
            checked(chance.randbytes(chance.randrange(120)))


CLAIMS = {
    "count": holding(PLAIN, count=2**31 - 1),
    "compressed-count": compressed(PLAIN, "zstd", count=2**31 - 1),
    "record-length": compressed(bytes.fromhex("fe ff ff ff 0f 00 00 00 01 01 00"), "gzip"),
    "key-length": holding(bytes.fromhex("14 00 00 00 fe ff ff ff 0f 01 00")),
    "headers": holding(bytes.fromhex("16 00 00 00 01 01 fe ff ff ff 0f")),
    "raw-snappy": holding(bytes.fromhex("ff ff ff ff 07"), codec="snappy"),
    "snappy-chunk": holding(bytes.fromhex("82534e4150505900 00000001 00000001 1fffffff"), codec="snappy"),
    "lz4-block": holding(bytes.fromhex("04224d18 6070 73 ffff3f00"), codec="lz4"),
    "inner-size": wire(wrapper(message()))[:8] + bytes.fromhex("7fffffe0") + wire(wrapper(message()))[12:],
}


@pytest.mark.parametrize("name", CLAIMS)
def test_claims_take_no_memory(name: str) -> None:
    judge_records(CLAIMS[name])
    tracemalloc.start()
    judge_records(CLAIMS[name])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < MEGABYTE


@pytest.mark.parametrize("codec", CODECS)
def test_bomb_is_bounded_in_time(codec: str) -> None:
    data = compressed(bytes(40 * MEGABYTE), codec)
    start = monotonic()
    assert judge_records(data, limit=MEGABYTE).bound_reached
    assert monotonic() - start < 10


@pytest.mark.parametrize("codec", ["gzip", "zstd"])
def test_many_members_take_linear_time(codec: str) -> None:
    stream = CODECS[codec].compress(b"") * 20_000
    start = monotonic()
    assert judge_records(holding(stream, codec=codec)).rules == ("record.count",)
    assert monotonic() - start < 10
