from uuid import UUID

import pytest

from reference import (
    Malformed,
    Unencodable,
    api_schema,
    decode,
    decode_frame,
    encode,
    encode_frame,
    load_release,
    minimal,
    request_header_version,
    response_header_version,
)

KIP = load_release("kip-1313")
OFFSET_DELETE = 47
INSTANCE = UUID("00000000-0000-0001-0000-000000000002")
NONE = UUID(int=0)
BEGINNING = "002f 0001 0000000a"
ID = "0000000000000001 0000000000000002"
BODY = minimal(api_schema(KIP, "request", OFFSET_DELETE, 1))
HEADERS = [
    pytest.param("", NONE, f"{BEGINNING} 0000 00", id="no-id"),
    pytest.param(None, INSTANCE, f"{BEGINNING} ffff 01 00 10 {ID}", id="id-and-null-client-id"),
    pytest.param("cl", INSTANCE, f"{BEGINNING} 0002 636c 01 00 10 {ID}", id="both"),
]


def header(client_id: str | None, instance: UUID) -> dict[str, object]:
    numbers = {"RequestApiKey": OFFSET_DELETE, "RequestApiVersion": 1, "CorrelationId": 10}
    return {**numbers, "ClientId": client_id, "ClientInstanceId": instance}


@pytest.mark.parametrize(("client_id", "instance", "wire"), HEADERS)
def test_header_3_is_written_byte_for_byte(client_id: str | None, instance: UUID, wire: str) -> None:
    assert encode(KIP.schema("RequestHeader", 3), header(client_id, instance)) == bytes.fromhex(wire)


@pytest.mark.parametrize(("client_id", "instance", "wire"), HEADERS)
def test_header_3_is_read_back(client_id: str | None, instance: UUID, wire: str) -> None:
    read = decode(KIP.schema("RequestHeader", 3), bytes.fromhex(wire))
    assert (read.value, read.consumed) == (header(client_id, instance), len(bytes.fromhex(wire)))


@pytest.mark.parametrize("version", [1, 2])
def test_an_id_is_dropped_in_earlier_headers(version: int) -> None:
    schema = KIP.schema("RequestHeader", version)
    assert encode(schema, header("cl", INSTANCE)) == encode(schema, header("cl", NONE))


def test_definitions_decide_about_the_header() -> None:
    assert [request_header_version(OFFSET_DELETE, version, KIP) for version in (0, 1)] == [1, 3]
    assert [response_header_version(OFFSET_DELETE, version, KIP) for version in (0, 1)] == [0, 1]


def test_version_1_of_offset_delete_is_flexible() -> None:
    assert [api_schema(KIP, "request", OFFSET_DELETE, version).flexible for version in (0, 1)] == [False, True]


def test_a_frame_has_the_id_among_the_tagged_fields_of_its_header() -> None:
    tags = [(0, INSTANCE.bytes), (7, b"\1")]
    wire = encode_frame(KIP, "request", OFFSET_DELETE, 1, 10, "cl", BODY, header_tags=tags)
    frame = decode_frame(KIP, "request", wire)
    assert wire[4:].hex().startswith(f"{BEGINNING} 0002 636c 02 00 10 {ID} 07 01 01".replace(" ", ""))
    assert (frame.header["ClientInstanceId"], list(frame.header_tags)) == (INSTANCE, tags)


def test_an_id_of_another_size_is_not_written() -> None:
    with pytest.raises(Unencodable, match="ClientInstanceId"):
        encode_frame(KIP, "request", OFFSET_DELETE, 1, 10, "cl", BODY, header_tags=[(0, b"\1\2")])


def test_an_id_of_another_size_is_refused() -> None:
    wire = encode_frame(KIP, "request", OFFSET_DELETE, 1, 10, "", BODY, header_tags=[(0, INSTANCE.bytes)])
    short = wire[4:].replace(b"\x10" + INSTANCE.bytes, b"\x0f" + INSTANCE.bytes[:15])
    with pytest.raises(Malformed):
        decode_frame(KIP, "request", len(short).to_bytes(4) + short)
