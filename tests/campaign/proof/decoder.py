"""A small codec of definitions as JSON, by which the verdicts of `specs diff` are judged.

It shares no code with the reference: it reads the properties of a definition itself, writes values, and reads bytes as
Apache Kafka's classes do. What it reads keeps the order of the wire, so that two readings can be compared.
"""

from __future__ import annotations

import struct
from functools import cache
from io import BytesIO
from random import Random
from typing import Any, NamedTuple

Json = dict[str, Any]

NUMBERS = {"int8": ">b", "int16": ">h", "int32": ">i", "int64": ">q", "uint16": ">H", "uint32": ">I", "float64": ">d"}
LOWEST = {"int8": -(2**7), "int16": -(2**15), "int32": -(2**31), "int64": -(2**63), "uint16": 0, "uint32": 0}
EVERY = range(2**15)


class Refused(Exception):
    """Bytes that the classes refuse."""


class Leaf(NamedTuple):
    """A field as it was read; its value is a list of leaves for a struct, and a list of these for an array."""

    name: str
    value: Any
    tag: int | None = None
    is_there: bool = True


@cache
def versions(text: str) -> range:
    """Return the versions of a range; one that is open ends with the highest number that there is."""
    if text == "none":
        return range(0)
    first, _, last = text.rstrip("+").partition("-")
    return range(int(first), EVERY.stop if text.endswith("+") else int(last or first) + 1)


