"""Code without mutants, because a copy under test never runs it or nobody compares its results."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import libcst as cst
from libcst import matchers as m

if TYPE_CHECKING:
    from collections.abc import Sequence

DEFINITIONS = {
    "the judge's lenient reading": (
        *("LenientReader", "decode_leniently", "decode_record_leniently", "Primitive.decode_leniently"),
        *("_malformed_length", "_is_continuation"),
    ),
    "spans and tables, which explain bytes": (
        *("_spans", "Primitive.spans", "Reader.span", "frame_spans", "stored_spans", "encode_with_spans"),
        *("spans_up_to_fault", "trace", "trace_message"),
        *("Encoded.spans", "Decoded.spans", "TagSection.tag_of", "Layout.rows"),
    ),
    "errors and their texts": (
        *("UnsupportedApi", "NotStored", "BadRecord", "UnknownPrimitive", "refuse", "wrong_type", "shown"),
        "Array._beyond_input",
    ),
    "JSON forms": ("Primitive.to_json", "Primitive.from_json", "_number_from_json"),
    "definitions, which are the reference's own": ("loader_of",),
    "values of the suite's own; the adapter completes values before the copy writes them": (
        *("default", "minimal", "_minimal", "minimal_of", "completed", "_completed"),
    ),
}
"""Classes and functions, by the reason."""

VARIABLES = (
    *("Step", "Form", "_NOTHING", "_DECIMAL_DIGITS", "section_first", "compact"),
    *("REPLACEMENT", "_SURROGATE_BYTES", "_SURROGATE_LEAD", "_SURROGATE_SECOND"),
)
"""Aliases of types, and the needs of JSON forms, declarations, proposals and malformed UTF-8."""

REPORTS = m.OneOf(*map(m.Name, (
    *("span", "malformed", "truncated", "deviation", "unspecified_rejected", "note", "part"),
    *("refuse", "wrong_type", "shown", "_bad", "_too_long", "_beyond_input"),
)))  # fmt: skip
"""Calls to raise an error or to explain bytes, with a place and a reason as arguments."""

LOCATIONS = m.OneOf(
    *map(m.Name, ("path", "start", "tag_start", "version_start", "inside_tag", "trace", "detail", "_HEADER", "_BODY"))
)
"""Variables and parameters of errors and spans alone, for a place or a rule."""

LABELS = m.OneOf(*map(m.Name, ("role", "rule", "null_rule", "type_name", "payload_rule", "title", "about", "spans")))
"""Attributes of errors and spans alone."""

ROLES = ("length", "count", "marker", "varint", "number", "payload", "tag-count", "tag", "tag-size")
"""The roles of spans."""

_TEXT = re.compile(r"""["']([a-z-]+\.[a-z0-9-]+|.* .*|""" + "|".join(ROLES) + r""")["']""")
"""The id of a rule, prose, or a role."""

_REPORT = m.Call(m.OneOf(REPORTS, m.Attribute(attr=REPORTS)))
_BUILT_IN = m.Call(m.Name("len") | m.Name("isinstance"))
_SPANS = m.Comparison(m.Attribute(attr=m.Name("spans")))
_TRACING = m.If(_SPANS | m.Attribute(attr=m.Name("spans")))
_TYPING = m.If(m.Name("TYPE_CHECKING"))
_LABELLED: Any = LOCATIONS | LABELS | m.Attribute(attr=LABELS)
_TARGET = _LABELLED | m.OneOf(*map(m.Name, VARIABLES))
_ASSIGNMENT = m.Assign([m.AssignTarget(_TARGET)]) | m.AnnAssign(_TARGET)
_LOCATED = m.Param(LOCATIONS)
_ARGUMENT = m.Arg(keyword=_LABELLED)
_NODES = m.OneOf(
    *(m.Import(), m.ImportFrom(), m.Annotation(), m.Decorator(), m.Raise()),
    *(_ARGUMENT, _TYPING, _REPORT, _BUILT_IN, _SPANS, _TRACING, _ASSIGNMENT, _LOCATED),
)
_PLACE = _LABELLED | m.Tuple([m.Element(LOCATIONS), m.ZeroOrMore()])


def is_left_out(node: cst.CSTNode, place: Sequence[str]) -> bool:
    """Return whether a node of the code stays as it is with all its parts, at this place."""
    names = {".".join(place), *place[-1:]}
    if names & {name for group in DEFINITIONS.values() for name in group} or m.matches(node, _NODES):
        return True
    return isinstance(node, cst.SimpleString) and _TEXT.fullmatch(node.value) is not None


def is_without_effect(node: cst.CSTNode, mutated: cst.CSTNode) -> bool:
    """Return whether a mutation of a call takes away just an argument for errors and spans."""
    if not isinstance(node, cst.Call) or not isinstance(mutated, cst.Call):
        return False
    kept = {id(argument) for argument in mutated.args}
    lost = [argument for argument in node.args if id(argument) not in kept]
    return bool(lost) and all(map(_is_explanation, lost))


def _is_explanation(argument: cst.Arg) -> bool:
    node = argument.value
    if m.matches(argument, _ARGUMENT) or m.matches(node, _PLACE):
        return True
    if isinstance(node, cst.FormattedString):
        return not m.matches(node, m.FormattedString([m.FormattedStringText(">"), m.ZeroOrMore()]))
    return isinstance(node, cst.SimpleString) and _TEXT.fullmatch(node.value) is not None
