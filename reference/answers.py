"""The version in which a client reads the response to ApiVersions (rule 5.12).

A client asks before it knows the versions of the broker. A broker without the requested version answers in version 0.
So the client reads the requested version, and version 0 if it cannot, whatever the error code. Two answers to
version 4:

    00 23   00 00 00 01   00 12 00 00 00 03                             read as version 0: error 35, one API
    00 23   02   00 12 00 00 00 03 00   00 00 00 00   00                read as version 4: error 35, one API

Source: `ApiVersionsResponse.parse` of Apache Kafka, which catches every RuntimeException of the first reading. Bytes
after the message do not cause one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.definitions.header_versions import API_VERSIONS
from reference.headers import UnsupportedApi, api_schema, header_schema
from reference.oracle import judge

if TYPE_CHECKING:
    from reference.release import Release

OLDEST = 0
"""The version of ApiVersions known to every broker."""


def version_of_body(release: Release, api_key: int, version: int, body: bytes) -> int:
    """Return the version in which a client reads the body of a response.

    It is the requested `version`, which the release need not have, unless ApiVersions is readable in version 0 only.
    """
    if api_key != API_VERSIONS or _is_readable(release, version, body) or not _is_readable(release, OLDEST, body):
        return version
    return OLDEST


def version_of_response(release: Release, api_key: int, version: int, payload: bytes) -> int:
    """Return the version in which a client reads a whole response without its size, or raise UnsupportedApi."""
    if api_key != API_VERSIONS:
        return version
    start = judge(header_schema(release, "response", api_key, version), payload).consumed
    return version if start is None else version_of_body(release, api_key, version, payload[start:])


def _is_readable(release: Release, version: int, body: bytes) -> bool:
    """Return whether Apache Kafka reads the body, perhaps with trailing bytes or anything left open by the protocol."""
    try:
        schema = api_schema(release, "response", API_VERSIONS, version)
    except UnsupportedApi:
        return False
    return judge(schema, body).value is not None
