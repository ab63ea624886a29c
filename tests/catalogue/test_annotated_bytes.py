import pytest

from conformance.catalogue.annotated_bytes import mark, plain_hex, rows_of, table
from reference import Span

WIRE = bytes.fromhex("00026b6900")
SPANS = (
    Span(0, 2, "Name", "length", "string.length", "fixed"),
    Span(2, 4, "Name", "payload", "string.payload", "fixed"),
    Span(4, 4, "Empty", "payload", "bytes.payload", "fixed"),
    Span(4, 5, "", "tag-count", "tag.section", "fixed"),
)


def test_each_span_with_bytes_is_a_row() -> None:
    assert list(table(rows_of(WIRE, SPANS))) == [
        "   offset  bytes  role       path         rule",
        "   0       00 02  length     Name         string.length",
        "   2       6b 69  payload    Name         string.payload",
        "   4       00     tag-count  the message  tag.section",
    ]


@pytest.mark.parametrize(
    ("rule", "offset", "marked"),
    [("string.length", 4, [0]), ("string.utf8", 3, [2]), ("string.utf8", 5, []), ("string.utf8", None, [])],
)
def test_rows_of_the_rule_or_the_row_at_an_offset_are_marked(rule: str, offset: int | None, marked: list[int]) -> None:
    assert [row.offset for row in mark(rows_of(WIRE, SPANS), rule, offset) if row.marked] == marked


def test_long_payload_is_cut() -> None:
    long = bytes(20)
    [_, line] = table(rows_of(long, [Span(0, 20, "Data", "payload", "bytes.payload", "fixed")]))
    assert f"{bytes(16).hex(' ')} ... (20 bytes)" in line


@pytest.mark.parametrize("caret", [17, 99])
def test_caret_stands_under_its_byte_or_the_last_one(caret: int) -> None:
    assert list(plain_hex(bytes(18), caret)) == [bytes(16).hex(" "), "00 00", "   ^^ byte 17"]


def test_hex_is_cut_after_64_bytes() -> None:
    lines = list(plain_hex(bytes(65)))
    assert len(lines) == 5
    assert lines[-1] == "... (65 bytes)"


def test_empty_input_is_named() -> None:
    assert list(plain_hex(b"")) == ["no bytes"]


def test_woven_header_is_shown_with_its_length_and_its_tag() -> None:
    [row] = rows_of(b"\x32", [Span(0, 1, "", "tag-header", "kip-482-second-draft.tag-header", "coded-varint")])
    assert (
        list(table([row]))[1]
        == "   0       32     tag-header: length 4, tag 5  the message  kip-482-second-draft.tag-header"
    )
    assert row.as_json()["role"] == "tag-header"
