"""The header before a request or a response (rules 5.1 to 5.4).

A definition names its headers by `headerVersions`. Without that property, as in all releases up to 4.4.0, the header
follows from the flexible versions: a flexible request has header 2, any other header 1; a response has header 1 or 0.
There are two exceptions. ControlledShutdown version 0 has request header 0, as long as a release has that header. The
response to ApiVersions always has header 0, because a client must read it before it knows the broker's versions
(KIP-511).

In both drafts of KIP-482 a flexible version has the header of any other: its section is in the body alone. Proposals
have no definitions of headers and use those of the newest release.

>>> request_header_version(18, 3), response_header_version(18, 3)
(2, 0)
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from reference.definitions.header_versions import header_of
from reference.errors import CodecError
from reference.protocols import protocol_of
from reference.release import load_release, newest_release, releases

if TYPE_CHECKING:
    from reference.definitions.model import Definition
    from reference.release import Release
    from reference.schema import FrameDirection, MessageSchema

REQUEST_HEADER = "RequestHeader"
RESPONSE_HEADER = "ResponseHeader"


class UnsupportedApi(CodecError):
    """An API key or version unknown to the release."""

    def __init__(self, release: Release, api_key: int, api_version: int | None, hint: str) -> None:
        super().__init__(release.name, api_key, api_version, hint)
        self.title = release.title
        self.release = release.name
        self.api_key = api_key
        self.api_version = api_version
        self.hint = hint

    def __str__(self) -> str:
        version = "" if self.api_version is None else f" version {self.api_version}"
        return f"{self.title} has no API with key {self.api_key}{version}: {self.hint}"


def request_header_version(api_key: int, api_version: int, release: Release | None = None) -> int:
    """Return the version of the header before a request.

    Every number of a version has an answer, known or not (rule 5.3). Without a release the newest one is used.

    Raises:
        UnsupportedApi: the release has no such API, or has removed all its versions.
    """
    release = release or load_release(newest_release())
    header = header_before(api_definition(release, "request", api_key), api_version)
    # Releases without request header 0 have header 1 in its place.
    return max(header, _with_headers(release).definition(REQUEST_HEADER).valid_versions.lowest)


def response_header_version(api_key: int, api_version: int, release: Release | None = None) -> int:
    """Return the version of the header before a response.

    Every number of a version has an answer, known or not (rule 5.3). Without a release the newest one is used.

    Raises:
        UnsupportedApi: the release has no such API, or has removed all its versions.
    """
    release = release or load_release(newest_release())
    return header_before(api_definition(release, "response", api_key), api_version)


def header_before(definition: Definition, version: int) -> int:
    """Return the version of the header before a version of a request or response, by its definition."""
    return header_of(definition, version, flexible_headers=protocol_of(definition.dialect).flexible_headers)


def api_definition(release: Release, direction: FrameDirection, api_key: int) -> Definition:
    """Return the definition of the request or the response of an API.

    Raises:
        UnsupportedApi: the release has no such API, or has it only as a key without versions.
    """
    name = _messages_by_key(release).get((direction, api_key))
    if name is None:
        keys = sorted({key for _, key in _messages_by_key(release)})
        hint = f"its keys are {keys[0]} to {keys[-1]}" if keys else "it has no APIs"
        raise UnsupportedApi(release, api_key, None, hint)
    definition = release.definition(name)
    if definition.valid_versions.empty:
        raise UnsupportedApi(release, api_key, None, f"{name} has no versions any more")
    return definition


def api_schema(release: Release, direction: FrameDirection, api_key: int, api_version: int) -> MessageSchema:
    """Return the schema of the body of a request or response.

    Raises:
        UnsupportedApi: the release has no such API, or no such version of it.
    """
    definition = api_definition(release, direction, api_key)
    if api_version not in definition.valid_versions:
        hint = f"the versions of {definition.name} are {definition.valid_versions}"
        raise UnsupportedApi(release, api_key, api_version, hint)
    return release.schema(definition.name, api_version)


def header_schema(release: Release, direction: FrameDirection, api_key: int, api_version: int) -> MessageSchema:
    """Return the schema of the header before a request or response.

    Raises:
        UnsupportedApi: the release has no such API.
    """
    headers = _with_headers(release)
    if direction == "request":
        return headers.schema(REQUEST_HEADER, request_header_version(api_key, api_version, release))
    return headers.schema(RESPONSE_HEADER, response_header_version(api_key, api_version, release))


def with_raw_tags(header: MessageSchema) -> MessageSchema:
    """Return the header with all its tagged fields as unknown ones, by tag and bytes, the form of a frame."""
    fields = tuple(field for field in header.fields if field.tag is None)
    if len(fields) == len(header.fields):
        return header
    return replace(header, fields=fields, absent_fields=(), tags_elsewhere=frozenset())


def _with_headers(release: Release) -> Release:
    """Return the release itself, the newest one for a proposal without headers, or the oldest one here.

    The one request header of 2.3 was not in use: its programs wrote versions 0 and 1 of later releases.
    """
    if REQUEST_HEADER not in release.messages:
        return load_release(newest_release())
    return release if 1 in release.definition(REQUEST_HEADER).valid_versions else load_release(releases()[0])


@cache
def api_keys(release: Release) -> frozenset[int]:
    """Return the keys of the APIs of a release, those without versions included."""
    return frozenset(key for _, key in _messages_by_key(release))


@cache
def _messages_by_key(release: Release) -> dict[tuple[str, int], str]:
    definitions = (release.definition(name) for name in release.messages)
    return {
        (each.kind, each.api_key): each.name
        for each in definitions
        if each.kind in ("request", "response") and each.api_key is not None
    }
