"""Headers of the wrong version or form, and frames that are counted wrong.

One codec of the field cannot be told here: a broker that answers ApiVersions with the body of version 0 if there is an
error (rule 5.12). It chooses another version of the message; whoever asks a codec, through the contract, for the bytes
of a version gets those of that version or is told a lie about fields.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from conformance.adapter import FrameContent
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.session import Session
from conformance.judge.checks.frame_cases import frame_checks
from conformance.judge.engine import run
from reference import MessageSchema, Release, api_schema, load_release, request_header_version, response_header_version
from tests.mutants.mutant import selected
from tests.mutants.single_faults.ways import refuse_if
from tests.second_codec.frames import FrameCodec, HeaderAsked
from tests.second_codec.steps import SOUND, ContentWay, FixedWay, Input, LeftOpen, Misstep, swap

if TYPE_CHECKING:
    from conformance.judge.case import Event

Headers = Callable[[HeaderAsked], HeaderAsked]
"""From the header of a message to that which is taken for it."""

NEWEST = load_release("4.3.0")
OLDER = load_release("3.9.1")


def as_it_is(around: HeaderAsked) -> HeaderAsked:
    return around


@dataclass(frozen=True)
class FramingMutant:
    """One implementation that is wrong around its messages."""

    name: str
    rule: str
    pairs: str
    writes: Misstep = SOUND
    reads: Misstep = SOUND
    header_version: Headers | None = None
    """What it says of headers, if it is asked."""
    release: Release = NEWEST

    def check(self, session: Session) -> Iterator["Event"]:
        """What comes of the deterministic checks of its frames."""
        for schema in self.schemas():
            yield from run(session, frame_checks(session, schema))

    def schemas(self) -> list[MessageSchema]:
        return selected(self.release.name, self.pairs)

    def adapter(self) -> LoadedAdapter:
        codec = FrameCodec(self.release, reads=self.reads, writes=self.writes)

        def decode_frame(release: Release, direction: Any, key: int, version: int, wire: bytes) -> FrameContent:
            source = Input(wire, self.reads)
            content = codec.read(release, api_schema(release, direction, key, version), source)
            if source.is_open:
                raise LeftOpen
            return replace(content, consumed=None)

        return replace(
            codec.adapter(self.name),
            supported={"encode": {}, "decode": {}},
            encode=None,
            decode=None,
            decode_frame=decode_frame,
            header_version=self._header_version if self.header_version else None,
        )

    def _header_version(self, api_key: int, api_version: int, direction: Any) -> int:
        assert self.header_version is not None
        of_direction = request_header_version if direction == "request" else response_header_version
        schema = api_schema(self.release, direction, api_key, api_version)
        return self.header_version(HeaderAsked(schema, of_direction(api_key, api_version, self.release))).header


def wrong_section(around: HeaderAsked) -> HeaderAsked:
    """A response to ApiVersions has the header of any flexible response (rule 5.2)."""
    is_lie = around.schema.message == "ApiVersionsResponse" and around.schema.version > 2
    return around._replace(header=1) if is_lie else around


def oldest_as_next(around: HeaderAsked) -> HeaderAsked:
    """A request with header 0 has a client id (rule 5.1)."""
    return around._replace(header=1) if around.schema.kind == "request" and around.header == 0 else around


def at_most(highest: int, around: HeaderAsked) -> HeaderAsked:
    """A request has no newer header."""
    is_lie = around.schema.kind == "request" and around.header > highest
    return around._replace(header=highest) if is_lie else around


def header(change: Headers) -> Misstep:
    return Misstep("header-version", ContentWay(value=change))


def size(shift: int) -> Misstep:
    return Misstep("size", FixedWay(number=lambda number: number + shift))


def client_id(change: Callable[[Any], Any]) -> Misstep:
    return Misstep("client-id", ContentWay(value=change))


UNSIGNED = Misstep("correlation-id", FixedWay(number=lambda number: number % 2**32))


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
        header_version=partial(at_most, 1),
    ),
    FramingMutant(
        "header-that-follows-from-flexible-versions",
        "header.request-version",
        "OffsetDeleteRequest",
        header_version=partial(at_most, 2),
        release=load_release("kip-1313"),
    ),
    FramingMutant(
        "api-versions-response-written-with-header-1",
        "header.response-version",
        "ApiVersionsResponse",
        writes=header(wrong_section),
    ),
    FramingMutant(
        "api-versions-response-read-with-header-1",
        "header.response-version",
        "ApiVersionsResponse",
        reads=header(wrong_section),
    ),
    FramingMutant(
        "flexible-request-written-with-header-1",
        "header.request-version",
        "MetadataRequest-v8..9",
        writes=Misstep("section-not-written"),
    ),
    FramingMutant(
        "flexible-request-read-with-header-1",
        "header.request-version",
        "MetadataRequest-v8..9",
        reads=Misstep("section-not-read"),
    ),
    FramingMutant(
        "flexible-response-read-with-header-0",
        "header.response-version",
        "MetadataResponse-v8..9",
        reads=Misstep("section-not-read"),
    ),
    FramingMutant(
        "oldest-header-with-client-id",
        "header.request-version",
        "ControlledShutdownRequest-v0..1",
        writes=header(oldest_as_next),
        reads=header(oldest_as_next),
        release=OLDER,
    ),
)

SECTIONS = (
    FramingMutant(
        "header-section-missing",
        "tag.section",
        FLEXIBLE,
        writes=Misstep("section-not-written"),
        reads=Misstep("section-not-read"),
        header_version=as_it_is,
    ),
    FramingMutant(
        "header-section-not-written",
        "tag.section",
        FLEXIBLE,
        writes=Misstep("section-not-written"),
        header_version=as_it_is,
    ),
    FramingMutant(
        "header-section-not-read", "tag.section", FLEXIBLE, reads=Misstep("section-not-read"), header_version=as_it_is
    ),
    FramingMutant(
        "header-section-behind-the-body",
        "tag.section",
        FLEXIBLE,
        writes=Misstep("section-behind"),
        reads=Misstep("section-behind"),
    ),
    FramingMutant("header-section-written-behind", "tag.section", FLEXIBLE, writes=Misstep("section-behind")),
    FramingMutant("header-section-read-behind", "tag.section", FLEXIBLE, reads=Misstep("section-behind")),
    FramingMutant(
        "header-tags-refused",
        "tag.unknown-accepted",
        FLEXIBLE,
        reads=Misstep("section", ContentWay(value=refuse_if(bool))),
    ),
    FramingMutant(
        "header-tags-dropped",
        "tag.unknown-kept",
        FLEXIBLE,
        writes=Misstep("section", ContentWay(value=lambda entries: entries[:0])),
    ),
)

FIELDS = (
    FramingMutant(
        "compact-client-id",
        "header.client-id",
        "MetadataRequest-v8..9",
        writes=Misstep("client-id-compact"),
        reads=Misstep("client-id-compact"),
    ),
    FramingMutant(
        "compact-client-id-written", "header.client-id", "MetadataRequest-v9", writes=Misstep("client-id-compact")
    ),
    FramingMutant(
        "compact-client-id-read", "header.client-id", "MetadataRequest-v9", reads=Misstep("client-id-compact")
    ),
    FramingMutant(
        "no-client-id",
        "header.client-id",
        "MetadataRequest-v8..9",
        writes=Misstep("client-id-left-out"),
        reads=Misstep("client-id-left-out"),
    ),
    FramingMutant(
        "empty-client-id-read-as-null", "header.client-id", "MetadataRequest-v8..9", reads=client_id(swap("", None))
    ),
    FramingMutant(
        "null-client-id-refused",
        "header.client-id",
        "MetadataRequest-v8..9",
        writes=client_id(refuse_if(lambda given: given is None)),
    ),
    FramingMutant(
        "correlation-id-unsigned",
        "header.correlation-id",
        BOTH,
        writes=Misstep("correlation-id", FixedWay(refuses=lambda number: number < 0)),
        reads=UNSIGNED,
    ),
    FramingMutant("correlation-id-read-as-unsigned", "header.correlation-id", BOTH, reads=UNSIGNED),
)

SIZES = (
    FramingMutant(
        "frame-size-counts-itself",
        "frame.size",
        BOTH,
        writes=size(4),
        reads=size(-4),
    ),
    FramingMutant("frame-size-written-too-high", "frame.size", BOTH, writes=size(4)),
    FramingMutant("frame-size-read-as-too-high", "frame.size", BOTH, reads=size(-4)),
    FramingMutant("frame-size-too-low", "frame.size", BOTH, writes=size(-4), reads=size(4)),
    FramingMutant(
        "short-header-read-as-zeros", "input.truncated", BOTH, reads=Misstep("short-frame-filled-with-zeros")
    ),
    FramingMutant("frame-size-ignored", "frame.size", BOTH, reads=Misstep("size-not-checked")),
)

MUTANTS = (*VERSIONS, *SECTIONS, *FIELDS, *SIZES)
"""Every mutant of headers and frames."""
