"""Compare the fields of a struct between two definitions at one version, by `differences`.

Fields without a tag are paired by name, since only names distinguish a new order from new fields. Fields left over
between two such pairs are paired by layout, and count as renamed. Tagged fields are in `tags`.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from reference.definitions.model import INTEGER_RANGES
from reference.evolution.change import EFFECTS, Divergence, Effect
from reference.evolution.layout import below, layout, leaves, section_of, type_name, unset, written_as
from reference.evolution.tags import renamed, tag_differences, tags_by_name

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from reference.schema import FieldSchema

Fields = tuple["FieldSchema", ...]


def differences(old: FieldSchema, new: FieldSchema, path: str = "") -> Iterator[Divergence]:
    """Yield all differences between two structs at a path of field names, or one alone if their tag sections differ."""
    if section_of(old) is not section_of(new):
        yield _of_sections(old, new, path)
        return
    yield from _in_order(_untagged(old, new), _untagged(new, old), path)
    pairs, found = tag_differences(old, new, path)
    yield from found
    for pair in pairs:
        yield from _field(*pair, path)
    yield from _absent(old.absent_fields, new.absent_fields, path)


def _of_sections(old: FieldSchema, new: FieldSchema, path: str) -> Divergence:
    if old.flexible == new.flexible:
        return Divergence("evolution.kind", path, f"the protocol was {old.dialect} and is {new.dialect}")
    part = "struct" if path else "version"
    what = f"the {part} is flexible now" if new.flexible else f"the {part} is not flexible any more"
    return Divergence("evolution.flexible", path, what)


def _absent(old: Fields, new: Fields, path: str) -> Iterator[Divergence]:
    later = {each.name: each for each in new}
    for before in old:
        if after := later.get(before.name):
            structs = before.type == after.type == "struct"
            another = _another_default(before, after, structs=structs) and _type_of(before) == _type_of(after)
            yield from _unset(before, after, below(path, before), another=another, is_absent=True)
            yield from _absent(before.fields, after.fields, below(path, before))


def _type_of(field: FieldSchema) -> str:
    """Return the type of a field's values, with all integers as one type."""
    return "integer" if field.type in INTEGER_RANGES else {"records": "bytes"}.get(field.type, field.type)


def _untagged(struct: FieldSchema, other: FieldSchema) -> Fields:
    tagged = tags_by_name(other)
    return tuple(each for each in struct.fields if each.tag is None and each.name not in tagged)


def _in_order(old: Fields, new: Fields, path: str) -> Iterator[Divergence]:
    """Yield the differences in fields without a tag, compared by name."""
    found = list(_by_name(old, new, path))
    broken = any(EFFECTS[each.rule] is Effect.INCOMPATIBLE and each.rule != "evolution.default" for each in found)
    if not broken or not _same_bytes(old, new):
        yield from found
        return
    # the bytes are the same in other structs: only the new grouping is a difference
    yield from _regrouped(old, new, path)
    by_name = {each.name: each for each in new}
    for field in old:
        if field.name in by_name and layout([field]) == layout([by_name[field.name]]):
            yield from _field(field, by_name[field.name], path)


def _by_name(old: Fields, new: Fields, path: str) -> Iterator[Divergence]:
    moved = _moved(old, new)
    if moved:
        yield Divergence("evolution.field-order", path, f"the order of the fields is another: {', '.join(moved)}")
    by_name = {each.name: each for each in new}
    for field in old:
        if field.name in by_name:
            yield from _field(field, by_name[field.name], path)
    old, new = (tuple(each for each in fields if each.name not in moved) for fields in (old, new))
    for equal, before, after in _steps(_names(old), _names(new)):
        if not equal:
            yield from _replaced(old[before], new[after], path)


def _same_bytes(old: Fields, new: Fields) -> bool:
    """Return whether fields are grouped into other structs, with the same bytes and each name at its place."""
    regrouped = [layout([each]) for each in old] != [layout([each]) for each in new]
    return regrouped and layout(old) == layout(new) and not _exchanged(old, new)


def _regrouped(old: Fields, new: Fields, path: str) -> Iterator[Divergence]:
    before, after = (", ".join(_names(fields)) or "nothing" for fields in (old, new))
    what = f"{before} became {after}, which have the same bytes"
    yield Divergence("evolution.same-bytes", path, what)
    for one, other in zip(leaves(old), leaves(new), strict=True):
        yield from _unset(one, other, below(path, one), another=unset(one) != unset(other))


def _names(fields: Fields) -> list[str]:
    return [each.name for each in fields]


def _moved(old: Fields, new: Fields) -> list[str]:
    before = [name for name in _names(old) if name in _names(new)]
    after = [name for name in _names(new) if name in before]
    kept = {name for equal, stretch, _ in _steps(before, after) if equal for name in before[stretch]}
    return [name for name in before if name not in kept]


