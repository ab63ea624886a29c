"""Which step of headers and frames goes wrong, and how."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from reference import MessageSchema
from tests.mutants.single_faults import ways
from tests.mutants.single_faults.steps import HIGHEST_TEXT, Content, Fixed, Length, Plan, Varint

Way = Fixed | Varint | Length | Content | None
NEWEST, OLDER = "4.3.0", "3.9.1"
PAIRS = "HeartbeatRequest-v3..4,HeartbeatResponse-v3..4"
WITH_BODIES = f"{PAIRS},SaslAuthenticateRequest-v2,SaslAuthenticateRequest-v0"
REQUESTS = "HeartbeatRequest-v3..4"
FLEXIBLE = "HeartbeatRequest-v4,HeartbeatResponse-v4"


class Around(NamedTuple):
    """A message, and the version of the header before it."""

    schema: MessageSchema
    header: int


@dataclass(frozen=True)
class Wrong:
    """One step of a header or frame that is done otherwise."""

    side: str
    place: str
    way_name: str
    way: Way
    pairs: str = PAIRS
    legal: bool = False
    release: str = NEWEST

    @property
    def name(self) -> str:
        return f"{self.side}/{self.place}/{self.way_name}"

    @property
    def about(self) -> str:
        done = "reader" if self.side == "decode" else "writer"
        return f"The {self.place.replace('-', ' ')} of a {done}: {self.way_name.replace('-', ' ')}."

    @property
    def plan(self) -> Plan:
        return Plan(self.way_name if self.way is None else self.place, self.way)


def wrongs() -> Iterator[Wrong]:
    """Yield every fault and every legal variant."""
    for side, fixed, lengths in (
        ("decode", ways.fixed_readings, ways.length_readings),
        ("encode", ways.fixed_writings, ways.length_writings),
    ):
        yield from _all(side, "size", fixed(4) | SHIFTED, WITH_BODIES)
        yield from _all(side, "correlation-id", fixed(4))
        yield from _all(side, "api-key", NUMBERS, REQUESTS)
        yield from _all(side, "api-version", NUMBERS, REQUESTS)
        of_client_id = lengths(HIGHEST_TEXT, nullable=True) | ways.contents("")
        numbers = {f"length-{name}": way for name, way in fixed(2).items()}
        yield from _all(side, "client-id", {**of_client_id, **numbers}, REQUESTS)
        for part, found in ways.entries(side).items():
            yield from _all(side, f"section{part}", found, FLEXIBLE)
        for name, pairs in ALONE[side].items():
            yield Wrong(side, "frame", name, None, pairs)
        yield from _headers(side)
    yield Wrong("encode", "numbers", "swapped", Content(value=lambda names: names[::-1]), REQUESTS)
    yield from _legal()


def _all(side: str, place: str, found: Mapping[str, Way], pairs: str = PAIRS) -> Iterator[Wrong]:
    return (Wrong(side, place, name, way, pairs) for name, way in found.items())


def _shifted(shift: int) -> Fixed:
    return Fixed(number=lambda number: number + shift)


SHIFTED = {f"{shift:+}": _shifted(shift) for shift in (-8, -4, -2, -1, 1, 2, 4, 8)}
NUMBERS = {
    "little-endian": Fixed(piece=lambda piece: piece[::-1]),
    "one-byte-less": Fixed(more=-1, piece=lambda piece: piece[-1:]),
    "plus-one": _shifted(1),
}
ALONE: dict[str, dict[str, str]] = {
    "decode": {
        "size-not-checked": PAIRS,
        "size-beyond-the-input-cut": PAIRS,
        "size-negative-as-all": PAIRS,
        "body-beyond-the-size": PAIRS,
        "second-frame-refused": PAIRS,
        "consumed-all": PAIRS,
        "consumed-without-size": PAIRS,
        "client-id-compact": REQUESTS,
        "section-not-read": FLEXIBLE,
        "section-may-be-missing": FLEXIBLE,
        "section-count-not-checked": FLEXIBLE,
    },
    "encode": {
        "client-id-compact": REQUESTS,
        "section-not-written": FLEXIBLE,
        "section-order-not-checked": FLEXIBLE,
        "body-first": PAIRS,
        "padded-to-four-bytes": PAIRS,
    },
}
"""Steps without a number, and where each shows."""


class Header(NamedTuple):
    """A wrong table of header versions."""

    is_wrong: Callable[[MessageSchema], bool]
    header: int
    pairs: str
    release: str = NEWEST


def _of(message: str, lowest: int = 0, highest: int = 99) -> Callable[[MessageSchema], bool]:
    return lambda schema: schema.message == message and lowest <= schema.version <= highest


TABLES: dict[str, Header] = {
    "api-versions-response-with-section": Header(_of("ApiVersionsResponse", 3), 1, "ApiVersionsResponse"),
    "api-versions-response-3-with-section": Header(_of("ApiVersionsResponse", 3, 3), 1, "ApiVersionsResponse"),
    "api-versions-response-4-with-section": Header(_of("ApiVersionsResponse", 4), 1, "ApiVersionsResponse"),
    "api-versions-response-0-with-section": Header(_of("ApiVersionsResponse", 0, 0), 1, "ApiVersionsResponse"),
    "api-versions-request-without-section": Header(_of("ApiVersionsRequest", 3), 1, "ApiVersionsRequest"),
    "api-versions-request-4-without-section": Header(_of("ApiVersionsRequest", 4), 1, "ApiVersionsRequest"),
    "api-versions-request-2-with-section": Header(_of("ApiVersionsRequest", 2, 2), 2, "ApiVersionsRequest"),
    "sasl-handshake-request-with-section": Header(_of("SaslHandshakeRequest"), 2, "SaslHandshakeRequest"),
    "sasl-handshake-1-request-with-section": Header(_of("SaslHandshakeRequest", 1), 2, "SaslHandshakeRequest"),
    "sasl-handshake-response-with-section": Header(_of("SaslHandshakeResponse"), 1, "SaslHandshakeResponse"),
    "offset-delete-request-with-section": Header(_of("OffsetDeleteRequest"), 2, "OffsetDeleteRequest"),
    "offset-delete-response-with-section": Header(_of("OffsetDeleteResponse"), 1, "OffsetDeleteResponse"),
    "one-version-late": Header(_of("MetadataRequest", 9, 9), 1, "MetadataRequest-v8..9"),
    "one-version-early": Header(_of("MetadataRequest", 8, 8), 2, "MetadataRequest-v8..9"),
    "response-one-version-late": Header(_of("MetadataResponse", 9, 9), 0, "MetadataResponse-v8..9"),
    "response-one-version-early": Header(_of("MetadataResponse", 8, 8), 1, "MetadataResponse-v8..9"),
    "newest-version-alone-without-section": Header(_of("MetadataRequest", 13), 1, "MetadataRequest-v12..13"),
    "newest-response-alone-without-section": Header(_of("MetadataResponse", 13), 0, "MetadataResponse-v12..13"),
    "envelope-request-without-section": Header(_of("EnvelopeRequest"), 1, "EnvelopeRequest"),
    "envelope-response-without-section": Header(_of("EnvelopeResponse"), 0, "EnvelopeResponse"),
    "all-requests-with-header-1": Header(lambda schema: schema.kind == "request", 1, PAIRS),
    "all-requests-with-header-2": Header(lambda schema: schema.kind == "request", 2, PAIRS),
    "all-responses-with-header-0": Header(lambda schema: schema.kind == "response", 0, PAIRS),
    "all-responses-with-header-1": Header(lambda schema: schema.kind == "response", 1, PAIRS),
    "version-0-with-header-0": Header(
        lambda schema: schema.kind == "request" and schema.version == 0, 0, "HeartbeatRequest-v0,ListGroupsRequest-v0"
    ),
    "controlled-shutdown-0-with-client-id": Header(
        _of("ControlledShutdownRequest", 0, 0), 1, "ControlledShutdownRequest", OLDER
    ),
    "controlled-shutdown-1-without-client-id": Header(
        _of("ControlledShutdownRequest", 1, 1), 0, "ControlledShutdownRequest", OLDER
    ),
    "controlled-shutdown-3-without-section": Header(
        _of("ControlledShutdownRequest", 3), 1, "ControlledShutdownRequest", OLDER
    ),
}


def _headers(side: str) -> Iterator[Wrong]:
    for name, table in TABLES.items():
        yield Wrong(side, "header-version", name, Content(value=_table(table)), table.pairs, release=table.release)


def _table(table: Header) -> Callable[[Around], Around]:
    return lambda around: around._replace(header=table.header) if table.is_wrong(around.schema) else around


def _legal() -> Iterator[Wrong]:
    """Yield what readers and writers may do, though others do not."""
    negative = Length(of=ways.refuse_if(lambda length: length < -1))
    yield Wrong("decode", "client-id", "other-negative-refused", negative, REQUESTS, legal=True)
    yield Wrong("decode", "frame", "bytes-behind-the-body-refused", None, legal=True)
    for part in ("count", "tag", "size"):
        overlong = ways.VARINT_LEGAL["overlong-refused"]
        yield Wrong("decode", f"section-{part}", "overlong-refused", overlong, FLEXIBLE, legal=True)
        excess = ways.excess_refused(32)
        yield Wrong("decode", f"section-{part}", "excess-bits-refused", excess, FLEXIBLE, legal=True)
    for name, change in ways.LEGAL_SECTION.items():
        yield Wrong("decode", "section", name, Content(value=change), FLEXIBLE, legal=True)
    beyond = Varint(refuses=ways.above(2**31 - 2))
    yield Wrong("decode", "section-tag", "beyond-31-bits-refused", beyond, FLEXIBLE, legal=True)
    yield Wrong("decode", "section-count", "negative-refused", Varint(refuses=ways.above(2**31 - 1)), FLEXIBLE, legal=True)