class Codec:
    """A definition at one version."""

    def __init__(self, definition: Json, version: int) -> None:
        self.definition = definition
        self.version = version
        self.flexible = version in versions(definition.get("flexibleVersions", "none"))
        self.common = {each["name"]: each for each in definition.get("commonStructs", ())}

    def draw(self, random: Random) -> list[Leaf]:
        """Return a value."""
        return self._draw_struct(self.definition.get("fields", ()), self.version, random)

    def write(self, value: list[Leaf]) -> bytes:
        """Return its bytes."""
        out = BytesIO()
        self._write_struct(self.definition.get("fields", ()), self.version, value, out)
        return out.getvalue()

    def read(self, wire: bytes) -> list[Leaf]:
        """Return what bytes hold; raise Refused if they hold nothing."""
        return self._read_struct(self.definition.get("fields", ()), self.version, BytesIO(wire))

    def _is_there(self, field: Json, version: int) -> bool:
        return version in versions(field.get("versions") or field["taggedVersions"])

    def _tag(self, field: Json, version: int) -> int | None:
        return field["tag"] if version in versions(field.get("taggedVersions", "none")) else None

    def _inner(self, field: Json, version: int) -> tuple[list[Json], int]:
        """Return the fields of a struct; a common one is as in the nearest version that it has."""
        shared = self.common.get(field["type"].removeprefix("[]"))
        if shared is None:
            return field.get("fields", []), version
        own = versions(shared["versions"])
        return shared["fields"], min(max(version, own.start), own.stop - 1)

    def _compact(self, field: Json) -> bool:
        return self.version in versions(field["flexibleVersions"]) if "flexibleVersions" in field else self.flexible

    def _nullable(self, field: Json, version: int) -> bool:
        return version in versions(field.get("nullableVersions", "none"))

    def default(self, field: Json, *, is_there: bool = True, version: int = 0) -> Any:
        """Return the default of a field."""
        text, kind = field.get("default", ""), field["type"]
        if str(text) == "null":
            return None
        if kind.startswith("[]"):
            return []
        if kind in NUMBERS:
            return (float if kind == "float64" else _integer)(text or "0")
        if kind[0].isupper():
            inner, nearest = self._inner(field, version)
            there = [each for each in inner if not is_there or self._is_there(each, nearest)]
            return [Leaf(each["name"], self.default(each, is_there=is_there, version=nearest)) for each in there]
        return {"bool": str(text) == "true", "string": text, "uuid": bytes(16)}.get(kind, b"")

    def _draw_struct(self, fields: list[Json], version: int, random: Random) -> list[Leaf]:
        there = [each for each in fields if self._is_there(each, version)]
        return [Leaf(each["name"], self._draw(each, version, random), self._tag(each, version)) for each in there]

    def _draw(self, field: Json, version: int, random: Random) -> Any:
        if self._tag(field, version) is not None and random.random() < 0.3:
            return self.default(field, version=version)
        if self._nullable(field, version) and random.random() < 0.3:
            return None
        if field["type"].startswith("[]"):
            return [self._draw(_element(field), version, random) for _ in range(random.randrange(3))]
        if field["type"][0].isupper():
            return self._draw_struct(*self._inner(field, version), random)
        return _drawn(field["type"], random)

    def _write_struct(self, fields: list[Json], version: int, value: list[Leaf], out: BytesIO) -> None:
        by_name, entries = {leaf.name: leaf.value for leaf in value}, []
        for field in fields:
            if self._is_there(field, version):
                tag, item = self._tag(field, version), by_name[field["name"]]
                if tag is None:
                    self._write(field, version, item, out)
                elif item != self.default(field, version=version):
                    body = BytesIO()
                    self._write(field, version, item, body)
                    entries.append((tag, body.getvalue()))
        if self.flexible:
            out.write(_varint(len(entries)))
            for tag, content in sorted(entries):
                out.write(_varint(tag) + _varint(len(content)) + content)

    def _write(self, field: Json, version: int, value: Any, out: BytesIO) -> None:
        kind = field["type"]
        if kind in NUMBERS:
            out.write(struct.pack(NUMBERS[kind], value))
        elif kind == "bool":
            out.write(bytes([value]))
        elif kind == "uuid":
            out.write(value)
        elif kind[0].isupper():
            if self._nullable(field, version):
                out.write(b"\xff" if value is None else b"\x01")
            if value is not None:
                self._write_struct(*self._inner(field, version), value, out)
        else:
            self._write_sized(field, version, value.encode() if isinstance(value, str) else value, out)

    def _write_sized(self, field: Json, version: int, value: Any, out: BytesIO) -> None:
        length = -1 if value is None else len(value)
        out.write(_varint(length + 1) if self._compact(field) else struct.pack(_width(field), length))
        if field["type"].startswith("[]"):
            for item in value or ():
                self._write(_element(field), version, item, out)
        else:
            out.write(value or b"")

    def _read_struct(self, fields: list[Json], version: int, stream: BytesIO) -> list[Leaf]:
        there = [each for each in fields if self._is_there(each, version)]
        untagged = [each for each in there if self._tag(each, version) is None]
        leaves = [Leaf(each["name"], self._read(each, version, stream)) for each in untagged]
        leaves += self._read_tags(fields, version, stream) if self.flexible else []
        absent = [each for each in fields if not self._is_there(each, version)]
        return leaves + [Leaf(each["name"], self.default(each, is_there=False), is_there=False) for each in absent]

    def _read_tags(self, fields: list[Json], version: int, stream: BytesIO) -> list[Leaf]:
        known = {each["tag"]: each for each in fields if "tag" in each}
        found: dict[int, Leaf] = {}
        for _ in range(_read_varint(stream)):
            tag = _read_varint(stream)
            content = _take(stream, _read_varint(stream))
            field = known.get(tag)
            if field is None:
                found[tag] = Leaf("", content, tag)
            elif self._tag(field, version) != tag:
                raise Refused(f"tag {tag} of another version")
            else:
                found[tag] = Leaf(field["name"], self._read(field, version, BytesIO(content)), tag)
        for tag, field in known.items():
            if tag not in found and self._is_there(field, version) and self._tag(field, version) == tag:
                found[tag] = Leaf(field["name"], self.default(field, version=version), tag)
        return [found[tag] for tag in sorted(found)]

    def _read(self, field: Json, version: int, stream: BytesIO) -> Any:
        kind = field["type"]
        if kind in NUMBERS:
            return struct.unpack(NUMBERS[kind], _take(stream, struct.calcsize(NUMBERS[kind])))[0]
        if kind == "bool":
            return _take(stream, 1) != b"\0"
        if kind == "uuid":
            return _take(stream, 16)
        if kind[0].isupper():
            is_null = self._nullable(field, version) and _take(stream, 1)[0] > 127
            return None if is_null else self._read_struct(*self._inner(field, version), stream)
        return self._read_sized(field, version, stream)

    def _read_sized(self, field: Json, version: int, stream: BytesIO) -> Any:
        width = _width(field)
        compact = self._compact(field)
        length = _read_varint(stream) - 1 if compact else struct.unpack(width, _take(stream, struct.calcsize(width)))[0]
        if length < 0:
            if not self._nullable(field, version):
                raise Refused("null")
            return None
        if field["type"].startswith("[]"):
            if length > len(stream.getbuffer()):
                raise Refused("a count that is larger than the input")
            return [self._read(_element(field), version, stream) for _ in range(length)]
        content = _take(stream, length)
        return content.decode(errors="replace") if field["type"] == "string" else content