def _steps(old: Sequence[Hashable], new: Sequence[Hashable]) -> Iterator[tuple[bool, slice, slice]]:
    for tag, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        yield tag == "equal", slice(start, end), slice(new_start, new_end)


def _replaced(old: Fields, new: Fields, path: str) -> Iterator[Divergence]:
    """Yield the differences between fields of other names at the same place, renamed, regrouped, or other fields."""
    if _same_bytes(old, new):
        yield from _regrouped(old, new, path)
        return
    layouts, new_layouts = ([layout([each], tagged=False) for each in fields] for fields in (old, new))
    for equal, before, after in _steps(layouts, new_layouts):
        if equal:
            for pair in zip(old[before], new[after], strict=True):
                yield from _field(*pair, path)
            continue
        for field in old[before]:
            what = f"the field {field.name}, {type_name(field)}, is not there any more"
            yield Divergence("evolution.field-removed", below(path, field), what)
        for field in new[after]:
            what = f"there is a new field {field.name}, {type_name(field)}"
            yield Divergence("evolution.field-added", below(path, field), what)


def _exchanged(old: Fields, new: Fields) -> bool:
    """Return whether a name has another place among the same bytes, or a tag another name."""
    pairs = list(zip(leaves(old), leaves(new), strict=True))
    before, after = ({pair[side].name for pair in pairs} for side in (0, 1))
    others = [(one, other) for one, other in pairs if one.name != other.name]
    return any(one.tag is not None or one.name in after or other.name in before for one, other in others)


def _field(old: FieldSchema, new: FieldSchema, path: str) -> Iterator[Divergence]:
    path = below(path, old)
    if old.name != new.name and old.tag is None:
        yield Divergence("evolution.renamed", path, f"the field {old.name} is called {new.name} now")
    elif old.name != new.name:
        yield Divergence("evolution.tag-renamed", path, renamed(old.tag or 0, old.name, new.name))
    same = layout([old]) == layout([new])
    if same and (old.type, old.nullable) != (new.type, new.nullable):
        what = f"{type_name(old)} became {type_name(new)}, which has the same bytes"
        yield Divergence("evolution.same-bytes", path, what)
    else:
        yield from _form(old, new, path)
        yield from _type(old, new, path)
    structs = old.type == new.type == "struct" and (not same or old.nullable == new.nullable)
    another = _another_default(old, new, structs=structs) and (same or old.type == new.type)
    yield from _unset(old, new, path, another=another)


def _form(old: FieldSchema, new: FieldSchema, path: str) -> Iterator[Divergence]:
    if old.nullable != new.nullable:
        what = "the field may be null now" if new.nullable else "the field may not be null any more"
        yield Divergence("evolution.nullability", path, what)
    if old.compact != new.compact:
        what = "the field is compact now" if new.compact else "the field is not compact any more"
        yield Divergence("evolution.flexible", path, what)


def _type(old: FieldSchema, new: FieldSchema, path: str) -> Iterator[Divergence]:
    if old.type != new.type:
        same = layout([old]) == layout([new])
        what = f"{type_name(old)} became {type_name(new)}{', which has the same bytes' if same else ''}"
        yield Divergence("evolution.same-bytes" if same else "evolution.type", path, what)
    elif old.element is not None and new.element is not None:
        yield from _type(old.element, new.element, path)
    elif old.type == "struct":
        if old.struct_name != new.struct_name:
            yield Divergence("evolution.renamed", path, f"the struct {old.struct_name} is called {new.struct_name} now")
        yield from differences(old, new, path)
    elif written_as(old) != written_as(new):
        what = f"the encoding was {written_as(old)} and is {written_as(new)}"
        yield Divergence("evolution.encoding", path, what)


def _another_default(old: FieldSchema, new: FieldSchema, *, structs: bool) -> bool:
    """Return whether defaults differ. With `structs`, whose fields are compared one by one, only null counts."""
    return _default(old) != _default(new) if structs else unset(old) != unset(new)


def _unset(
    old: FieldSchema, new: FieldSchema, path: str, *, another: bool, is_absent: bool = False
) -> Iterator[Divergence]:
    if another:
        what = f"the default was {_default(old)} and is {_default(new)}"
        yield Divergence("evolution.default", path, what)
    if new.ignorable and not old.ignorable:
        yield Divergence("evolution.ignorable", path, "the field is ignorable now")
    elif old.ignorable and not new.ignorable:
        refused = ": writers of the version refuse what they dropped" if is_absent else ""
        rule = "evolution.ignorable-withdrawn" if is_absent else "evolution.ignorable"
        yield Divergence(rule, path, f"the field is not ignorable any more{refused}")


def _default(field: FieldSchema) -> str:
    if field.default is None:
        return "null"
    return "that of each field" if field.type == "struct" else repr(field.default)
