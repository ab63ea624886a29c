"""The vectors of one target, and the groups of bodies of all pairs, made in this process or in several.

A group depends on the definitions alone: it is the same in any process, on Spark, and with any order of sets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.depth import Depth
from conformance.generate.edges import UNKNOWN_TAGS
from conformance.system.own_processes import worker_pool
from conformance.targets import Body, StoredForm, WholeFrame, WireTypeTarget
from conformance.targets.listed import SECTIONS, VARINTS, around_powers, further_values, mistakable_bytes
from conformance.vectors.enumeration.book_cases import book_cases
from conformance.vectors.enumeration.byte_cases import byte_cases
from conformance.vectors.enumeration.frame_vectors import frame_cases, stored_cases
from conformance.vectors.enumeration.pairs import depth_of, has_texts, pairs
from conformance.vectors.enumeration.promoted import promoted_cases
from conformance.vectors.enumeration.value_vectors import TYPE_FLAGS, text_cases, unwritable_cases, value_cases
from conformance.vectors.enumeration.vector import (
    LONGEST_LINE,
    UnwritableCase,
    VectorBytes,
    distinct,
    is_short,
    slug,
    vectors_of,
)
from reference import TAGS, load_release
from reference.primitives import TAG_SECTION, VALUE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.targets import Target
    from conformance.vectors.enumeration.pairs import Names, Pair
    from conformance.vectors.enumeration.vector import AnyCase
    from reference import Primitive

Json = dict[str, Any]
SHORT = 4096
SHORT_ALONE = ("records", "array-of-string")
"""The most characters of further vectors of some wire types, by the ends of their names; others have the long ones."""
CHUNK = 16
"""Pairs given to a worker at a time."""


class Built(NamedTuple):
    """The group of vectors of a body, and its pair."""

    release: str
    message: str
    version: int
    group: Json
    """The vectors in the form of `group`."""


def built_groups(workers: int = 1, names: Names = ()) -> Iterator[Built]:
    """Yield the groups of all bodies, in the order of `pairs` for any number of workers."""
    if workers == 1:
        yield from map(built, pairs(names))
        return
    with worker_pool(workers) as pool:
        yield from pool.map(built, pairs(names), chunksize=CHUNK)


def built(pair: Pair) -> Built:
    """Return the group of one pair."""
    return Built(*pair, group(*pair))


def group(release: str, message: str, version: int) -> Json:
    """Return the vectors of the body of one pair, in the form of `group_of`."""
    return group_of(release, Body(load_release(release).schema(message, version)))


def group_of(release: str, target: Target, cases: Iterable[AnyCase] | None = None) -> Json:
    """Return the vectors of a target, ready for JSON.

    The object has `version` and `vectors`. Messages have `flexible` too, and frames `headerVersion`. See
    vectors/README.md.

    Args:
        release: the release or proposal.
        target: the target of the vectors.
        cases: the cases to use; default: those of all targets of its class.

    Raises:
        InternalError: two vectors would have the same id.
    """
    head: Json = {"version": target.version}
    if isinstance(target, Body | WholeFrame | StoredForm):
        head["flexible"] = target.schema.flexible
    if isinstance(target, WholeFrame):
        head["headerVersion"] = target.header.version
    return {**head, "vectors": vectors_of(release, target, _all_cases(release, target) if cases is None else cases)}


def _all_cases(release: str, target: Target) -> list[AnyCase]:
    """Return the cases of a target, and the examples of the book missing among them."""
    own = list(_cases(release, target))
    return [*own, *distinct(book_cases(release, target), own)]


def _cases(release: str, target: Target) -> Iterator[AnyCase]:
    """Yield the cases of a target from the generator for its class."""
    match target:
        case Body(schema):
            depth = depth_of(release, schema.message, schema.version)
            texts = text_cases(schema) if has_texts(release, schema.message, schema.version) else ()
            own = [*value_cases(schema, depth), *texts, *byte_cases(schema, depth)]
            yield from own
            yield from distinct(promoted_cases(release, schema.message, schema.version), own)
            yield from unwritable_cases(schema, depth)
        case WholeFrame():
            yield from frame_cases(target)
        case StoredForm():
            yield from distinct(stored_cases(target))
        case WireTypeTarget():
            yield from wire_type_cases(target)
        case _:
            raise TypeError(f"no generator of cases for {target!r}")


def wire_type_cases(target: WireTypeTarget) -> Iterator[AnyCase]:
    """Yield every case of one wire type, numbers by their value, the others as a message of one field of this type."""
    if target.primitive.range is not None:
        yield from _numbers(target.primitive, *target.primitive.range)
        return
    if target.message == TAG_SECTION:
        yield from _sections(target)
    yield from _further(target)
    yield from value_cases(target.schema, Depth.EVERYTHING)
    yield from byte_cases(target.schema, Depth.EVERYTHING)
    for case in unwritable_cases(target.schema, Depth.EVERYTHING):
        if TAGS not in case.value:  # a type alone has no tag section, and no place for one
            yield case._replace(value=case.value[VALUE])


def _further(target: WireTypeTarget) -> Iterator[VectorBytes]:
    """Yield the cases of wire types beside those of messages, up to the longest line."""
    flag = _flag_of(target.primitive)
    longest = SHORT if target.message.endswith(SHORT_ALONE) else LONGEST_LINE
    for name, value in further_values(target.primitive):
        if is_short(target, value, longest):
            yield VectorBytes(slug("further", name), target.write(value), (flag,))
    for name, wire in mistakable_bytes(target.primitive):
        yield VectorBytes(slug("mistakable", name), wire, ("TamperedLength",))


def _flag_of(primitive: Primitive) -> str:
    """Return the flag of valid values of a wire type."""
    if primitive.schema is None:
        return "UnknownTag"
    field = primitive.schema.fields[0]
    return "Elements" if field.element is not None else TYPE_FLAGS[field.type]


def _sections(target: WireTypeTarget) -> Iterator[VectorBytes]:
    """Yield a section with a tag of every width, one of two hundred tags, and sections with an early end."""
    for name, tags in {"every-width": UNKNOWN_TAGS, "two-hundred": range(200)}.items():
        yield VectorBytes(slug(TAGS, name), target.write([(tag, b"") for tag in tags]), ("UnknownTag",))
    for digits in filter(None, SECTIONS):
        yield VectorBytes(f"bytes-{digits}", bytes.fromhex(digits), ("TamperedTagSection",))


def _numbers(primitive: Primitive, lowest: int, highest: int) -> Iterator[AnyCase]:
    """Yield both sides of every power of two, bytes without a valid number, and the first numbers out of range."""
    for number in around_powers(lowest, highest, (-1, 0)):
        yield VectorBytes(slug("number", f"={number}"), primitive.encode(number), ("NumberEdge",))
    for digits in VARINTS:
        yield VectorBytes(slug("bytes", digits or "none"), bytes.fromhex(digits), ("TamperedNumber",))
    for number in (lowest - 1, highest + 1):
        yield UnwritableCase(slug("unwritable", f"={number}"), number, ("NumberRefused",))