def changed(old: Json, new: Json, version: int, seed: str, count: int = 40) -> bool:
    """Return whether one side refuses, or reads as something else, what the other writes in a version of both."""
    sides = Codec(old, version), Codec(new, version)
    for writer, reader in (sides, sides[::-1]):
        random = Random(seed)  # noqa: S311  # no secret
        for _ in range(count):
            wire = writer.write(writer.draw(random))
            try:
                read = reader.read(wire)
            except (Refused, ValueError):
                return True
            if not _same(writer.read(wire), read):
                return True
    return False


def _same(one: list[Leaf], other: list[Leaf]) -> bool:
    return (
        _same_order(*(_untagged(each) for each in (one, other))) and _same_tags(one, other) and _same_rest(one, other)
    )


def _untagged(leaves: list[Leaf]) -> list[Leaf]:
    return [leaf for leaf in leaves if leaf.tag is None and leaf.is_there]


def _same_order(one: list[Leaf], other: list[Leaf]) -> bool:
    names = [[leaf.name for leaf in leaves] for leaves in (one, other)]
    moved = any(a != b and (a in names[1] or b in names[0]) for a, b in zip(*names, strict=False))
    return (
        len(one) == len(other) and not moved and all(_equal(a.value, b.value) for a, b in zip(one, other, strict=True))
    )


def _same_tags(one: list[Leaf], other: list[Leaf]) -> bool:
    before, after = ({leaf.tag: leaf for leaf in leaves if leaf.tag is not None} for leaves in (one, other))
    names = [{leaf.name for leaf in leaves} - {""} for leaves in (one, other)]
    for tag in before.keys() | after.keys():
        a, b = before.get(tag), after.get(tag)
        if a is None or b is None:
            alone, others = (a or b), names[0 if a is None else 1]
            if alone is not None and alone.name in others:
                return False
        elif a.name and b.name:
            if a.name != b.name and (a.name in names[1] or b.name in names[0]):
                return False
            if not _equal(a.value, b.value):
                return False
    return True


def _same_rest(one: list[Leaf], other: list[Leaf]) -> bool:
    absent = [{leaf.name: leaf.value for leaf in leaves if not leaf.is_there} for leaves in (one, other)]
    return all(_equal(absent[0][name], absent[1][name]) for name in absent[0].keys() & absent[1].keys())


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, list) and isinstance(other, list):
        if all(isinstance(each, Leaf) for each in (*one, *other)):
            return _same(one, other)
        return len(one) == len(other) and all(map(_equal, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return struct.pack(">d", one) == struct.pack(">d", other)
    return type(one) is type(other) and bool(one == other)


def _element(field: Json) -> Json:
    plain = {name: value for name, value in field.items() if name not in {"nullableVersions", "tag", "taggedVersions"}}
    return {**plain, "type": field["type"].removeprefix("[]"), "default": ""}


def _width(field: Json) -> str:
    return ">h" if field["type"] == "string" else ">i"


def _integer(text: Any) -> int:
    return int(str(text), 0)


def _drawn(kind: str, random: Random) -> Any:
    if kind in LOWEST:
        lowest = LOWEST[kind]
        return random.choice(
            (0, 1, 2, lowest, random.randrange(lowest, lowest + 256 ** struct.calcsize(NUMBERS[kind])))
        )
    if kind == "float64":
        return random.choice((0.0, 1.5, -1e300, random.random()))
    if kind == "bool":
        return random.random() < 0.5
    if kind == "uuid":
        return random.randbytes(16)
    text = "".join(random.choice("abcxyz0") for _ in range(random.randrange(6)))
    return text if kind == "string" else text.encode()


def _varint(number: int) -> bytes:
    parts = []
    while number > 127:
        parts.append(number & 127 | 128)
        number >>= 7
    return bytes([*parts, number])


def _read_varint(stream: BytesIO) -> int:
    number = shift = 0
    while True:
        byte = _take(stream, 1)[0]
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number
        if shift > 28:
            raise Refused("a varint that is too long")


def _take(stream: BytesIO, count: int) -> bytes:
    taken = stream.read(count)
    if len(taken) < count:
        raise Refused("the input ends")
    return taken
