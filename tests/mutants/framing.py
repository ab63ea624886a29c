"""Headers of the wrong version or form, and frames with wrong counts.

One codec of the field has no mutant, a broker that answers ApiVersions with the body of version 0 if there is an error
(rule 5.12). It chooses another version of the message, and the contract asks a codec for the bytes of a given version.
"""

from reference import load_release
from tests.mutants.around import mutants
from tests.mutants.single_faults.ways import refuse_if
from tests.second_codec.frames import HeaderAsked
from tests.second_codec.steps import ContentWay, FixedWay, Misstep, swap

NEWEST = load_release("4.3.0")
OLDER = load_release("3.9.1")


def _section_anyhow(around: HeaderAsked) -> HeaderAsked:
    """Give a response to ApiVersions the header of any flexible response (rule 5.2)."""
    is_lie = around.schema.message == "ApiVersionsResponse" and around.schema.version > 2
    return around._replace(header=1) if is_lie else around


def _oldest_as_next(around: HeaderAsked) -> HeaderAsked:
    """Give a request with header 0 a client id (rule 5.1)."""
    return around._replace(header=1) if around.schema.kind == "request" and around.header == 0 else around


def _at_most(highest: int) -> ContentWay:
    """Give a request no newer header."""
    return ContentWay(value=lambda around: around._replace(header=min(around.header, highest)))


def _shifted(shift: int) -> FixedWay:
    return FixedWay(number=lambda number: number + shift)


UNSIGNED = FixedWay(number=lambda number: number % 2**32)
SECTION = Misstep("section-left-out", also=Misstep("header-answer", ContentWay()))
"""The section is missing, though its version of the header has one."""
NOT_NEGATIVE = FixedWay(refuses=lambda number: number < 0)
WAYS = {
    "api-versions-response-with-header-1": ContentWay(value=_section_anyhow),
    "flexible-request-with-header-1": _at_most(1),
    "header-that-follows-from-flexible-versions": _at_most(2),
    "api-versions-response-written-with-header-1": ContentWay(value=_section_anyhow),
    "api-versions-response-read-with-header-1": ContentWay(value=_section_anyhow),
    "oldest-header-with-client-id": ContentWay(value=_oldest_as_next),
    **dict.fromkeys(("header-section-missing", "header-section-not-written", "header-section-not-read"), SECTION),
    "header-tags-refused": ContentWay(value=refuse_if(bool)),
    "header-tags-dropped": ContentWay(value=lambda entries: entries[:0]),
    "empty-client-id-read-as-null": ContentWay(value=swap("", None)),
    "null-client-id-refused": ContentWay(value=refuse_if(lambda given: given is None)),
    "correlation-id-unsigned": (NOT_NEGATIVE, UNSIGNED),
    "correlation-id-read-as-unsigned": UNSIGNED,
    "frame-size-counts-itself": (_shifted(4), _shifted(-4)),
    "frame-size-written-too-high": _shifted(4),
    "frame-size-read-as-too-high": _shifted(-4),
    "frame-size-too-low": (_shifted(-4), _shifted(4)),
}

MUTANTS = tuple(mutants("frames", "frames.tsv", WAYS))
"""Every mutant of headers and frames."""
