"""Faulty codecs of KIP-482's drafts: their sections have another form. They explain what an implementation wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.proposals.kip482_first_draft import FIRST_DRAFT, FirstDraft, OptionalFieldBuffer
from reference.proposals.kip482_second_draft import SECOND_DRAFT, HeadTagSection, SecondDraft, interleave
from reference.wire.numbers import INT16
from reference.wire.signed_varints import UNSIGNED_VARLONG, VARINT
from reference.wire.structs import StructBody
from reference.wire.tags import TagSection
from reference.wire.varints import UNSIGNED_VARINT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from io import BytesIO

    from reference.paths import Path
    from reference.wire.message import Protocol


def wrong_sections(dialect: str) -> Iterator[tuple[str, Protocol]]:
    """Yield rules of the dialect, each with a protocol that breaks it in every section; nothing for other dialects."""
    if dialect == FIRST_DRAFT.name:
        yield f"{dialect}.buffer", _FirstAtTheEnd()
        yield from ((f"{dialect}.{rule}", _first(section)) for rule, section in FIRST)
    elif dialect == SECOND_DRAFT.name:
        yield f"{dialect}.section", _SecondAtTheEnd()
        yield from ((f"{dialect}.{rule}", _second(section)) for rule, section in SECOND)


class _FirstAtTheEnd(FirstDraft):
    struct_body = StructBody


class _SecondAtTheEnd(SecondDraft):
    struct_body = StructBody


def _first(section: type[OptionalFieldBuffer]) -> Protocol:
    class Lying(FirstDraft):
        tag_section = section

    return Lying()


def _second(section: type[HeadTagSection]) -> Protocol:
    class Lying(SecondDraft):
        tag_section = section

    return Lying()


class _LengthWithTag(OptionalFieldBuffer):
    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        return VARINT.write(len(body) + 2) + INT16.write(tag) + body


class _LengthNotZigzag(OptionalFieldBuffer):
    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        return UNSIGNED_VARINT.write(len(body)) + INT16.write(tag) + body


class _TagBeforeLength(OptionalFieldBuffer):
    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        return INT16.write(tag) + VARINT.write(len(body)) + body


class _TagAsVarint(OptionalFieldBuffer):
    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        return VARINT.write(len(body)) + UNSIGNED_VARINT.write(tag) + body


class _TagLittleEndian(OptionalFieldBuffer):
    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        return VARINT.write(len(body)) + INT16.write(tag)[::-1] + body


class _NoEndMark(OptionalFieldBuffer):
    @classmethod
    def write_entries(cls, entries: Sequence[tuple[int, bytes]], stream: BytesIO) -> None:
        stream.write(b"".join(cls.entry(tag, body) for tag, body in entries) or b"\0")


class _Descending(OptionalFieldBuffer):
    def entries_of(self, value: Mapping[str, Any], path: Path) -> list[tuple[int, bytes]]:
        return super().entries_of(value, path)[::-1]


class _UnknownLast(OptionalFieldBuffer):
    def entries_of(self, value: Mapping[str, Any], path: Path) -> list[tuple[int, bytes]]:
        return TagSection.entries_of(self, value, path)


FIRST = (
    ("length", _LengthWithTag),
    ("length", _LengthNotZigzag),
    ("tag", _TagBeforeLength),
    ("tag", _TagAsVarint),
    ("tag", _TagLittleEndian),
    ("end-mark", _NoEndMark),
    ("tags-ascending", _Descending),
    ("tags-ascending", _UnknownLast),
)


class _Swapped(HeadTagSection):
    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        return UNSIGNED_VARLONG.write(interleave(tag, len(body))) + body


class _NotInterleaved(HeadTagSection):
    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        return TagSection.entry(tag, body)


class _SecondDescending(HeadTagSection):
    def entries_of(self, value: Mapping[str, Any], path: Path) -> list[tuple[int, bytes]]:
        return super().entries_of(value, path)[::-1]


class _SecondUnknownLast(HeadTagSection):
    def entries_of(self, value: Mapping[str, Any], path: Path) -> list[tuple[int, bytes]]:
        return TagSection.entries_of(self, value, path)


SECOND = (
    ("tag-header", _Swapped),
    ("tag-header", _NotInterleaved),
    ("tags-ascending", _SecondDescending),
    ("tags-ascending", _SecondUnknownLast),
)
