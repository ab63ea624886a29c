"""Readers whose headers are a map: they are compared in an order that follows from them, not in that of the map."""

from typing import Any

from conformance.implementation.records.claims import RecordsClaims
from conformance.implementation.records.shown import comparable

MAP = RecordsClaims(headers="map")
FLAT = RecordsClaims(headers="map", batches="flattened")


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


def test_what_is_no_value_stands_as_it_is() -> None:
    for odd in (None, 3, {"records": 3}, {"records": [{"headers": None}]}, [b"x"]):
        assert comparable(FLAT, odd) == odd
