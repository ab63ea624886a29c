"""Which step of headers and frames goes wrong, and how."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from reference import MessageSchema
from tests.mutants.single_faults import ways
from tests.mutants.single_faults.wrong import RELEASE, Way, Wrong
from tests.second_codec.frames import HeaderAsked
from tests.second_codec.steps import HIGHEST_TEXT, ContentWay, FixedWay, LengthWay, VarintWay

OLDER = "3.9.1"
PAIRS = "HeartbeatRequest-v3..4,HeartbeatResponse-v3..4"
WITH_BODIES = f"{PAIRS},SaslAuthenticateRequest-v2,SaslAuthenticateRequest-v0"
REQUESTS = "HeartbeatRequest-v3..4,ListGroupsRequest-v0"
FLEXIBLE = "HeartbeatRequest-v4,HeartbeatResponse-v4"


def wrongs() -> Iterator[Wrong]:
    """Yield every fault and every legal variant."""
    for side, fixed, lengths in (
        ("decode", ways.fixed_readings, ways.length_readings),
        ("encode", ways.fixed_writings, ways.length_writings),
    ):
        yield from _all(side, "size", ways.without(fixed(4), *NO_SIZE) | SHIFTED, WITH_BODIES)
        yield from _all(side, "correlation-id", ways.without(fixed(4), "missing"))
        yield from _all(side, "api-key", NUMBERS, REQUESTS)
        yield from _all(side, "api-version", NUMBERS, REQUESTS)
        of_client_id: dict[str, Way] = {**lengths(HIGHEST_TEXT, nullable=True), **ways.contents("")}
        numbers = {f"length-{name}": way for name, way in fixed(2).items()}
        yield from _all(side, "client-id", ways.without({**of_client_id, **numbers}, *NO_CLIENT_ID), REQUESTS)
        for part, found in ways.entries(side).items():
            yield from _all(side, f"section{part}", ways.without(found, "missing", "beyond-the-input"), FLEXIBLE)
        for name, pairs in ALONE[side].items():
            yield Wrong(side, "frame", name, None, pairs)
        yield from _headers(side)
    yield Wrong("encode", "numbers", "swapped", ContentWay(value=lambda names: names[::-1]), REQUESTS)
    yield from _legal()


def _all(side: str, place: str, found: Mapping[str, Way], pairs: str = PAIRS) -> Iterator[Wrong]:
    return (Wrong(side, place, name, way, pairs) for name, way in found.items())


def _shifted(shift: int) -> FixedWay:
    return FixedWay(number=lambda number: number + shift)


NO_SIZE = (
    "missing", "unsigned", "zero-refused", "highest", "lowest", "negative", "minus-one", "wrapped", "clamped",
    "above-31",
)  # fmt: skip
NO_CLIENT_ID = ("limit-missing", "cut-at-32768", "lowest", "wrapped", "clamped", "length-missing", "cut-at-21")
"""Ways that differ on no frame."""
SHIFTED = {f"{shift:+}": _shifted(shift) for shift in (-8, -4, -2, -1, 1, 2, 4, 8)}
NUMBERS = {
    "little-endian": FixedWay(piece=lambda piece: piece[::-1]),
    "one-byte-less": FixedWay(more=-1, piece=lambda piece: piece[-1:]),
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
    },
    "encode": {
        "client-id-compact": REQUESTS,
        "section-not-written": FLEXIBLE,
        "body-first": PAIRS,
        "padded-to-four-bytes": PAIRS,
    },
}
"""Steps without a number, and where each shows."""


class HeaderTable(NamedTuple):
    """A wrong table of header versions."""

    is_wrong: Callable[[MessageSchema], bool]
    header: int
    pairs: str
    release: str = RELEASE


def _of(message: str, lowest: int = 0, highest: int = 99) -> Callable[[MessageSchema], bool]:
    return lambda schema: schema.message == message and lowest <= schema.version <= highest


TABLES: dict[str, HeaderTable] = {
    "api-versions-response-with-section": HeaderTable(_of("ApiVersionsResponse", 3), 1, "ApiVersionsResponse"),
    "api-versions-response-3-with-section": HeaderTable(_of("ApiVersionsResponse", 3, 3), 1, "ApiVersionsResponse"),
    "api-versions-response-4-with-section": HeaderTable(_of("ApiVersionsResponse", 4), 1, "ApiVersionsResponse"),
    "api-versions-response-0-with-section": HeaderTable(_of("ApiVersionsResponse", 0, 0), 1, "ApiVersionsResponse"),
    "api-versions-request-without-section": HeaderTable(_of("ApiVersionsRequest", 3), 1, "ApiVersionsRequest"),
    "api-versions-request-4-without-section": HeaderTable(_of("ApiVersionsRequest", 4), 1, "ApiVersionsRequest"),
    "api-versions-request-2-with-section": HeaderTable(_of("ApiVersionsRequest", 2, 2), 2, "ApiVersionsRequest"),
    "sasl-handshake-request-with-section": HeaderTable(_of("SaslHandshakeRequest"), 2, "SaslHandshakeRequest"),
    "sasl-handshake-1-request-with-section": HeaderTable(_of("SaslHandshakeRequest", 1), 2, "SaslHandshakeRequest"),
    "sasl-handshake-response-with-section": HeaderTable(_of("SaslHandshakeResponse"), 1, "SaslHandshakeResponse"),
    "offset-delete-request-with-section": HeaderTable(_of("OffsetDeleteRequest"), 2, "OffsetDeleteRequest"),
    "offset-delete-response-with-section": HeaderTable(_of("OffsetDeleteResponse"), 1, "OffsetDeleteResponse"),
    "one-version-late": HeaderTable(_of("MetadataRequest", 9, 9), 1, "MetadataRequest-v8..9"),
    "one-version-early": HeaderTable(_of("MetadataRequest", 8, 8), 2, "MetadataRequest-v8..9"),
    "response-one-version-late": HeaderTable(_of("MetadataResponse", 9, 9), 0, "MetadataResponse-v8..9"),
    "response-one-version-early": HeaderTable(_of("MetadataResponse", 8, 8), 1, "MetadataResponse-v8..9"),
    "newest-version-alone-without-section": HeaderTable(_of("MetadataRequest", 13), 1, "MetadataRequest-v12..13"),
    "newest-response-alone-without-section": HeaderTable(_of("MetadataResponse", 13), 0, "MetadataResponse-v12..13"),
    "envelope-request-without-section": HeaderTable(_of("EnvelopeRequest"), 1, "EnvelopeRequest"),
    "envelope-response-without-section": HeaderTable(_of("EnvelopeResponse"), 0, "EnvelopeResponse"),
    "all-requests-with-header-1": HeaderTable(lambda schema: schema.kind == "request", 1, PAIRS),
    "all-requests-with-header-2": HeaderTable(lambda schema: schema.kind == "request", 2, PAIRS),
    "all-responses-with-header-0": HeaderTable(lambda schema: schema.kind == "response", 0, PAIRS),
    "all-responses-with-header-1": HeaderTable(lambda schema: schema.kind == "response", 1, PAIRS),
    "version-0-with-header-0": HeaderTable(
        lambda schema: schema.kind == "request" and schema.version == 0, 0, "HeartbeatRequest-v0,ListGroupsRequest-v0"
    ),
    "controlled-shutdown-0-with-client-id": HeaderTable(
        _of("ControlledShutdownRequest", 0, 0), 1, "ControlledShutdownRequest", OLDER
    ),
    "controlled-shutdown-1-without-client-id": HeaderTable(
        _of("ControlledShutdownRequest", 1, 1), 0, "ControlledShutdownRequest", OLDER
    ),
    "controlled-shutdown-3-without-section": HeaderTable(
        _of("ControlledShutdownRequest", 3), 1, "ControlledShutdownRequest", OLDER
    ),
}


def _headers(side: str) -> Iterator[Wrong]:
    for name, table in TABLES.items():
        yield Wrong(side, "header-version", name, ContentWay(value=_table(table)), table.pairs, release=table.release)


def _table(table: HeaderTable) -> Callable[[HeaderAsked], HeaderAsked]:
    return lambda around: around._replace(header=table.header) if table.is_wrong(around.schema) else around


def _legal() -> Iterator[Wrong]:
    """Yield what readers and writers may do, though others do not."""
    negative = LengthWay(of=ways.refuse_if(lambda length: length < -1))
    yield Wrong("decode", "client-id", "other-negative-refused", negative, REQUESTS, legal=True)
    yield Wrong("decode", "frame", "bytes-behind-the-body-refused", None, PAIRS, legal=True)
    yield Wrong("encode", "frame", "section-order-not-checked", None, FLEXIBLE, legal=True)
    for part in ("count", "tag", "size"):
        overlong = ways.VARINT_LEGAL["overlong-refused"]
        yield Wrong("decode", f"section-{part}", "overlong-refused", overlong, FLEXIBLE, legal=True)
        excess = ways.excess_refused(32)
        yield Wrong("decode", f"section-{part}", "excess-bits-refused", excess, FLEXIBLE, legal=True)
    for name, change in ways.LEGAL_SECTION.items():
        yield Wrong("decode", "section", name, ContentWay(value=change), FLEXIBLE, legal=True)
    beyond = VarintWay(refuses=ways.above(2**31 - 2))
    yield Wrong("decode", "section-tag", "beyond-31-bits-refused", beyond, FLEXIBLE, legal=True)
    negative_count = VarintWay(refuses=ways.above(2**31 - 1))
    yield Wrong("decode", "section-count", "negative-refused", negative_count, FLEXIBLE, legal=True)
