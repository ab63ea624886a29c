"""Contents and damaged bytes of frames, stored messages and wire types for the search for faults."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import UUID

from conformance.adapter import FrameContent
from reference import TAGS, MessageSchema, Release, minimal
from tests.mutants.single_faults import inputs
from tests.second_codec.forms import WIDTHS, double, shortest
from tests.second_codec.frames import CONTROLLED_SHUTDOWN
from tests.second_codec.stored import PLACES, StoredCodec
from tests.second_codec.ways import Misstep, VarintWay
from tests.second_codec.wire_types import bits_of, is_varint

BODIES = (100, 127, 128, 256, 16_384, 32_768, 65_536, 2**21, 2**24)
"""The sizes of a body at which each byte of the number counts."""
RECORD_TYPES = (*range(40), *range(128, 168), *range(256, 296), 2**15 + 20, 2**16 + 20, 2**24 + 20)
FLOATS = (
    "0000000000000000", "8000000000000000", "3ff8000000000000", "bff8000000000000", "3fb999999999999a",
    "7ff8000000000000", "7ff8000000000001", "7ff0000000000001", "fff8000000000001", "fff0000000000001",
    "7ff0000000000000", "fff0000000000000", "0000000000000001", "7fefffffffffffff", "0102030405060708",
    "4330000000000001", "47efffffe0000000",
)  # fmt: skip
UUIDS = (bytes(16), bytes(range(16)), b"\xff" * 16, bytes(8) + b"\1" * 8, b"\1" * 8 + bytes(8))
SCALARS: dict[str, tuple[Any, ...]] = {
    "bool": (False, True),
    "uuid": tuple(UUID(bytes=piece) for piece in UUIDS),
    "float64": tuple(double(bytes.fromhex(bits)) for bits in FLOATS),
}
ONES: dict[str, Any] = {"string": "a", "int32": 7}
LISTS: dict[str, Sequence[Any]] = {
    "string": (["b", "", "a"], [""], ["a", None], ["a", "a"], ["c" * 128], ["c" * 16_384], [" a\r\n"]),
    "int32": ([3, 1, 2], [0], [-1, -2], [0x01020304], [7, 7]),
}
USUAL: dict[str, Any] = {"string": "g", "int32": 5, "int64": 6, "int16": 7}


def frames(place: str, schema: MessageSchema) -> Iterator[FrameContent]:
    """Yield frames with differences at a place, and a plain one first."""
    client_id = "kafka" if schema.kind == "request" and schema.api_key != CONTROLLED_SHUTDOWN else None
    plain = FrameContent(7, client_id, minimal(schema), ())
    yield plain
    yield replace(plain, correlation_id=0x01020304)
    if place == "correlation-id":
        yield from (replace(plain, correlation_id=number) for number in inputs.numbers(-(2**31), 2**31 - 1))
    if place == "client-id" and schema.kind == "request":
        yield from (replace(plain, client_id=each) for each in inputs.texts())
    entries = inputs.ENTRIES if place.startswith("section") else inputs.ENTRIES[1:4] if place == "frame" else ()
    for each in (*entries, *inputs.BAD_ENTRIES) if entries else ():
        yield replace(plain, header_tags=tuple(each))
    for field in schema.fields if place == "size" else ():
        if field.type == "bytes":
            yield from (replace(plain, value={field.name: bytes(length)}) for length in BODIES)


def stored(_place: str, schema: MessageSchema) -> Iterator[dict[str, Any]]:
    """Yield small values of a message, one of them with an unknown tagged field."""
    smallest = minimal(schema)
    yield smallest
    yield smallest | {field.name: USUAL[str(field.type)] for field in schema.fields if str(field.type) in USUAL}
    if schema.flexible:
        yield smallest | {TAGS: [(9999, b"\1")]}


def records(release: Release, schema: MessageSchema) -> Iterator[bytes]:
    """Yield records of other messages, and of every type."""
    if schema.stored_form != "record":
        return
    for other in (release.schema(message, 0) for message in ("NoOpRecord", "FeatureLevelRecord")):
        yield StoredCodec(release).write(other, minimal(other))
    for number in RECORD_TYPES:
        of_type = Misstep("type", VarintWay(form=lambda _form, number=number: shortest(number)))  # type: ignore[misc]
        yield StoredCodec(release, writes=of_type).write(schema, minimal(schema))


def wire_types(_place: str, name: str) -> Iterable[Any]:
    """Return values of a wire type, and some outside it."""
    if name in SCALARS:
        return (*SCALARS[name], None)
    if name in WIDTHS or is_varint(name):
        bits, is_unsigned = bits_of(name), name.startswith("u")
        return (*inputs.numbers(0 if is_unsigned else -(2 ** (bits - 1)), 2 ** (bits - (not is_unsigned)) - 1), None)
    if name == "tag-section":
        return (*inputs.ENTRIES, *inputs.BAD_ENTRIES)
    if "array-of" in name:
        return _lists(name.rpartition("-")[2])
    return inputs.texts() if name.endswith("string") else inputs.blobs()


def _lists(element: str) -> Iterator[Any]:
    yield from ([], [ONES[element]], None)
    yield from LISTS[element]
    yield from ([ONES[element]] * length for length in (63, 64, 127, 128, 256, 16_384, 65_537))


def control(place: str, name: str) -> Iterator[dict[str, int]]:
    """Yield keys, or values of a transaction's marker, with differences at a place."""
    plain = {"version": 0, **({"type": 1} if name == "key" else {"coordinatorEpoch": 7})}
    bits = 32 if place == "coordinatorEpoch" else 16
    yield plain
    yield from (plain | {place: number} for number in inputs.numbers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1))


class Inputs(NamedTuple):
    """The inputs of a kind of codec."""

    contents: Callable[[str, Any], Iterable[Any]]
    """By a place, and a message or wire type."""
    places: tuple[str, ...] = ()
    """The places of damaged bytes for a fault of no such place, or none for the place of the fault."""
    others: Callable[[Release, Any], Iterator[bytes]] = lambda _release, _subject: iter(())


SECTION = ("section-count", "section-tag", "section-size")
INPUTS = {
    "frames": Inputs(frames, ("size", "correlation-id", "client-id", *SECTION)),
    "stored": Inputs(stored, (*PLACES, "prefix"), records),
    "wire types": Inputs(wire_types),
    "control records": Inputs(control),
}
