"""Headers of the wrong version or form, and frames that are counted wrong.

A lie about frames is told on both sides: what is written is tampered with, and what is read must be tampered with in
the same way, or it is refused. One codec of the field cannot be told here: a broker that answers ApiVersions with the
body of version 0 if there is an error (rule 5.12). It chooses another version of the message; whoever asks a codec,
through the contract, for the bytes of a version gets those of that version or is told a lie about fields.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from conformance.adapter import FrameContent
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.session import Session
from conformance.judge.checks.frame_cases import frame_checks
from conformance.judge.engine import run
from reference import (
    CodecError,
    MessageSchema,
    Release,
    decode_frame,
    encode_frame,
    header_schema,
    load_release,
    request_header_version,
    response_header_version,
)
from tests.mutants import frame_forms as forms
from tests.mutants.mutant import selected

if TYPE_CHECKING:
    from conformance.judge.findings.trials import Event

Tamper = Callable[[bytes, forms.Around], bytes]
"""From one form of a frame to another."""

NEWEST = load_release("4.3.0")
OLDER = load_release("3.9.1")


def as_it_is(content: FrameContent) -> FrameContent:
    return content


def unsigned(content: FrameContent) -> FrameContent:
    return replace(content, correlation_id=content.correlation_id % 2**32)


def without_client(content: FrameContent) -> FrameContent:
    return replace(content, client_id=content.client_id or None)


def sound_version(release: Release, around: forms.Around) -> int:
    of_direction = request_header_version if around.direction == "request" else response_header_version
    return of_direction(around.api_key, around.api_version, release)


@dataclass(frozen=True)
class FramingMutant:
    """One implementation that is wrong around its messages."""

    name: str
    rule: str
    pairs: str
    writes: Tamper = forms.same
    """From the sound frame to that which is written."""
    reads: Tamper = forms.same
    """From the frame that is expected to the sound one."""
    content: Callable[[FrameContent], FrameContent] = as_it_is
    refuses: Callable[[int, str | None], bool] = lambda _correlation_id, _client_id: False
    """Whether a frame with these is not written."""
    header_version: Callable[[Release, forms.Around], int] | None = None
    keeps_tags: bool = True
    release: Release = NEWEST

    def check(self, session: Session) -> Iterator["Event"]:
        """What comes of the deterministic checks of its frames."""
        for schema in self.schemas():
            yield from run(session, frame_checks(session, schema))

    def schemas(self) -> list[MessageSchema]:
        return selected(self.release.name, self.pairs)

    def adapter(self) -> LoadedAdapter:
        return LoadedAdapter(
            spec="",
            name=self.name,
            version="0",
            supported={"encode": {}, "decode": {}},
            header_version=self._header_version if self.header_version else None,
            encode_frame=self._encode_frame,
            decode_frame=self._decode_frame,
            rejections=(CodecError,),
            capabilities=frozenset({"unknown-tags"}),
        )

    def _around(self, direction: Any, api_key: int, api_version: int) -> forms.Around:
        return forms.Around(
            direction, api_key, api_version, header_schema(self.release, direction, api_key, api_version)
        )

    def _header_version(self, api_key: int, api_version: int, direction: str) -> int:
        assert self.header_version is not None
        return self.header_version(self.release, self._around(direction, api_key, api_version))

    def _encode_frame(self, release: Release, direction: Any, *content: Any, header_tags: Any = ()) -> bytes:
        if self.refuses(content[2], content[3]):
            raise forms.refuse()
        frame = encode_frame(release, direction, *content, header_tags=header_tags if self.keeps_tags else ())
        return self.writes(frame, replace(self._around(direction, *content[:2]), client_id=content[3]))

    def _decode_frame(self, release: Release, direction: Any, key: int, version: int, wire: bytes) -> FrameContent:
        sound = self.reads(wire, self._around(direction, key, version))
        api = {} if direction == "request" else {"api_key": key, "api_version": version}
        frame = decode_frame(release, direction, sound, **api)
        return self.content(FrameContent(frame.correlation_id, frame.client_id, frame.value, frame.header_tags))


def wrong_section(release: Release, around: forms.Around) -> int:
    """A response to ApiVersions has the header of any flexible response (rule 5.2)."""
    is_lie = (around.direction, around.api_key) == ("response", 18) and around.api_version > 2
    return 1 if is_lie else sound_version(release, around)


def one_for_all_requests(release: Release, around: forms.Around) -> int:
    """Requests of flexible versions keep header 1."""
    return 1 if around.direction == "request" else sound_version(release, around)


def derived(release: Release, around: forms.Around) -> int:
    """A request of a flexible version has header 2, whatever its definition says (rule 5.1)."""
    return min(sound_version(release, around), 2)


FLEXIBLE = "MetadataRequest-v9,MetadataResponse-v9"
BOTH = "MetadataRequest-v8..9,MetadataResponse-v8..9"

VERSIONS = (
    FramingMutant(
        "api-versions-response-with-header-1",
        "header.response-version",
        "ApiVersionsResponse",
        header_version=wrong_section,
    ),
    FramingMutant(
        "flexible-request-with-header-1",
        "header.request-version",
        "MetadataRequest-v8..9",
        header_version=one_for_all_requests,
    ),
    FramingMutant(
        "header-that-follows-from-flexible-versions",
        "header.request-version",
        "OffsetDeleteRequest",
        header_version=derived,
        release=load_release("kip-1313"),
    ),
    FramingMutant(
        "api-versions-response-written-with-header-1",
        "header.response-version",
        "ApiVersionsResponse",
        writes=forms.api_versions_section,
    ),
    FramingMutant(
        "api-versions-response-read-with-header-1",
        "header.response-version",
        "ApiVersionsResponse",
        reads=forms.no_api_versions_section,
    ),
    FramingMutant(
        "flexible-request-written-with-header-1",
        "header.request-version",
        "MetadataRequest-v8..9",
        writes=forms.section_missing,
        keeps_tags=False,
    ),
    FramingMutant(
        "flexible-request-read-with-header-1",
        "header.request-version",
        "MetadataRequest-v8..9",
        reads=forms.section_added,
    ),
    FramingMutant(
        "flexible-response-read-with-header-0",
        "header.response-version",
        "MetadataResponse-v8..9",
        reads=forms.section_added,
    ),
    FramingMutant(
        "oldest-header-with-client-id",
        "header.request-version",
        "ControlledShutdownRequest-v0..1",
        writes=forms.oldest_header_with_client_id,
        reads=forms.oldest_header_without_client_id,
        release=OLDER,
    ),
)

SECTIONS = (
    FramingMutant(
        "header-section-missing",
        "tag.section",
        FLEXIBLE,
        writes=forms.section_missing,
        reads=forms.section_added,
        header_version=sound_version,
        keeps_tags=False,
    ),
    FramingMutant(
        "header-section-not-written",
        "tag.section",
        FLEXIBLE,
        writes=forms.section_missing,
        header_version=sound_version,
        keeps_tags=False,
    ),
    FramingMutant(
        "header-section-not-read", "tag.section", FLEXIBLE, reads=forms.section_added, header_version=sound_version
    ),
    FramingMutant(
        "header-section-behind-the-body",
        "tag.section",
        FLEXIBLE,
        writes=forms.section_behind,
        reads=forms.section_in_front,
        keeps_tags=False,
    ),
    FramingMutant(
        "header-section-written-behind", "tag.section", FLEXIBLE, writes=forms.section_behind, keeps_tags=False
    ),
    FramingMutant("header-section-read-behind", "tag.section", FLEXIBLE, reads=forms.section_in_front),
    FramingMutant("header-tags-refused", "tag.unknown-accepted", FLEXIBLE, reads=forms.header_tags_refused),
    FramingMutant("header-tags-dropped", "tag.unknown-kept", FLEXIBLE, keeps_tags=False),
)

FIELDS = (
    FramingMutant(
        "compact-client-id",
        "header.client-id",
        "MetadataRequest-v8..9",
        writes=forms.compact_client_id,
        reads=forms.legacy_client_id,
    ),
    FramingMutant(
        "compact-client-id-written", "header.client-id", "MetadataRequest-v9", writes=forms.compact_client_id
    ),
    FramingMutant("compact-client-id-read", "header.client-id", "MetadataRequest-v9", reads=forms.legacy_client_id),
    FramingMutant(
        "no-client-id",
        "header.client-id",
        "MetadataRequest-v8..9",
        writes=forms.without_client_id,
        reads=forms.with_client_id,
    ),
    FramingMutant("empty-client-id-read-as-null", "header.client-id", "MetadataRequest-v8..9", content=without_client),
    FramingMutant(
        "null-client-id-refused",
        "header.client-id",
        "MetadataRequest-v8..9",
        refuses=lambda _correlation_id, client_id: client_id is None,
    ),
    FramingMutant(
        "correlation-id-unsigned",
        "header.correlation-id",
        BOTH,
        content=unsigned,
        refuses=lambda correlation_id, _client_id: correlation_id < 0,
    ),
    FramingMutant("correlation-id-read-as-unsigned", "header.correlation-id", BOTH, content=unsigned),
)

SIZES = (
    FramingMutant(
        "frame-size-counts-itself",
        "frame.size",
        BOTH,
        writes=forms.size_counts_itself,
        reads=forms.size_does_not_count_itself,
    ),
    FramingMutant("frame-size-written-too-high", "frame.size", BOTH, writes=forms.size_counts_itself),
    FramingMutant("frame-size-read-as-too-high", "frame.size", BOTH, reads=forms.size_does_not_count_itself),
    FramingMutant("frame-size-too-low", "frame.size", BOTH, writes=forms.size_too_low, reads=forms.size_raised),
    FramingMutant("short-header-read-as-zeros", "input.truncated", BOTH, reads=forms.missing_zeros),
    FramingMutant("frame-size-ignored", "frame.size", BOTH, reads=forms.size_ignored),
)

MUTANTS = (*VERSIONS, *SECTIONS, *FIELDS, *SIZES)
"""Every mutant of headers and frames."""
