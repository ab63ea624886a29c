"""Offers of all adapters for codecs in Python, and their values in other forms."""

import math
from functools import cache
from typing import Any, Literal
from uuid import UUID

import pytest

from conformance.adapter import Unsupported
from conformance.codec.loaded_adapter import LoadedAdapter
from reference import ArrayType, FieldSchema, MessageSchema, PrimitiveType, load_release, minimal
from tests.helpers.adapters import load_adapter
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)
METADATA = RELEASE.schema("MetadataRequest", 12)
FLAGS = {"AllowAutoTopicCreation": True, "IncludeTopicAuthorizedOperations": False}
MECHANISM = FieldSchema("Mechanism", PrimitiveType("string"))
OFFERED = {
    "kio": (frozenset[str](), 625, 625),
    "aiokafka": (frozenset({"unknown-tags"}), 175, 173),
    "kafka-python": (frozenset({"absent-fields", "partial-values", "unknown-tags"}), 490, 490),
}
"""The capabilities of each, and how many pairs of 4.3.0 it writes and reads."""

each = pytest.mark.parametrize("name", OFFERED)
flexible = pytest.mark.parametrize("name", ["kio", "kafka-python"])


@cache
def adapter(name: str) -> LoadedAdapter:
    module = f"conformance.adapters.{name.replace('-', '_')}"
    pytest.importorskip(module, reason=f"{name} is not installed: it is in the extra `adapters`")
    return load_adapter(module)


def offered(name: str, direction: Literal["encode", "decode"]) -> list[MessageSchema]:
    versions = adapter(name).supported[direction]
    return [schema for schema in RELEASE.schemas() if schema.version in versions.get(schema.message, ())]


def encode(name: str, schema: MessageSchema, value: dict[str, Any]) -> bytes:
    write = adapter(name).encode
    assert write is not None
    return write(schema, value)


def decode(name: str, schema: MessageSchema, wire: bytes) -> Any:
    read = adapter(name).decode
    assert read is not None
    return read(schema, wire)


def handshake(*fields: FieldSchema, version: int = 1) -> MessageSchema:
    return MessageSchema(
        "SaslHandshakeRequest", version, "request", 17, flexible=False, fields=fields, absent_fields=()
    )


@each
def test_it_offers_its_pairs_and_capabilities(name: str) -> None:
    counts = len(offered(name, "encode")), len(offered(name, "decode"))
    assert (adapter(name).name, adapter(name).capabilities, *counts) == (name, *OFFERED[name])


@each
def test_the_smallest_value_of_every_pair_returns(name: str) -> None:
    """Wrongly paired fields would be findings of the suite, missing in the known failures."""
    read = {schema: decode(name, schema, encode(name, schema, minimal(schema))) for schema in offered(name, "decode")}
    assert [str(schema) for schema in read if read[schema].value != minimal(schema)] == []


@each
def test_a_nan_keeps_its_bits(name: str) -> None:
    schema = RELEASE.schema("DescribeClientQuotasResponse", 0)
    entry = {"Entity": [], "Values": [{"Key": "k", "Value": math.nan}]}
    wire = encode(name, schema, {"ThrottleTimeMs": 0, "ErrorCode": 0, "ErrorMessage": None, "Entries": [entry]})
    assert wire.endswith(bytes.fromhex("7ff8000000000000"))
    assert math.isnan(decode(name, schema, wire).value["Entries"][0]["Values"][0]["Value"])


@flexible
@pytest.mark.parametrize(("number", "text"), [(7, "0274"), (0, "00")], ids=["a topic", "the zero UUID"])
def test_a_uuid_goes_both_ways(name: str, number: int, text: str) -> None:
    """The zero UUID is 16 zero bytes on the wire, and None in the library."""
    value = {"Topics": [{"TopicId": UUID(int=number), "Name": "t" if number else None}], **FLAGS}
    wire = bytes.fromhex("02") + number.to_bytes(16) + bytes.fromhex(text + "00" + "01" + "00" + "00")
    assert encode(name, METADATA, {**value, "_tags": []}) == wire
    assert decode(name, METADATA, wire + b"\xff").value == value


@each
def test_message_missing_in_the_library_is_unsupported(name: str) -> None:
    with pytest.raises(Unsupported, match=f"{name} .*SaslHandshakeRequest .*version 99"):
        encode(name, handshake(MECHANISM, version=99), {})


@flexible
def test_a_schema_of_another_shape_is_unsupported(name: str) -> None:
    with pytest.raises(Unsupported, match=r"SaslHandshakeRequest .*mechanism, .*none"):
        encode(name, handshake(), {})
    with pytest.raises(Unsupported, match=f"Mechanism .*array .*; in {name} "):
        decode(name, handshake(FieldSchema("Mechanism", ArrayType(MECHANISM))), b"")
