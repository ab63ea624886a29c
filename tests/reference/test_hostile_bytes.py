import tracemalloc

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from conformance.generate.edge_values import populated
from reference import Malformed, MessageSchema, decode, decode_leniently, encode, load_release
from tests.helpers.releases import BASE
from tests.reference.inline import message, one_field

RELEASE = load_release(BASE)
MEBIBYTE = 1 << 20

HUGE: list[tuple[str, MessageSchema, str]] = [
    (f"{type_name}, {flexible}, {wire}", one_field(f'"type": "{type_name}", "versions": "0+"', flexible=flexible), wire)
    for type_name in ("bytes", "records", "[]int8", "[]int64", "[]string", "[]uuid")
    for flexible, wires in (
        ("none", ("7fffffff", "7ffffffe00", "10000000")),
        ("0+", ("ffffffff07", "8080808008", "8080808001")),
    )
    for wire in wires
]
HUGE += [
    ("string, none, 7fff", one_field('"type": "string", "versions": "0+"', flexible="none"), "7fff"),
    ("string, 0+, 808002", one_field('"type": "string", "versions": "0+"'), "808002"),
    ("string, 0+, ffffffff07", one_field('"type": "string", "versions": "0+"'), "ffffffff07"),
    ("tags, 2^31-1 of them", message(""), "ffffffff07"),
    ("a tag of 2^31-1 bytes", message(""), "0105ffffffff07"),
    ("a tag of 2^32-1 bytes", message(""), "0105ffffffff0f"),
    ("FetchRequest, topics", RELEASE.schema("FetchRequest", 4), "00000000" * 4 + "00" + "7fffffff"),
    (
        "structs of no bytes",
        one_field(
            '"type": "[]Gone", "versions": "0+", "fields": [{ "name": "A", "type": "int8", "versions": "1+" }]',
            flexible="none",
        ),
        "7fffffff",
    ),
]
FUZZED = [
    "ApiVersionsRequest-v3",
    "ApiVersionsResponse-v4",
    "ConsumerGroupMemberMetadataValue-v0",
    "CreateTopicsRequest-v7",
    "DescribeGroupsResponse-v6",
    "FetchRequest-v4",
    "FetchRequest-v17",
    "FetchResponse-v16",
    "LeaderChangeMessage-v0",
    "MetadataRequest-v0",
    "MetadataResponse-v12",
    "PartitionChangeRecord-v2",
    "ProduceRequest-v9",
    "RequestHeader-v2",
    "StreamsGroupDescribeResponse-v0",
    "SubscriptionInfoData-v11",
    "UpdateRaftVoterRequest-v0",
]
EVERYTHING = message(
    ",".join(
        f'{{ "name": "{"PT"[tagged]}{index}", "versions": "0+", "nullableVersions": "0+", {properties}'
        + (f', "tag": {index}, "taggedVersions": "0+" }}' if tagged else " }")
        for tagged in (False, True)
        for index, properties in enumerate(
            (
                '"type": "string"',
                '"type": "bytes"',
                '"type": "[]string"',
                '"type": "[]float64"',
                '"type": "Common"',
                '"type": "[]Common"',
            )
        )
    ),
    common="""{ "name": "Common", "versions": "0+", "fields": [
        { "name": "B", "type": "bool", "versions": "0+" }, { "name": "U", "type": "uuid", "versions": "0+" },
        { "name": "T", "type": "string", "versions": "0+", "tag": 0, "taggedVersions": "0+" }]}""",
)
"""Every kind of nullable field, positional and tagged."""


def released(name: str) -> MessageSchema:
    """Return the schema of a name such as `FetchRequest-v17`."""
    message_name, version = name.rsplit("-v", 1)
    return RELEASE.schema(message_name, int(version))


def strict_reach(schema: MessageSchema, wire: bytes) -> int:
    try:
        return decode(schema, wire).consumed
    except Malformed as refused:
        return refused.offset


def lenient_reach(schema: MessageSchema, wire: bytes) -> int:
    """Return the place of a lenient reader at the end of the message, or at its refusal."""
    try:
        return decode_leniently(schema, wire)[1]
    except Malformed as refused:
        return refused.offset


@pytest.mark.parametrize(("schema", "wire"), [case[1:] for case in HUGE], ids=[case[0] for case in HUGE])
def test_nothing_is_allocated_for_announced_sizes(schema: MessageSchema, wire: str) -> None:
    """Lengths and counts of up to 2^32-1 are refused with less than a mebibyte in use."""
    data = bytes.fromhex(wire)
    with pytest.raises(Malformed):
        decode(schema, data)
    tracemalloc.start()
    try:
        with pytest.raises(Malformed):
            decode_leniently(schema, data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MEBIBYTE


@pytest.mark.parametrize("schema", [EVERYTHING, *map(released, FUZZED)], ids=str)
@settings(max_examples=100, derandomize=True, deadline=None, database=None)
@given(wire=st.binary(max_size=200))
@example(wire=b"")
@example(wire=bytes(200))
@example(wire=b"\xff" * 200)
@example(wire=b"\x01" * 200)
def test_arbitrary_bytes_are_refused_or_read(schema: MessageSchema, wire: bytes) -> None:
    """No bytes lead to another exception than `Malformed`."""
    assert 0 <= strict_reach(schema, wire) <= len(wire)
    assert 0 <= lenient_reach(schema, wire) <= len(wire)


@pytest.mark.parametrize("schema", [EVERYTHING, *map(released, FUZZED)], ids=str)
@settings(
    max_examples=100, derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(data=st.data())
def test_damaged_messages_are_refused_or_read(schema: MessageSchema, data: st.DataObject) -> None:
    wire = bytearray(encode(schema, populated(schema)))
    for _ in range(data.draw(st.integers(0, 3))):
        wire[data.draw(st.integers(0, len(wire) - 1))] = data.draw(st.integers(0, 255))
    length = data.draw(st.integers(0, len(wire)))
    damaged = bytes(wire[:length]) + data.draw(st.binary(max_size=4))
    assert 0 <= strict_reach(schema, damaged) <= len(damaged)
    assert 0 <= lenient_reach(schema, damaged) <= len(damaged)


@pytest.mark.parametrize("schema", [EVERYTHING, *map(released, FUZZED)], ids=str)
def test_message_cut_off_anywhere_is_refused(schema: MessageSchema) -> None:
    """No message is the beginning of another (rules 1.3.1 to 1.3.4, 1.3.17)."""
    wire = encode(schema, populated(schema))
    for length in range(len(wire)):
        with pytest.raises(Malformed):
            decode_leniently(schema, wire[:length])
