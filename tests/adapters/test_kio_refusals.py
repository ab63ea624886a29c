from typing import Any

import pytest

from reference import MessageSchema, load_release, minimal

kio = pytest.importorskip("conformance.adapters.kio", reason="kio is not installed: it is in the extra `adapters`")

RELEASE = load_release("4.3.0")
FETCH = RELEASE.schema("FetchRequest", 4)
HANDSHAKE = RELEASE.schema("SaslHandshakeRequest", 1)
METADATA = RELEASE.schema("MetadataRequest", 12)
RECORDS_DELETED = RELEASE.schema("DeleteRecordsResponse", 2)

REFUSED = {
    "number-out-of-range": (FETCH, {"MaxWaitMs": 0, "MinBytes": 2**31}),
    "null-text": (HANDSHAKE, {"Mechanism": None}),
    "lone-surrogate": (HANDSHAKE, {"Mechanism": "\ud800"}),
    "long-text": (HANDSHAKE, {"Mechanism": "x" * 32768}),
}


@pytest.mark.parametrize(("schema", "fields"), REFUSED.values(), ids=REFUSED)
def test_what_kio_refuses_to_write_is_its_own_exception(schema: MessageSchema, fields: dict[str, Any]) -> None:
    with pytest.raises(kio.rejections):
        kio.encode(schema, {**minimal(schema), **fields})


REJECTED = {
    "truncated": b"",
    "null-element-name-truncated": bytes.fromhex("02" + "00" * 16),
    "bool-other-than-0-1": bytes.fromhex("00020000"),
    "varint-too-long": bytes.fromhex("ffffffffff01"),
    "malformed-utf8": bytes.fromhex("02" + "00" * 16 + "02ff" + "00" + "010000"),
    "unknown-tag": bytes.fromhex("000100" + "01" + "0500"),
}


@pytest.mark.parametrize("wire", REJECTED.values(), ids=REJECTED)
def test_what_kio_rejects_is_its_own_exception(wire: bytes) -> None:
    with pytest.raises(kio.rejections):
        kio.decode(METADATA, wire)


def test_null_in_a_text_that_is_not_nullable_is_classified() -> None:
    with pytest.raises(kio.rejections) as null:
        kio.decode(HANDSHAKE, bytes.fromhex("ffff"))
    with pytest.raises(kio.rejections) as negative:
        kio.decode(HANDSHAKE, bytes.fromhex("fffe"))
    reasons = [kio.classify(caught.value) for caught in (null, negative)]
    assert reasons == ["null-not-allowed", "negative-length"]


def test_null_in_an_array_that_is_not_nullable_is_handed_on() -> None:
    assert kio.decode(RECORDS_DELETED, bytes.fromhex("00000000" + "00" + "00")).value == {
        "ThrottleTimeMs": 0,
        "Topics": None,
    }
