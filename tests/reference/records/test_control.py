from typing import Any

import pytest

from conformance.generate.record_building import batch, record, wire
from reference import Malformed, Result, Unencodable, decode_control, encode_control, judge_records

GOLDEN: list[tuple[str, str, str]] = [
    ("abort", "00000000", "000000000001"),
    ("commit", "00000001", "00007fffffff"),
    ("leader-change", "00000002", "0000 00000001 03 00000001 00 00000002 00 02 00000001 00 00"),
    ("snapshot-header", "00000003", "0000 0000018bcfe56800 00"),
    ("snapshot-footer", "00000004", "0000 00"),
    ("kraft-version", "00000005", "0000 0001 00"),
    ("kraft-voters", "00000006", "0000 01 00"),
]
golden = pytest.mark.parametrize(("name", "key", "value"), GOLDEN, ids=[each[0] for each in GOLDEN])


@golden
def test_control_record_is_read_and_written(name: str, key: str, value: str) -> None:
    control = decode_control(bytes.fromhex(key), bytes.fromhex(value))
    assert control["type"] == name
    assert encode_control(control) == (bytes.fromhex(key), bytes.fromhex(value))


@golden
def test_bytes_after_a_control_record_are_ignored(name: str, key: str, value: str) -> None:
    assert decode_control(bytes.fromhex(key) + b"x", bytes.fromhex(value) + b"xy")["type"] == name


def test_later_version_is_read_as_the_first() -> None:
    control = decode_control(bytes.fromhex("0009 0001 ffff"), bytes.fromhex("0005 00000007 aa"))
    assert control == {"type": "commit", "version": 5, "coordinatorEpoch": 7}


@pytest.mark.parametrize("number", ["0007", "7fff", "ffff"])
def test_unknown_type_is_ignored(number: str) -> None:
    assert isinstance(decode_control(bytes.fromhex(f"0000 {number}"), None)["type"], int)


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        (None, b"", "control.key"),
        ("000000", b"", "control.key"),
        ("ffff0001", bytes(6), "control.key"),
        ("00000001", None, "control.end-transaction-marker"),
        ("00000001", bytes(5), "control.end-transaction-marker"),
        ("00000001", b"\xff\xff" + bytes(4), "control.end-transaction-marker"),
        ("00000004", None, "control.kraft-value"),
    ],
)
def test_control_record_is_malformed(key: str | None, value: bytes | None, rule: str) -> None:
    with pytest.raises(Malformed) as caught:
        decode_control(None if key is None else bytes.fromhex(key), value)
    assert caught.value.rule == rule


@pytest.mark.parametrize("control", [{}, {"type": 9}, {"type": "commit"}, {"type": "kraft-version", "message": {}}])
def test_control_record_is_refused(control: dict[str, Any]) -> None:
    with pytest.raises(Unencodable):
        encode_control(control)


@golden
def test_control_batch_is_valid_and_no_client_may_send_it(name: str, key: str, value: str) -> None:
    held = record(key=bytes.fromhex(key), value=bytes.fromhex(value))
    verdict = judge_records(wire(batch(held, control=True, transactional=True, producerId=5, producerEpoch=1)))
    assert verdict.result is Result.VALID, name
    assert verdict.broker is not None
    assert verdict.broker.does == "rejects"


@pytest.mark.parametrize("key", [None, b"", bytes(3)])
def test_malformed_key_in_a_control_batch_is_left_open(key: bytes | None) -> None:
    """A consumer of uncommitted records never looks at it."""
    verdict = judge_records(wire(batch(record(key=key), control=True)))
    assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, ("control.key",))
