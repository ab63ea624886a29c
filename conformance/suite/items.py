"""What each test of the suite is run on: only on what the adapter offers; and what is not tested for that reason.

What is not offered has no items, not even skipped ones, which would look like tests. The summary says it once instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from conformance.checks.framing import is_framed
from conformance.checks.stored import is_stored, offers_stored
from conformance.suite.selection import smoke

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.implementation.driver import Implementation
    from conformance.suite.run import Run
    from reference import MessageSchema


class Part(NamedTuple):
    """A part of the suite that not every adapter offers."""

    what: str
    why: str
    """What the adapter lacks."""
    is_offered: Callable[[Implementation], bool]
    test: str = ""
    """The test that has nothing to do without it, and without the others of the same test."""


def _function(what: str, name: str, test: str = "") -> Part:
    """A part that needs one function of the adapter."""
    return Part(what, f"no {name}", lambda each: getattr(each.adapter, name) is not None, test)


PARTS = (
    _function("writing", "encode"),
    _function("reading", "decode"),
    Part("unknown tags kept", "capability unknown-tags not declared", lambda each: each.keeps_unknown_tags),
    Part(
        "absent fields",
        "capability absent-fields not declared",
        lambda each: each.takes_absent_fields and each.adapter.encode is not None,
        "test_absent_fields",
    ),
    Part(
        "partial values",
        "capability partial-values not declared",
        lambda each: each.takes_partial_values and each.adapter.encode is not None,
        "test_partial_values",
    ),
    _function("sizes", "size"),
    _function("header versions", "header_version", "test_framing"),
    _function("writing frames", "encode_frame", "test_framing"),
    _function("reading frames", "decode_frame", "test_framing"),
    _function("writing prefixed messages", "encode_prefixed", "test_stored"),
    _function("reading prefixed messages", "decode_prefixed", "test_stored"),
    _function("writing metadata records", "encode_record", "test_stored"),
    _function("reading metadata records", "decode_record", "test_stored"),
    _function("writing wire types alone", "encode_primitive", "test_primitives"),
    _function("reading wire types alone", "decode_primitive", "test_primitives"),
)


def not_offered(implementation: Implementation) -> list[Part]:
    """The parts that are not tested, since the adapter does not offer them."""
    return [part for part in PARTS if not part.is_offered(implementation)]


def items_of(test: str, run: Run) -> Sequence[MessageSchema | str]:
    """What a test is run on: schemas, or names of wire types; nothing if the adapter does not offer what it tests."""
    parts = [part for part in PARTS if part.test == test]
    if parts and not any(part.is_offered(run.implementation) for part in parts):
        return ()
    if test == "test_adapter":
        return smoke(run.schemas)
    if test == "test_primitives":
        return run.wire_types
    if test == "test_stored":
        return [schema for schema in run.schemas if is_stored(schema) and offers_stored(run.implementation, schema)]
    return [schema for schema in run.schemas if is_framed(schema)] if test == "test_framing" else run.schemas
