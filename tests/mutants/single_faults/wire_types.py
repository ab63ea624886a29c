"""Single faults of wire types alone: numbers, texts, bytes, arrays and tag sections, read and written by chapter 1."""

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any
from uuid import UUID

from conformance.adapter import Decoded
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.judge.checks.wire_type_cases import primitive_cases
from conformance.judge.engine import violations
from conformance.vectors.tree.vector_paths import PRIMITIVES, VectorFile
from reference import load_release
from tests.mutants.single_faults import inputs
from tests.mutants.single_faults.family import CodecFaults
from tests.mutants.single_faults.fault import Seen
from tests.mutants.single_faults.judging import seen_by
from tests.mutants.single_faults.wire_type_ways import wrongs
from tests.mutants.single_faults.wrong import RELEASE, Wrong
from tests.second_codec.steps import (
    SOUND,
    TEXT,
    WIDTHS,
    Counting,
    Input,
    Misstep,
    NotTaken,
    Output,
    double,
    signed,
)

DEFINITIONS = load_release(RELEASE)


def form_of(name: str) -> Counting:
    """Return how a type of variable size is counted, by its name."""
    compact, nullable = name.startswith("compact-"), "nullable-" in name
    if name.endswith("string") and "array" not in name:
        return replace(TEXT, compact=compact, nullable=nullable)
    return Counting(compact=compact, nullable=nullable)


def element_of(name: str) -> Counting:
    """Return how the texts in an array are counted: as compact as it is, and never null."""
    return replace(TEXT, compact=name.startswith("compact-"))


def read(name: str, source: Input) -> Any:
    """Read one value of a wire type."""
    if name in WIDTHS:
        return source.number("number", name)
    if name.startswith(("unsigned-", "var")):
        number = source.varint("number", 64 if name.endswith("long") else 32)
        return number if name.startswith("unsigned-") else number >> 1 ^ -(number & 1)
    if name == "tag-section":
        return source.section()
    if "array-of" in name:
        if name.endswith("int32"):
            return source.numbers("count", form_of(name), 4)
        return source.array("count", form_of(name), partial(source.text, "element", element_of(name)))
    return (source.text if name.endswith("string") else source.blob)("length", form_of(name))


def write(name: str, value: Any, target: Output) -> None:
    """Write one value of a wire type."""
    if name in WIDTHS:
        target.number("number", name, value)
    elif name.startswith(("unsigned-", "var")):
        _write_varint(name, value, target)
    elif name == "tag-section":
        target.section(value)
    elif "array-of" in name:
        if name.endswith("int32"):
            target.numbers("count", form_of(name), value, 4)
        else:
            target.array("count", form_of(name), value, partial(target.text, "element", element_of(name)))
    else:
        (target.text if name.endswith("string") else target.blob)("length", form_of(name), value)


def _write_varint(name: str, value: Any, target: Output) -> None:
    bits = 64 if name.endswith("long") else 32
    if type(value) is not int:
        raise NotTaken
    if not name.startswith("unsigned-"):
        if target.misstep.has("range-not-checked"):
            value = signed(value, bits)
        if not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
            raise NotTaken
        value = 2 * value if value >= 0 else -2 * value - 1
    target.varint("number", value, bits)


@dataclass(frozen=True)
class WireTypeCodec:
    """A reader and a writer, one of which may be wrong in one step."""

    reads: Misstep = SOUND
    writes: Misstep = SOUND

    def encode(self, name: str, value: Any) -> bytes:
        target = Output(self.writes)
        write(name, value, target)
        return bytes(target.data)

    def decode(self, name: str, data: bytes) -> Decoded:
        source = Input(data, self.reads)
        return Decoded(read(name, source), source.at)

    def adapter(self, name: str) -> LoadedAdapter:
        return LoadedAdapter(
            spec="",
            name=name,
            version="0",
            supported={"encode": {}, "decode": {}},
            encode_primitive=self.encode,
            decode_primitive=self.decode,
            rejections=(NotTaken,),
        )


def codec_of(wrong: Wrong) -> WireTypeCodec:
    """Return the codec that is wrong in one step."""
    return WireTypeCodec(reads=wrong.misstep) if wrong.side == "decode" else WireTypeCodec(writes=wrong.misstep)


