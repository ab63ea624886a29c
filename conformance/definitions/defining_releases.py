"""Finds the release with the definition of an API's version.

The release under test comes first, then the other ones: servers announce versions of several releases. A version
without a definition in any imported release is not tested, and is named.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from reference import Release, UnsupportedApi, api_definition, api_schema, header_schema, load_release, releases
from reference.answers import OLDEST, version_of_response
from reference.definitions.header_versions import API_VERSIONS
from reference.headers import api_keys

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference import FrameDirection, MessageSchema

DIRECTIONS: tuple[FrameDirection, FrameDirection] = ("request", "response")


class Definitions:
    """The definitions of several releases. For each version the first release with it decides."""

    def __init__(self, among: Sequence[Release]) -> None:
        self.among = tuple(among)
        self.release_of = cache(self._release_of)

    @classmethod
    def beginning_with(cls, release: Release) -> Definitions:
        """Return the definitions of one release, then of all other committed ones, newest first."""
        return cls([release, *(load_release(name) for name in reversed(releases()) if name != release.name)])

    def _release_of(self, api_key: int, version: int) -> Release | None:
        for release in self._that_have(api_key):
            with suppress(UnsupportedApi):
                api_schema(release, "request", api_key, version)
                api_schema(release, "response", api_key, version)
                return release
        return None

    def release_of_answer(self, api_key: int, version: int) -> Release | None:
        """Return the first release for reading the answer to a version of an API, or None if there is none."""
        found = self.release_of(api_key, version)
        # A broker without a version of ApiVersions answers in the oldest one.
        return self.release_of(api_key, OLDEST) if found is None and api_key == API_VERSIONS else found

    def version_of_answer(self, api_key: int, version: int, payload: bytes) -> int:
        """Return the version used by a client for reading an answer, of which the payload has no size."""
        release = self.release_of_answer(api_key, version)
        return version if release is None else version_of_response(release, api_key, version, payload)

    def _that_have(self, api_key: int) -> Iterator[Release]:
        # Fast for unknown APIs, as a server may announce 32,768 of them.
        return (release for release in self.among if api_key in api_keys(release))

    def versions(self, api_key: int) -> list[int]:
        """Return the versions of an API over all releases, in ascending order."""
        found: set[int] = set()
        for release in self._that_have(api_key):
            with suppress(UnsupportedApi):
                requests, responses = (api_definition(release, side, api_key).valid_versions for side in DIRECTIONS)
                found.update(requests.intersect(responses))
        return sorted(found)

    def body(self, direction: FrameDirection, api_key: int, version: int) -> MessageSchema | None:
        """Return the schema of a body, or None if no release has it."""
        release = self.release_of(api_key, version)
        return None if release is None else api_schema(release, direction, api_key, version)

    def header(self, direction: FrameDirection, api_key: int, version: int) -> MessageSchema | None:
        """Return the schema of the header before a body, or None if no release has the body."""
        release = self.release_of(api_key, version)
        return None if release is None else header_schema(release, direction, api_key, version)

    def name(self, api_key: int) -> str:
        """Return the name of an API, like `Metadata`, or `API 999` if no release has it."""
        for release in self._that_have(api_key):
            with suppress(UnsupportedApi):
                return api_definition(release, "request", api_key).name.removesuffix("Request")
        return f"API {api_key}"

    def release_that_has(self, api_key: int, version: int) -> Release:
        """Return the first release with a version of an API, or raise `UnsupportedApi` about the first of all."""
        release = self.release_of(api_key, version)
        if release is None:
            api_schema(self.among[0], "request", api_key, version)
        return release or self.among[0]

    def keys(self) -> dict[str, int]:
        """Return the API keys by the names of APIs, as `Metadata`."""
        return {
            name.removesuffix("Request"): definition.api_key
            for release in self.among
            for name, definition in ((name, release.definition(name)) for name in release.messages)
            if definition.kind == "request" and definition.api_key is not None
        }

    def __str__(self) -> str:
        return ", ".join(release.title for release in self.among)
