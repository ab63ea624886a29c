"""The tests of the suite, in one table: what each is about, what it needs of the adapter, what it is run on.

Each test is a module of this folder with one function, both of the name given here. Missing capabilities are not
collected (a skip would look like a test): the summary lists them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from conformance.checks.frames import is_framed
from conformance.checks.stored import is_stored, offers_stored
from conformance.implementation.selection import smoke

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.implementation.driver import Implementation
    from conformance.suite.run import Run
    from reference import MessageSchema

    Items = Callable[[Run], Sequence[MessageSchema | str]]


@dataclass(frozen=True)
class SuiteTest:
    """One test of the suite.

    Args:
        name: of its module and of its function.
        about: the line of the README's table.
        items: what it is run on.
        needs: the parts of the adapter of which it needs at least one; none: it is always run.
        is_deterministic: whether it decides, over all its items, if a known failure is still there.
    """

    name: str
    about: str
    items: Items
    needs: tuple[str, ...] = ()
    is_deterministic: bool = True


class Part(NamedTuple):
    """A part of the suite that not every adapter offers."""

    what: str
    why: str
    """What the adapter lacks."""
    is_offered: Callable[[Implementation], bool]


def _function(what: str, name: str) -> Part:
    """Return a part that needs one function of the adapter."""
    return Part(what, f"no {name}", lambda implementation: getattr(implementation.adapter, name) is not None)


def _writes(implementation: Implementation) -> bool:
    return implementation.adapter.encode is not None


PARTS = (
    _function("writing", "encode"),
    _function("reading", "decode"),
    Part("unknown tags kept", "capability unknown-tags not declared", lambda each: each.keeps_unknown_tags),
    Part(
        "absent fields",
        "capability absent-fields not declared",
        lambda each: each.takes_absent_fields and _writes(each),
    ),
    Part(
        "partial values",
        "capability partial-values not declared",
        lambda each: each.takes_partial_values and _writes(each),
    ),
    _function("sizes", "size"),
    _function("header versions", "header_version"),
    _function("writing frames", "encode_frame"),
    _function("reading frames", "decode_frame"),
    _function("writing prefixed messages", "encode_prefixed"),
    _function("reading prefixed messages", "decode_prefixed"),
    _function("writing metadata records", "encode_record"),
    _function("reading metadata records", "decode_record"),
    _function("writing wire types alone", "encode_primitive"),
    _function("reading wire types alone", "decode_primitive"),
)


def _pairs(run: Run) -> Sequence[MessageSchema]:
    return run.schemas


def _framed(run: Run) -> Sequence[MessageSchema]:
    return [schema for schema in run.schemas if is_framed(schema)]


def _stored(run: Run) -> Sequence[MessageSchema]:
    implementation = run.session.implementation
    return [schema for schema in run.schemas if is_stored(schema) and offers_stored(implementation, schema)]


TESTS = (
    SuiteTest(
        "test_adapter",
        "the adapter itself: types, repeatability, no output",
        lambda run: smoke(run.schemas),
        is_deterministic=False,
    ),
    SuiteTest(
        "test_found_cases",
        "cases that earlier runs found; they run first (`--found`)",
        _pairs,
        is_deterministic=False,
    ),
    SuiteTest(
        "test_edge_values",
        "boundary values, one field at a time: canonical bytes, round trip, byte counts",
        _pairs,
    ),
    SuiteTest(
        "test_generated_values",
        "random values; Hypothesis reduces each new finding to a small case",
        _pairs,
        is_deterministic=False,
    ),
    SuiteTest(
        "test_absent_fields",
        "values with fields of other versions: ignorable fields and defaults are dropped, others rejected",
        _pairs,
        needs=("absent fields",),
    ),
    SuiteTest(
        "test_partial_values",
        "values without their tagged and ignorable fields: encoded with the defaults",
        _pairs,
        needs=("partial values",),
    ),
    SuiteTest(
        "test_unencodable_values",
        "values that cannot be encoded (null, strings too long, numbers out of range): rejected",
        _pairs,
    ),
    SuiteTest(
        "test_invalid_input",
        "truncated input, and null where it is not allowed: rejected. Bytes after a message: not consumed",
        _pairs,
    ),
    SuiteTest(
        "test_hostile_input",
        "corrupted lengths, counts, markers and tags, from a fixed list: judged by the oracle, never a crash",
        _pairs,
    ),
    SuiteTest(
        "test_generated_hostile_input",
        "the same at random, for each pair",
        _pairs,
        is_deterministic=False,
    ),
    SuiteTest(
        "test_framing",
        "header versions, complete requests and responses; bytes that are not a frame are rejected",
        _framed,
        needs=("header versions", "writing frames", "reading frames"),
    ),
    SuiteTest(
        "test_stored",
        "stored messages, after their version or type, and records of the metadata log",
        _stored,
        needs=(
            "writing prefixed messages",
            "reading prefixed messages",
            "writing metadata records",
            "reading metadata records",
        ),
    ),
    SuiteTest(
        "test_primitives",
        "single values of each wire type",
        lambda run: run.wire_types,
        needs=("writing wire types alone", "reading wire types alone"),
    ),
)
"""Every test of the suite, in the order of the README's table."""

DETERMINISTIC = tuple(test.name for test in TESTS if test.is_deterministic)
"""The tests that decide, each over all its items, whether a known failure is still there."""

_BY_NAME = {test.name: test for test in TESTS}
_PARTS = {part.what: part for part in PARTS}


def not_offered(implementation: Implementation) -> list[Part]:
    """Return the parts that are not tested, since the adapter does not offer them."""
    return [part for part in PARTS if not part.is_offered(implementation)]


def items_of(name: str, run: Run) -> Sequence[MessageSchema | str]:
    """Return what a test is run on: schemas, or names of wire types; nothing if the adapter lacks what it needs."""
    test = _BY_NAME[name]
    parts = [_PARTS[what] for what in test.needs]
    if parts and not any(part.is_offered(run.session.implementation) for part in parts):
        return ()
    return test.items(run)