def judged(codec: WireTypeCodec, wrong: Wrong) -> Seen:
    """Return what shows a codec of a wire type."""
    name = wrong.subject
    files = [VectorFile(RELEASE, PRIMITIVES, name)]
    adapter = codec.adapter(f"{name}/{wrong.name}")
    return seen_by(adapter, DEFINITIONS, lambda session: violations(session, primitive_cases(session, name)), files)


def made(codec: WireTypeCodec, wrong: Wrong, given: Any) -> inputs.Made:
    """Return what a codec makes of bytes, or of a value in a tuple."""
    return (_written if wrong.side == "encode" else _read)(codec, wrong.subject, given)


@lru_cache(maxsize=2)
def sound(name: str, side: str, place: str) -> Sequence[tuple[Any, inputs.Made]]:
    """Return values, or sound and damaged bytes, of a wire type, each with what a sound codec makes of it."""
    if side == "encode":
        return [((value,), _written(WireTypeCodec(), name, (value,))) for value in values(name)]
    return [(wire, _read(WireTypeCodec(), name, wire)) for wire in wires(name, place)]


def _written(codec: WireTypeCodec, name: str, given: tuple[Any]) -> inputs.Made:
    return inputs.outcome(lambda: codec.encode(name, given[0]))


def _read(codec: WireTypeCodec, name: str, wire: bytes) -> inputs.Made:
    source = Input(wire, codec.reads)
    return inputs.outcome(lambda: (repr_of(read(name, source)), source.at), source)


def repr_of(value: Any) -> Any:
    """Return a value that is equal only to the same one: type and bits count."""
    return (type(value), struct.pack(">d", value)) if isinstance(value, float) else (type(value), value)


def wires(name: str, place: str) -> Iterator[bytes]:
    """Yield sound and damaged bytes of a wire type."""
    yield from inputs.damaged(
        lambda misstep, value: WireTypeCodec(writes=misstep).encode(name, value), values(name), place
    )


def values(name: str) -> Iterable[Any]:
    """Return values of a wire type, and some that it does not have."""
    if name in WIDTHS or name.startswith(("unsigned-", "var")):
        return _fixed_values(name)
    if name == "tag-section":
        return (*inputs.ENTRIES, *inputs.BAD_ENTRIES)
    if "array-of" in name:
        return _arrays(name)
    return inputs.texts() if name.endswith("string") else inputs.blobs()


def _fixed_values(name: str) -> Iterable[Any]:
    if name == "bool":
        return (False, True, None)
    if name == "uuid":
        halves = bytes(16), bytes(range(16)), b"\xff" * 16, bytes(8) + b"\1" * 8, b"\1" * 8 + bytes(8)
        return (*(UUID(bytes=piece) for piece in halves), None)
    if name == "float64":
        return (*(double(bytes.fromhex(bits)) for bits in FLOATS), None)
    bits = 64 if name.endswith("long") else 32 if "var" in name else 8 * WIDTHS[name]
    is_unsigned = name.startswith("u")
    return (*inputs.numbers(0 if is_unsigned else -(2 ** (bits - 1)), 2 ** (bits - (not is_unsigned)) - 1), None)


FLOATS = (
    "0000000000000000", "8000000000000000", "3ff8000000000000", "bff8000000000000", "3fb999999999999a",
    "7ff8000000000000", "7ff8000000000001", "7ff0000000000001", "fff8000000000001", "fff0000000000001",
    "7ff0000000000000", "fff0000000000000", "0000000000000001", "7fefffffffffffff", "0102030405060708",
    "4330000000000001", "47efffffe0000000",
)  # fmt: skip


def _arrays(name: str) -> Iterator[Any]:
    one: Any = "a" if name.endswith("string") else 7
    yield from ([], [one], None)
    if name.endswith("string"):
        yield from (["b", "", "a"], [""], ["a", None], ["a", "a"], ["c" * 128], ["c" * 16_384], [" a\r\n"])
    else:
        yield from ([3, 1, 2], [0], [-1, -2], [0x01020304], [7, 7])
    yield from ([one] * length for length in (63, 64, 127, 128, 256, 16_384, 65_537))


FAMILY: CodecFaults[WireTypeCodec, Any] = CodecFaults(
    "wire types",
    wrongs,
    codec_of,
    lambda wrong: sound(wrong.subject, wrong.side, wrong.misstep.place),
    made,
    judged,
    lambda wrong: f"{wrong.subject}/",
)
