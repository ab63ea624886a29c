"""What each test of the suite is run on: only on what the adapter offers; and what is not tested for that reason.

What is not offered has no items, not even skipped ones, which would look like tests. The summary says it once instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from conformance.checks.framing import is_framed
from conformance.checks.stored import is_stored, offers_stored
from conformance.selection import smoke

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.checks.implementation import Implementation
    from conformance.run import Run
    from reference import MessageSchema


class Part(NamedTuple):
    """A part of the suite that not every adapter offers."""

    what: str
    why: str
    """What the adapter lacks."""
    is_offered: Callable[[Implementation], bool]
    test: str = ""
    """The test that has nothing to do without it, and without the others of the same test."""


PARTS = (
    Part("writing", "no encode", lambda each: each.adapter.encode is not None),
    Part("reading", "no decode", lambda each: each.adapter.decode is not None),
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
    Part("sizes", "no size", lambda each: each.adapter.size is not None),
    Part("header versions", "no header_version", lambda each: each.adapter.header_version is not None, "test_framing"),
    Part("writing frames", "no encode_frame", lambda each: each.adapter.encode_frame is not None, "test_framing"),
    Part("reading frames", "no decode_frame", lambda each: each.adapter.decode_frame is not None, "test_framing"),
    Part(
        "writing prefixed messages",
        "no encode_prefixed",
        lambda each: each.adapter.encode_prefixed is not None,
        "test_stored",
    ),
    Part(
        "reading prefixed messages",
        "no decode_prefixed",
        lambda each: each.adapter.decode_prefixed is not None,
        "test_stored",
    ),
    Part(
        "writing metadata records",
        "no encode_record",
        lambda each: each.adapter.encode_record is not None,
        "test_stored",
    ),
    Part(
        "reading metadata records",
        "no decode_record",
        lambda each: each.adapter.decode_record is not None,
        "test_stored",
    ),
    Part(
        "writing wire types alone",
        "no encode_primitive",
        lambda each: each.adapter.encode_primitive is not None,
        "test_primitives",
    ),
    Part(
        "reading wire types alone",
        "no decode_primitive",
        lambda each: each.adapter.decode_primitive is not None,
        "test_primitives",
    ),
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
