"""Traits of a value known to cause failures in many codecs, wherever they occur.

Examples are `a null` or `a length of 128 or more`. Each has two names, alone and with its field: `a null` and `a null
in Topics[].Name`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference import TAGS, MessageSchema
from reference.paths import joined, without_indexes

if TYPE_CHECKING:
    from collections.abc import Iterator

BOUNDS = {length: f"a length of {length:,} or more" for length in (127, 128, 16_383, 16_384, 32_768)}
"""Lengths with a further byte as a compact length and as a varint, and beyond a signed number of two bytes."""

IN = " in "


def traits_of(schema: MessageSchema, value: dict[str, Any]) -> frozenset[str]:
    """Return the traits of a value, alone and with their fields."""
    return _named(_of_message(schema, value))


def traits_of_records(value: Any) -> frozenset[str]:
    """Return the traits of the value of a `records` field, in the form of `reference.decode_records`."""
    return _named(_of_plain(value, ""))


def _named(found: Iterator[tuple[str, str]]) -> frozenset[str]:
    """Return each trait alone, and with its field."""
    named = {(trait, without_indexes(path)) for trait, path in found}
    return frozenset(text for trait, path in named for text in (trait, trait + IN + path))


def _of_plain(value: Any, path: str) -> Iterator[tuple[str, str]]:
    yield from _of_item(value, path)
    if isinstance(value, list):
        for item in value:
            yield from _of_plain(item, f"{path}[]")
    elif isinstance(value, dict):
        for name, item in value.items():
            is_late = name in TIMES and isinstance(item, int) and item > LAST_IN_NANOSECONDS
            yield from [("a time that 64 bits of nanoseconds do not hold", "the field")] * is_late
            yield from _of_plain(item, joined(path, name))


TIMES = frozenset(("timestamp", "baseTimestamp", "maxTimestamp", "timestampDelta"))
LAST_IN_NANOSECONDS = (2**63 - 1) // 1_000_000


def _of_message(schema: MessageSchema, value: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for path, field, part in schema.body.parts(value):
        if isinstance(part, dict) and part.get(TAGS):
            yield "an unknown tagged field", path or "the message"
        if field.tag is not None and part != field.default:
            yield "a tagged field that is not at its default", path
        yield from _of_item(part, path)


def _of_item(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Yield the traits of a value regardless of its type."""
    if value is None:
        yield "a null", path
    elif isinstance(value, int) and value < 0:
        yield "a negative number", path
    elif isinstance(value, str | bytes | list):
        yield from ((trait, path) for trait in _of_length(value))


def _of_length(value: str | bytes | list[Any]) -> Iterator[str]:
    length = len(value.encode(errors="surrogatepass")) if isinstance(value, str) else len(value)
    if not value:
        yield "an empty value"
    if isinstance(value, str) and length > len(value):
        yield "text that is not ASCII"
    if isinstance(value, list) and length > 1:
        yield "an array of two elements or more"
    yield from (trait for bound, trait in BOUNDS.items() if length >= bound)


def is_of_any_field(trait: str) -> bool:
    """Return whether a trait is named without its field."""
    return IN not in trait


def reported_traits(traits: frozenset[str]) -> list[str]:
    """Return the traits to report, sorted.

    They are those of any field, or if there are none, those of one field; of lengths it is the greatest in each.
    """
    chosen = set(filter(is_of_any_field, traits)) or traits
    greatest = {
        each.partition(IN)[2]: each for bound in BOUNDS.values() for each in chosen if each.partition(IN)[0] == bound
    }
    return sorted(each for each in chosen if each in greatest.values() or not _is_length(each))


def _is_length(trait: str) -> bool:
    return trait.partition(IN)[0] in BOUNDS.values()
