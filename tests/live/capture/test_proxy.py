"""The recording proxy, between a client of sockets and a server made of the reference."""

import asyncio

from conformance.definitions.defining_releases import Definitions
from conformance.live.address import Address
from conformance.live.capture.capture import CapturedFrame
from conformance.live.capture.proxy import RecordingProxy, ResponseChanges
from tests.live.capture.broker import (
    API_VERSIONS,
    FIND_COORDINATOR,
    METADATA,
    RELEASE,
    SIZE,
    Broker,
    read_frame,
    request,
    response,
    value_of,
)

DEFINITIONS = Definitions([RELEASE])


def brokers(*ports: int) -> dict[str, object]:
    return {
        "Brokers": [{"NodeId": port, "Host": "127.0.0.1", "Port": port, "Rack": None} for port in ports],
    }


async def exchange(proxy: RecordingProxy, *segments: bytes, answers: int = 1) -> list[bytes]:
    """Send segments one by one, and return the responses."""
    reader, writer = await asyncio.open_connection(*proxy.address)
    for segment in segments:
        writer.write(segment)
        await writer.drain()
        await asyncio.sleep(0)
    read = [await read_frame(reader) for _ in range(answers)]
    writer.close()
    return read


def recorded(
    broker: Broker, *segments: bytes, answers: int = 1, changes: ResponseChanges | None = None
) -> tuple[list[bytes], list[CapturedFrame]]:
    """Send segments through a proxy, and return the responses and the recorded frames."""

    async def run() -> tuple[list[bytes], list[CapturedFrame]]:
        frames: list[CapturedFrame] = []
        async with broker, RecordingProxy(broker.address, frames.append, changes=changes) as proxy:
            return await exchange(proxy, *segments, answers=answers), frames

    return asyncio.run(run())


def test_bytes_pass_unchanged_and_frames_are_taken() -> None:
    asked = request(METADATA, 12, 7)
    [answer], frames = recorded(Broker(), asked)
    assert answer == response(METADATA, 12, 7)[SIZE:]
    assert [(frame.connection, frame.sender, frame.payload) for frame in frames] == [
        (1, "client", asked[SIZE:]),
        (1, "server", answer),
    ]


def test_a_frame_may_span_segments_and_a_segment_frames() -> None:
    both = request(METADATA, 12, 7) + request(API_VERSIONS, 3, 8)
    _, frames = recorded(Broker(), both[:3], both[3:10], both[10:], answers=2)
    payloads = [frame.payload for frame in frames if frame.sender == "client"]
    assert payloads == [request(METADATA, 12, 7)[SIZE:], request(API_VERSIONS, 3, 8)[SIZE:]]


def test_a_wrong_size_is_forwarded_and_taken_as_a_rest() -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readexactly(9))
        writer.close()

    async def run() -> tuple[bytes, list[CapturedFrame]]:
        frames: list[CapturedFrame] = []
        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        host, port = server.sockets[0].getsockname()
        changes = ResponseChanges(DEFINITIONS)
        async with server, RecordingProxy(Address(host, port), frames.append, changes=changes) as proxy:
            reader, writer = await asyncio.open_connection(*proxy.address)
            writer.write(b"\xff\xff\xff\xffhello")
            back = await reader.read()
            writer.close()
        return back, frames

    back, frames = asyncio.run(run())
    assert back == b"\xff\xff\xff\xffhello"
    assert sorted((frame.sender, frame.is_rest, frame.payload) for frame in frames) == [
        ("client", True, b"\xff\xff\xff\xffhello"),
        ("server", True, b"\xff\xff\xff\xffhello"),
    ]


def test_announced_versions_are_lowered_but_not_below_the_minimum() -> None:
    apis = [{"ApiKey": METADATA, "MinVersion": 0, "MaxVersion": 13}, {"ApiKey": 1, "MinVersion": 12, "MaxVersion": 13}]
    broker = Broker(ApiVersionsResponse={"ApiKeys": apis})
    [answer], frames = recorded(broker, request(API_VERSIONS, 3, 7), changes=ResponseChanges(DEFINITIONS, 3))
    assert [api["MaxVersion"] for api in value_of(API_VERSIONS, 3, answer)["ApiKeys"]] == [10, 12]
    assert frames[1].payload == response(API_VERSIONS, 3, 7, ApiKeys=apis)[SIZE:]


def test_a_server_with_lowered_versions_has_no_features() -> None:
    """A client with transaction.version 2 would ask for things that older versions of Produce need."""
    features = [{"Name": "transaction.version", "MaxVersionLevel": 2, "MinVersionLevel": 2}]
    announced = {"FinalizedFeatures": features, "FinalizedFeaturesEpoch": 7}
    broker = Broker(ApiVersionsResponse=announced)
    [answer], _ = recorded(broker, request(API_VERSIONS, 3, 7), changes=ResponseChanges(DEFINITIONS, 3))
    assert answer == response(API_VERSIONS, 3, 7)[SIZE:]


def test_each_broker_gets_a_port_of_the_proxy() -> None:
    async def run() -> tuple[list[int], list[int], bytes]:
        async with (
            Broker() as second,
            Broker(MetadataResponse=brokers(1, second.address.port)) as first,
            RecordingProxy(first.address, list[CapturedFrame]().append, changes=ResponseChanges(DEFINITIONS)) as proxy,
        ):
            [answer] = await exchange(proxy, request(METADATA, 12, 7))
            ports = [broker["Port"] for broker in value_of(METADATA, 12, answer)["Brokers"]]
            reader, writer = await asyncio.open_connection("127.0.0.1", ports[1])
            writer.write(request(METADATA, 12, 8))
            through = await read_frame(reader)
            writer.close()
            return ports, [second.address.port], through

    ports, own, through = asyncio.run(run())
    assert set(ports).isdisjoint({1, *own})
    assert through == response(METADATA, 12, 8)[SIZE:]


def test_unknown_coordinator_keeps_its_address() -> None:
    nobody = {"NodeId": -1, "Host": "", "Port": -1}
    broker = Broker(FindCoordinatorResponse=nobody)
    [answer], _ = recorded(broker, request(FIND_COORDINATOR, 3, 7), changes=ResponseChanges(DEFINITIONS))
    assert answer == response(FIND_COORDINATOR, 3, 7, **nobody)[SIZE:]


def test_missing_server_is_named() -> None:
    async def run() -> list[str]:
        async with Broker() as broker:
            gone = broker.address
        async with RecordingProxy(gone, list[CapturedFrame]().append) as proxy:
            reader, writer = await asyncio.open_connection(*proxy.address)
            assert await reader.read() == b""
            writer.close()
            return proxy.troubles

    [trouble] = asyncio.run(run())
    assert "does not answer" in trouble
