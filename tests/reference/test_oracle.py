from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import ApacheKafka, Reason, Result, judge, load_release
from reference.oracle import DESYNCHRONISING
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)
VERSIONS = "ApiVersionsRequest-v3"
FIND = "FindCoordinatorRequest-v0"
METADATA = "MetadataRequest-v8"
FETCH = "FetchRequest-v12"
ANSWER = "ApiVersionsResponse-v3"
GROUP = "ConsumerGroupHeartbeatResponse-v0"


class Row(NamedTuple):
    """Bytes of a message, and the verdict on them."""

    pair: str
    wire: str
    result: str
    rules: tuple[str, ...]
    apache_kafka: str = "rejects"
    reason: str | None = None
    offset: int | None = None
    canonical: str | None = None


def invalid(pair: str, wire: str, rule: str, reason: Reason, offset: int) -> Row:
    return Row(pair, wire, "invalid", (rule,), reason=reason, offset=offset)


def accepted(pair: str, wire: str, result: str, rule: str, canonical: str | None) -> Row:
    """Return bytes accepted by Apache Kafka, and written again as `canonical`."""
    return Row(pair, wire, result, (rule,), "accepts", canonical=canonical)


FETCH_HEAD = "ffffffff 00000000 00000000 7fffffff 00 00000000 ffffffff 01 01 01"
ANSWER_HEAD = "0000 01 00000000"

ROWS = {
    "canonical": Row(VERSIONS, "01 01 00", "valid", (), "accepts", canonical="010100"),
    "cut in a varint": invalid(VERSIONS, "80", "input.truncated", Reason.TRUNCATED, 1),
    "null where not allowed": invalid(FIND, "ffff", "null.not-allowed", Reason.NULL_NOT_ALLOWED, 0),
    "size of an unknown tag": invalid(
        VERSIONS, "01 01 01 05 7f", "tag.size-within-input", Reason.LENGTH_EXCEEDS_INPUT, 4
    ),
    "other negative where null is allowed": accepted(
        METADATA, "fffffffe 00 00 00", "unspecified", "null.other-negative", "ffffffff000000"
    ),
    "malformed text": accepted(VERSIONS, "03 c328 01 00", "unspecified", "string.malformed-utf8", "05efbfbd280100"),
    "bytes after the message": accepted(VERSIONS, "01 01 00 07", "unspecified", "input.trailing-bytes", "010100"),
    "unknown tag": Row(VERSIONS, "01 01 01 05 01 ca", "valid", (), "accepts", canonical="0101010501ca"),
    "unknown tag twice": accepted(VERSIONS, "01 01 02 05 00 05 00", "unspecified", "tag.duplicate", None),
    "known tag with its default": accepted(
        ANSWER, f"{ANSWER_HEAD} 01 00 01 01", "valid", "tag.explicit-default", "0000010000000000"
    ),
    "tag of another version": Row(FETCH, f"{FETCH_HEAD} 01 01 00", "unspecified", ("tag.not-in-this-version",)),
    "marker of a struct": Row(
        GROUP, "00000000 0000 00 00 00000000 00000000 02 01 00 00", "unspecified", ("struct.other-marker",), "accepts",
        canonical="0000000000000000000000000000000001010000",
    ),
}  # fmt: skip


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_verdict(row: Row) -> None:
    message, _, version = row.pair.rpartition("-v")
    verdict = judge(RELEASE.schema(message, int(version)), bytes.fromhex(row.wire))
    canonical = None if verdict.canonical is None else verdict.canonical.hex()
    assert (verdict.result, verdict.rules, verdict.apache_kafka) == (row.result, row.rules, row.apache_kafka)
    assert (verdict.reason, verdict.offset, canonical) == (row.reason, row.offset, row.canonical)


def test_bytes_after_a_fork_are_unspecified() -> None:
    """Correct readers stand at different places after excess bits, so even an early end is not invalid."""
    verdict = judge(RELEASE.schema("ApiVersionsRequest", 3), bytes.fromhex("8180808010 01"))
    assert verdict.result is Result.UNSPECIFIED
    assert verdict.apache_kafka is ApacheKafka.REJECTS
    assert not DESYNCHRONISING.isdisjoint(verdict.rules)


def test_the_worst_counts() -> None:
    verdict = judge(RELEASE.schema("ApiVersionsRequest", 3), bytes.fromhex("8100 01"))
    assert verdict.result is Result.INVALID
    assert verdict.rules == ("varint.overlong", "input.truncated")


@given(wire=st.binary(max_size=64), data=st.data())
def test_any_bytes_have_a_verdict(wire: bytes, data: st.DataObject) -> None:
    """No bytes raise an error, invalid ones are rejected, valid ones accepted, and only invalid ones have a reason."""
    schema = data.draw(st.sampled_from(list(RELEASE.schemas())))
    verdict = judge(schema, wire)
    assert (verdict.result is Result.INVALID) == (verdict.reason is not None)
    if verdict.result is not Result.UNSPECIFIED:
        assert (verdict.result is Result.VALID) == (verdict.apache_kafka is ApacheKafka.ACCEPTS)
