from typing import Any

import pytest

from reference import MessageSchema, load_release, minimal

aiokafka = pytest.importorskip(
    "conformance.adapters.aiokafka", reason="aiokafka is not installed: it is in the extra `adapters`"
)

RELEASE = load_release("4.3.0")
FETCH = RELEASE.schema("FetchRequest", 4)
HANDSHAKE = RELEASE.schema("SaslHandshakeRequest", 1)
HEADER = RELEASE.schema("ResponseHeader", 1)
RECORDS = RELEASE.schema("DeleteRecordsRequest", 2)

REFUSED = {
    "number-out-of-range": (FETCH, {"MinBytes": 2**31}),
    "null-number": (FETCH, {"MinBytes": None}),
    "lone-surrogate": (HANDSHAKE, {"Mechanism": "\ud800"}),
    "long-legacy-text": (HANDSHAKE, {"Mechanism": "x" * 32768}),
    "unknown-tag-0": (HEADER, {"_tags": [(0, b"")]}),
}


@pytest.mark.parametrize(("schema", "fields"), REFUSED.values(), ids=REFUSED)
def test_what_aiokafka_refuses_to_write_is_declared(schema: MessageSchema, fields: dict[str, Any]) -> None:
    with pytest.raises(aiokafka.rejections):
        aiokafka.encode(schema, {**minimal(schema), **fields})


REJECTED = {
    "number-truncated": (FETCH, "ffffffff 0000"),
    "text-truncated": (HANDSHAKE, "0005 6162"),
    "malformed-utf8": (HANDSHAKE, "0001 ff"),
    "tag-section-missing": (HEADER, "00000000"),
    "tags-out-of-order": (HEADER, "00000000 02 0700 0500"),
    "varint-too-long": (RECORDS, "ffffffffff01"),
}


@pytest.mark.parametrize(("schema", "wire"), REJECTED.values(), ids=REJECTED)
def test_what_aiokafka_rejects_is_declared(schema: MessageSchema, wire: str) -> None:
    with pytest.raises(aiokafka.rejections):
        aiokafka.decode(schema, bytes.fromhex(wire))


def test_a_null_where_a_struct_is_due_is_an_error_that_is_not_declared() -> None:
    """None is asked for its length: the report shows that, for nobody meant it."""
    with pytest.raises(TypeError):
        aiokafka.encode(FETCH, {**minimal(FETCH), "Topics": [None]})


def test_null_in_a_text_that_is_not_nullable_is_handed_on_both_ways() -> None:
    assert aiokafka.encode(HANDSHAKE, {"Mechanism": None}) == bytes.fromhex("ffff")
    assert aiokafka.decode(HANDSHAKE, bytes.fromhex("ffff")).value == {"Mechanism": None}


def test_a_truncated_unknown_tag_is_handed_on() -> None:
    decoded = aiokafka.decode(HEADER, bytes.fromhex("00000000 01 05 02 ca"))
    assert decoded.value == {"CorrelationId": 0, "_tags": [(5, b"\xca")]}
