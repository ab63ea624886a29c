"""Headers of the wrong version or form, and frames that are counted wrong."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.adapter import LoadedAdapter
from conformance.selection import parse_selection, select
from reference import (
    CodecError,
    MessageSchema,
    Release,
    encode_frame,
    load_release,
    request_header_version,
    response_header_version,
)

if TYPE_CHECKING:
    from collections.abc import Callable

RELEASE = load_release("4.3.0")
SIZE = struct.Struct(">i")


def sound_version(api_key: int, api_version: int, direction: str) -> int:
    """The right header."""
    of_direction = request_header_version if direction == "request" else response_header_version
    return of_direction(api_key, api_version, RELEASE)


def flexible_api_versions_response(api_key: int, api_version: int, direction: str) -> int:
    """A response to ApiVersions has the header of any flexible response (rule 5.2)."""
    return (
        1
        if (api_key, direction) == (18, "response") and api_version > 2
        else sound_version(api_key, api_version, direction)
    )


def header_one_for_all_requests(api_key: int, api_version: int, direction: str) -> int:
    """Requests of flexible versions keep header 1."""
    return 1 if direction == "request" else sound_version(api_key, api_version, direction)


def same(frame: bytes, _direction: str, _client_id: str | None) -> bytes:
    """No change."""
    return frame


def size_counts_itself(frame: bytes, _direction: str, _client_id: str | None) -> bytes:
    """The size counts its own four bytes (rule 5.10)."""
    return SIZE.pack(len(frame)) + frame[4:]


def compact_client_id(frame: bytes, direction: str, client_id: str | None) -> bytes:
    """The client id of a request has a compact length (rule 5.5)."""
    if direction != "request":
        return frame
    old = b"\xff\xff" if client_id is None else struct.pack(">h", len(client_id.encode()))
    new = b"\0" if client_id is None else bytes([len(client_id.encode()) + 1])
    content = frame[4:12] + frame[12:].replace(old, new, 1)
    return SIZE.pack(len(content)) + content


def section_missing(frame: bytes, direction: str, client_id: str | None) -> bytes:
    """The header of a flexible request has no tag section."""
    if direction != "request":
        return frame
    end = 14 + len((client_id or "").encode())
    content = frame[4:end] + frame[end + 1 :]
    return SIZE.pack(len(content)) + content


@dataclass(frozen=True)
class FramingMutant:
    """One implementation that is wrong around its messages."""

    name: str
    rule: str
    pairs: str
    header_version: Callable[[int, int, str], int] = sound_version
    tamper: Callable[[bytes, str, str | None], bytes] = same

    def schemas(self) -> list[MessageSchema]:
        """The pairs on which it shows."""
        return select(list(RELEASE.schemas()), parse_selection([self.pairs]))

    def release(self) -> Release:
        """The release that it is about."""
        return RELEASE

    def adapter(self) -> LoadedAdapter:
        """The mutant as an adapter."""
        return LoadedAdapter(
            spec="",
            name=self.name,
            version="0",
            supported={"encode": {}, "decode": {}},
            header_version=self.header_version,
            encode_frame=self._encode_frame,
            rejections=(CodecError,),
        )

    def _encode_frame(self, release: Release, direction: Any, api_key: int, api_version: int, *content: Any) -> bytes:
        frame = encode_frame(release, direction, api_key, api_version, *content)
        return self.tamper(frame, direction, content[1])


MUTANTS = (
    FramingMutant(
        "api-versions-response-with-header-1",
        "header.response-version",
        "ApiVersionsResponse",
        header_version=flexible_api_versions_response,
    ),
    FramingMutant(
        "flexible-request-with-header-1",
        "header.request-version",
        "MetadataRequest-v8..9",
        header_version=header_one_for_all_requests,
    ),
    FramingMutant("frame-size-counts-itself", "frame.size", "MetadataRequest-v8..9", tamper=size_counts_itself),
    FramingMutant("compact-client-id", "header.client-id", "MetadataRequest-v9", tamper=compact_client_id),
    FramingMutant("header-section-missing", "tag.section", "MetadataRequest-v9", tamper=section_missing),
)
"""Every mutant of headers and frames."""
