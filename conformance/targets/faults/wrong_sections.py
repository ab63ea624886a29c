"""Tag sections of the drafts of KIP-482 with one mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.proposals.kip482 import HeadSection
from reference.proposals.kip482_first_draft import FIRST_DRAFT, FirstDraft, OptionalFieldBuffer
from reference.proposals.kip482_second_draft import SECOND_DRAFT, HeadTagSection, SecondDraft, interleave
from reference.wire.numbers import INT16
from reference.wire.signed_varints import UNSIGNED_VARLONG, VARINT
from reference.wire.structs import StructBody
from reference.wire.tags import TagSection
from reference.wire.varints import UNSIGNED_VARINT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from io import BytesIO

    from reference.paths import Path
    from reference.proposals.kip482 import HeadedProtocol
    from reference.wire.message import Protocol


def wrong_sections(dialect: str) -> Iterator[tuple[str, Protocol]]:
    """Yield rules of the dialect, each with a protocol that breaks it in every section.

    Nothing is yielded for other dialects.
    """
    if dialect == FIRST_DRAFT.name:
        yield f"{dialect}.buffer", _lying(FirstDraft, struct_body=StructBody)
        for rule, lie in FIRST:
            # Each lie overrides one function of the section, so a class is made for it.
            section = type("Lying", (OptionalFieldBuffer,), lie)
            yield f"{dialect}.{rule}", _lying(FirstDraft, tag_section=section)
    elif dialect == SECOND_DRAFT.name:
        yield f"{dialect}.section", _lying(SecondDraft, struct_body=StructBody)
        for rule, lie in SECOND:
            section = type("Lying", (HeadTagSection,), lie)
            yield f"{dialect}.{rule}", _lying(SecondDraft, tag_section=section)


def _lying(protocol: type[HeadedProtocol], **lie: type) -> Protocol:
    lying: Protocol = type("Lying", (protocol,), lie)()
    return lying


def _entry(bytes_of: Callable[[int, bytes], bytes]) -> dict[str, Any]:
    return {"entry": staticmethod(bytes_of)}


def _no_end_mark(section: type[TagSection], entries: Sequence[tuple[int, bytes]], stream: BytesIO) -> None:
    stream.write(b"".join(section.entry(tag, body) for tag, body in entries) or b"\0")


def _descending(section: HeadSection, value: Mapping[str, Any], path: Path) -> list[tuple[int, bytes]]:
    return HeadSection.entries_of(section, value, path)[::-1]


ORDERS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("tags-ascending", {"entries_of": _descending}),
    ("tags-ascending", {"entries_of": TagSection.entries_of}),  # unknown ones last
)

FIRST = (
    ("length", _entry(lambda tag, body: VARINT.write(len(body) + 2) + INT16.write(tag) + body)),
    ("length", _entry(lambda tag, body: UNSIGNED_VARINT.write(len(body)) + INT16.write(tag) + body)),
    ("tag", _entry(lambda tag, body: INT16.write(tag) + VARINT.write(len(body)) + body)),
    ("tag", _entry(lambda tag, body: VARINT.write(len(body)) + UNSIGNED_VARINT.write(tag) + body)),
    ("tag", _entry(lambda tag, body: VARINT.write(len(body)) + INT16.write(tag)[::-1] + body)),
    ("end-mark", {"write_entries": classmethod(_no_end_mark)}),
    *ORDERS,
)

SECOND = (
    ("tag-header", _entry(lambda tag, body: UNSIGNED_VARLONG.write(interleave(tag, len(body))) + body)),
    ("tag-header", _entry(TagSection.entry)),
    *ORDERS,
)
