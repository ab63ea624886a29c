"""The vectors of bytes that no writer makes: cut, tampered with, or with something behind them.

What is done to bytes is what `conformance.generate` does. Of a short message every place is tried. A longer one has the
same lengths, counts and sections many times over: there each way to tamper is tried at the first place of each kind,
which is the rule that says what the bytes are, and the result; and so is each cut, before such a place and inside it.
Null where there may be none is tried everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.broken import broken_cases
from conformance.generate.cases import populated, with_unknown_tags
from conformance.generate.hostile import whole_tamperings
from conformance.generate.sections import insertions
from conformance.generate.tampering import tamperings
from conformance.generate.values import unknown_tags
from conformance.golden.lines import Case
from conformance.golden.slugs import slug
from reference import TAGS, Reason, Result, encode_with_spans, judge, minimal, primitive

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import Encoded, MessageSchema, Span

SHORT = 24
"""Bytes of the fullest value of a message of which every place is tried."""

LONG_STRINGS_IN = frozenset(("HeartbeatRequest",))
"""Messages in which a string of 32,768 bytes is refused; the primitives have it too."""


FEW = frozenset((
    "length-null", "length-lowest", "length-one-more", "varint-zero", "varint-one-more", "varint-huge",
    "varint-six-bytes", "bool-02", "lone-continuation", "trailing-00", "unknown-twice",
))  # fmt: skip
"""Ways to tamper that are tried in every version."""


class Tampered(NamedTuple):
    """Bytes with something done to them."""

    where: str
    what: str
    wire: bytes
    flag: str
    sort: str
    """What was done to what, wherever it lies."""
    way: str
    """What was done."""


def byte_cases(schema: MessageSchema, *, thorough: bool) -> Iterator[Case]:
    """Every such input of a message that becomes a vector; none has the bytes of another one.

    Args:
        schema: the message at one version.
        thorough: whether to tamper in every way, or only in those of `FEW`.
    """
    full = populated(schema)
    encoded = encode_with_spans(schema, with_unknown_tags(schema.body, full) if schema.flexible else full)
    yield from _truncations(encoded)
    smallest = encode_with_spans(schema, _with_unknown_tag(schema, minimal(schema)))
    yield from (case for what, case in _kept(schema, encoded, smallest) if thorough or what in FEW)
    yield from _long_strings(schema)


def _with_unknown_tag(schema: MessageSchema, value: dict[str, Any]) -> dict[str, Any]:
    return {**value, TAGS: [(unknown_tags(schema.body)[0], b"\xca\xfe")]} if schema.flexible else value


def _kept(schema: MessageSchema, encoded: Encoded, smallest: Encoded) -> Iterator[tuple[str, Case]]:
    """Each way to tamper, and the case, at the places that are kept.

    Invalid bytes come from the fullest value, for they have no value to be written down; the others from the smallest
    where it has such a place.
    """
    full = [(each, judge(schema, each.wire)) for each in _tampered(schema, encoded)]
    small = [
        (each._replace(where=f"minimal-{each.where}"), judge(schema, each.wire)) for each in _tampered(schema, smallest)
    ]
    invalid = [each for each in full if each[1].result is Result.INVALID]
    others = [each for each in full if each[1].result is not Result.INVALID]
    seen: set[object] = set()
    for tampered, verdict in (*invalid, *small, *others):
        kind = (tampered.sort, verdict.result, verdict.reason)
        is_short = len(encoded.wire) <= SHORT and not tampered.where.startswith("minimal-")
        is_null = verdict.reason is Reason.NULL_NOT_ALLOWED and not tampered.where.startswith("minimal-")
        if tampered.wire not in seen and (kind not in seen or is_null or is_short):
            seen.update((kind, tampered.wire))
            yield tampered.way, Case(slug(tampered.where, tampered.what), tampered.wire, (tampered.flag,))


def _truncations(encoded: Encoded) -> Iterator[Case]:
    """The fullest value, cut at the places of its structure."""
    seen: set[str] = set()
    if encoded.wire:
        yield Case("cut-to-nothing", b"", ("Truncated",))
    for span, path in _places(encoded):
        if len(encoded.wire) > SHORT and span.rule in seen:
            continue
        seen.add(span.rule)
        place = slug("cut", path, span.rule)
        if span.start:
            yield Case(f"{place}-before", encoded.wire[: span.start], ("Truncated",))
        if span.end - span.start > 1:
            yield Case(f"{place}-inside", encoded.wire[: span.end - 1], ("Truncated",))


def _tampered(schema: MessageSchema, encoded: Encoded) -> Iterator[Tampered]:
    """One base with something done to it in one place."""
    wire = encoded.wire
    for span, path in _places(encoded):
        flag = _FLAGS.get(span.rule) or _FLAGS_OF_ROLES.get(span.role, "TamperedLength")
        for what, piece in tamperings(span, wire[span.start : span.end]):
            sort = f"{span.rule}-{what}"
            yield Tampered(path, sort, wire[: span.start] + piece + wire[span.end :], flag, sort, what)
    for each in insertions(schema, encoded):
        yield Tampered(each.path, f"section-{each.name}", each.wire, "TamperedTagSection", each.name, each.name)
    for whole in whole_tamperings("", encoded):
        what = whole.name.strip("/")
        if whole.path:
            sort = what.rpartition("-")[0]
            yield Tampered(whole.path, sort, whole.wire, "TamperedTagSection", sort, sort)
        else:
            yield Tampered("", what, whole.wire, "BytesBehind", what, what)


def _places(encoded: Encoded) -> Iterator[tuple[Span, str]]:
    """Every span with its path, to which those in a tag section add their tag: a section has several."""
    tag = ""
    for span in encoded.spans:
        if span.role == "tag":
            tag = f"-tag-{VARINT.decode(encoded.wire[span.start : span.end]).value}"
        yield span, span.path + tag if span.role in ("tag", "tag-size") else span.path


VARINT = primitive("unsigned-varint")

_FLAGS = {"bool.byte": "TamperedBool", "string.utf8": "TamperedText"}
_FLAGS_OF_ROLES = {
    "count": "TamperedCount",
    "marker": "TamperedMarker",
    "tag-count": "TamperedTagSection",
    "tag": "TamperedTagSection",
    "tag-size": "TamperedTagSection",
}


def _long_strings(schema: MessageSchema) -> Iterator[Case]:
    if schema.message in LONG_STRINGS_IN:
        for case in broken_cases(schema):
            if case.rule == "string.too-long":
                yield Case(slug(case.path, "length-32768"), case.wire, ("TamperedLength",))
