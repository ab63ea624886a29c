"""The meaning of a message whose writer and reader have different definitions.

Both values are divided into *leaves*, in the order of the wire. A struct has no bytes of its own, so its content counts
as the fields around it. Regrouped fields with the same bytes are equal. Two values mean the same under these
conditions:

- Each pair of leaves has the same value: integers of any width, bytes or records, floats by their bits, null, the
  number of elements, and each element. Values of two kinds differ, unless both are empty or equal numbers.
- A leaf has the same name on both sides, or a new one. A field in another place on the other side, or with another tag
  there, has the same value anyway.
- A tagged field unknown to one side is its default at the other side, or is kept by the one side as written.
- A field absent from the version on both sides has the same default (`another_default`). The default of a present field
  without a tag does not affect bytes, as its value is always written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from reference import TAGS
from reference.definitions.model import INTEGER_RANGES
from reference.protocols import protocol_of
from reference.values.comparison import float_bits
from reference.values.defaults import is_default

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from reference import FieldSchema, MessageSchema

Names = tuple[str, ...]


class Leaf(NamedTuple):
    """A part of a value with a place of its own on the wire, or a struct's tag section."""

    names: Names
    field: FieldSchema
    value: Any
    is_section: bool = False

    @property
    def name(self) -> str:
        """The name of the field itself, or an empty one."""
        return self.names[-1] if self.names else ""


def misread(old: MessageSchema, new: MessageSchema, written: Any, read: Any) -> str | None:
    """Return the first field with another meaning for the reader, named as in `old`, or None.

    The definitions are of the same version. `read` is the reader's value for the bytes of `written`.
    """
    found = _first(_leaves(old.body, written, ()), _leaves(new.body, read, ()), ())
    return None if found is None else ".".join(found)


def another_default(old: MessageSchema, new: MessageSchema) -> str | None:
    """Return the first absent field of the version with another default in `new`, or None."""
    before, after = dict(_absent(old.body, ())), dict(_absent(new.body, ()))
    found = next((names for names in before if names in after and before[names] != after[names]), None)
    return None if found is None else ".".join(filter(None, found[:-1]))


def _first(written: Iterator[Leaf], read: Iterator[Leaf], names: Names) -> Names | None:
    before, after = list(written), list(read)
    pairs = list(zip(before, after, strict=False))
    for one, other in pairs:
        if _exchanged(one, other, pairs):
            return names + one.names
        found = _section(one, other, names + one.names) if one.is_section else _leaf(one, other, names + one.names)
        if found is not None:
            return found
    more = (before if len(before) > len(after) else after)[len(pairs) :]
    return names + more[0].names if more else None


def looks_equal(one: Any, other: Any) -> bool:
    """Return whether two values look the same, regardless of their types, as 0 and 0.0, and two empty values."""
    if one is None or other is None:
        return one is other
    return bool(one == other) or not (one or other)


def apart(written: Any, read: Any) -> bool:
    """Return whether values show a difference. A name on one side only shows one if it is neither empty nor null."""
    if isinstance(written, dict) and isinstance(read, dict):
        alone = (value for one, other in ((written, read), (read, written)) for value in _not_in(other, one))
        return any(apart(written[name], read[name]) for name in written if name in read) or any(map(_holds, alone))
    if isinstance(written, list) and isinstance(read, list):
        return len(written) != len(read) or any(map(apart, written, read))
    if isinstance(written, float) and isinstance(read, float):
        return float_bits(written) != float_bits(read)
    return not looks_equal(written, read)


def _not_in(other: Mapping[str, Any], value: Mapping[str, Any]) -> Iterator[Any]:
    return (item for name, item in value.items() if name not in other)


def _holds(value: Any) -> bool:
    return any(map(_holds, value.values())) if isinstance(value, dict) else bool(value)


def _leaves(field: FieldSchema, value: Any, names: Names) -> Iterator[Leaf]:
    if field.type != "struct" or field.nullable:
        yield Leaf(names, field, value)
    else:
        yield from _of_struct(field, value, names)


def _of_struct(struct: FieldSchema, value: Any, names: Names) -> Iterator[Leaf]:
    section = [Leaf(names, struct, value, is_section=True)] if struct.flexible else []
    at_head = protocol_of(struct.dialect).section_first
    yield from section if at_head else ()
    for field in struct.fields:
        if field.tag is None:
            yield from _leaves(field, value[field.name], (*names, field.name))
    yield from () if at_head else section


