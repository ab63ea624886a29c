"""Readers with the messages of a wrapper in its place."""

from typing import Any

from conformance.targets import comparable, shown
from conformance.targets.record_claims import RecordsClaims

CLAIMS = RecordsClaims(wrapped_messages="unwrapped")
TIMED = {"timestampType": "create", "timestamp": 5}
MESSAGE = {"magic": 1, "offset": 0, "compression": "none", **TIMED, "unusedAttributes": 1, "key": None, "value": b"v"}
WRAPPER = {
    "magic": 1,
    "offset": 11,
    "compression": "gzip",
    "timestampType": "log-append",
    "timestamp": 9,
    "unusedAttributes": 0,
    "key": None,
    "messages": [MESSAGE, MESSAGE | {"offset": 1}],
}

MAP = RecordsClaims(headers="map")
FLAT = RecordsClaims(headers="map", batches="flattened")


def entries(*batches: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (shown(CLAIMS, {"batches": list(batches), "partial": b""}) or {})["batches"]
    return found


def test_the_messages_of_a_wrapper_have_their_own_offset_and_its_time() -> None:
    timed = {"timestampType": "log-append", "timestamp": 9, "key": None, "value": b"v"}
    assert entries(WRAPPER) == [{"offset": 10, **timed}, {"offset": 11, **timed}]


def test_message_alone_has_the_members_of_a_consumer() -> None:
    assert entries(MESSAGE) == [{"offset": 0, **TIMED, "key": None, "value": b"v"}]


def test_messages_of_magic_0_have_no_time() -> None:
    message = {"magic": 0, "offset": 3, "compression": "none", "unusedAttributes": 0, "key": None, "value": None}
    assert entries(message) == [{"offset": 3, "key": None, "value": None}]


def with_headers(*headers: Any) -> dict[str, Any]:
    return {"records": [{"offset": 0, "headers": list(headers)}]}


def test_headers_of_a_map_have_one_order() -> None:
    one, other = (with_headers(*pairs) for pairs in ([("b", None), ("a", b"")], [("a", b""), ("b", None)]))
    assert comparable(FLAT, one) == comparable(FLAT, other)


def test_headers_in_batches_have_one_order() -> None:
    one, other = ({"batches": [with_headers(*pairs)], "partial": b""} for pairs in (["ba", "ca"], ["ca", "ba"]))
    assert comparable(MAP, one) == comparable(MAP, other)


def test_pairs_may_be_lists() -> None:
    read = comparable(FLAT, with_headers(["b", None], ("a", b"")))
    assert read == with_headers(("a", b""), ["b", None])


def test_headers_of_a_list_keep_their_order() -> None:
    read = with_headers(("b", None), ("a", b""))
    assert comparable(RecordsClaims(), read) is read


def test_malformed_value_stays_as_it_is() -> None:
    for odd in (None, 3, {"records": 3}, {"records": [{"headers": None}]}, [b"x"]):
        assert comparable(FLAT, odd) == odd