def _exchanged(one: Leaf, other: Leaf, pairs: list[tuple[Leaf, Leaf]]) -> bool:
    """Return whether two leaves belong to different fields.

    They do if the name of one is elsewhere on the other side with another value. A leaf that moved into a struct, or
    out of one, has its last name only, and is compared with other moved leaves too.
    """
    if one.is_section != other.is_section:
        return True
    if one.is_section or one.names == other.names:
        return False
    if len(one.names) == len(other.names):
        return any(
            (one.names == after.names and not looks_equal(one.value, after.value))
            or (before.names == other.names and not looks_equal(before.value, other.value))
            for before, after in pairs
        )
    if one.names == other.names[: len(one.names)] or other.names == one.names[: len(other.names)]:
        return False
    moved = [(before, after) for before, after in pairs if len(before.names) != len(after.names)]
    return one.name != other.name and any(
        (one.name == after.name and not looks_equal(one.value, after.value))
        or (before.name == other.name and not looks_equal(before.value, other.value))
        for before, after in moved
    )


def _leaf(one: Leaf, other: Leaf, names: Names) -> Names | None:
    before, after = one.field, other.field
    if one.value is None or other.value is None:
        return None if one.value is other.value else names
    if type_of(before) != type_of(after):
        return None if looks_equal(one.value, other.value) else names
    if before.type == "struct":
        return _first(_of_struct(before, one.value, ()), _of_struct(after, other.value, ()), names)
    if before.element is not None and after.element is not None:
        pairs = zip(one.value, other.value, strict=False)
        ends = (_first(_leaves(before.element, a, ()), _leaves(after.element, b, ()), names) for a, b in pairs)
        return names if len(one.value) != len(other.value) else next((end for end in ends if end is not None), None)
    return None if _plain(one.value) == _plain(other.value) else names


def _plain(value: Any) -> Any:
    return float_bits(value) if isinstance(value, float) else value


def type_of(field: FieldSchema) -> str:
    """Return the type of a field's values, regardless of their bytes, one for all integers, and bytes for records."""
    return "integer" if field.type in INTEGER_RANGES else {"records": "bytes"}.get(field.type, field.type)


def _section(one: Leaf, other: Leaf, names: Names) -> Names | None:
    before, after = _tagged(one.field), _tagged(other.field)
    for tag in sorted(before.keys() | after.keys()):
        if tag not in before:
            found = _kept(after[tag], other.value, one, names)
        elif tag not in after:
            found = _kept(before[tag], one.value, other, names)
        else:
            found = _both(before[tag], after[tag], one, other, names)
        if found is not None:
            return found
    return None


def _tagged(struct: FieldSchema) -> dict[int, FieldSchema]:
    return {field.tag: field for field in struct.fields if field.tag is not None}


def _both(before: FieldSchema, after: FieldSchema, one: Leaf, other: Leaf, names: Names) -> Names | None:
    names = (*names, before.name)
    if before.name != after.name and (_knows(other.field, before.name) or _knows(one.field, after.name)):
        return names if _reused(before, after, one.value, other.value) else None
    return _first(_leaves(before, one.value[before.name], ()), _leaves(after, other.value[after.name], ()), names)


def _reused(before: FieldSchema, after: FieldSchema, written: Mapping[str, Any], read: Mapping[str, Any]) -> bool:
    """Return whether the value shows that a tag stands for another field."""
    both = [name for name in (before.name, after.name) if name in written and name in read]
    if both:
        return any(not looks_equal(written[name], read[name]) for name in both)
    # In a version without the field any value shows it, except the default.
    return not is_default(before, written[before.name])


def _knows(struct: FieldSchema, name: str) -> bool:
    return any(field.name == name for field in (*struct.fields, *struct.absent_fields))


def _kept(field: FieldSchema, value: Mapping[str, Any], other: Leaf, names: Names) -> Names | None:
    """Return the names of a tagged field of one side if the other side loses it, and not just its default."""
    names, item = (*names, field.name), value[field.name]
    if any(each.name == field.name for each in other.field.fields):
        return None if looks_equal(item, other.value[field.name]) else names
    if any(tag == field.tag for tag, _ in other.value.get(TAGS) or ()) or is_default(field, item):
        return None
    return _first(_leaves(field, field.default, ()), _leaves(field, item, ()), names)  # NaN is never the default


def _absent(struct: FieldSchema, names: Names) -> Iterator[tuple[Names, Any]]:
    """Yield the default of each absent field, by its names and the type of its values."""
    # A field present in the version on one side is not compared. An empty name marks where the absence begins.
    for field in struct.absent_fields:
        yield from _default(field, (*names, "", field.name))
    for field in struct.fields:
        if field.struct is not None:
            yield from _absent(field.item, (*names, field.name))


def _default(field: FieldSchema, names: Names) -> Iterator[tuple[Names, Any]]:
    if field.type == "struct":
        yield (*names, "null"), field.default is None
        for each in field.fields:
            yield from _default(each, (*names, each.name))
    else:
        unwritable = field.default is None and not field.nullable
        yield (*names, type_of(field)), _plain(b"" if unwritable else field.default)
