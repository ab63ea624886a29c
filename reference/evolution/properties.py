"""Compare properties of messages and fields that have no part in the bytes of a released version.

Such a property may change, unless it withdraws a promise: a stable version is unstable now, a listener does not take
the request any more, an apiKey is not reserved any more (rule 7.4.12). The compared properties (rule 8.7) have an
`x-change` in `specs/definition.schema.json`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.definitions.model import NO_VERSIONS, Definition, FieldDefinition, VersionRange
from reference.definitions.properties import OF_FIELDS, OF_MESSAGES
from reference.definitions.rules import structs
from reference.evolution.change import Divergence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from reference.definitions.properties import Property
    from reference.definitions.rules import StructUse

    Fields = Mapping[str, FieldDefinition]


def unstable_versions(request: Definition) -> VersionRange:
    """Return the versions of a request that are not stable, the last one with `latestVersionUnstable`."""
    highest = request.valid_versions.highest
    return VersionRange(highest, highest) if request.latest_version_unstable else NO_VERSIONS


def _unstable_now(old: Definition, new: Definition) -> str:
    unstable = unstable_versions(new).intersect(old.valid_versions)
    if unstable.empty or unstable_versions(old).covers(unstable):
        return ""
    return f"the version {unstable} was stable and is not any more"


def _listeners_gone(old: Definition, new: Definition) -> str:
    gone = ", ".join(each for each in old.listeners if each not in new.listeners)
    return f"a listener does not take the request any more: {gone}" if gone and not new.valid_versions.empty else ""


WITHDRAWN: Mapping[str, tuple[str, Callable[[Definition, Definition], str]]] = {
    "listeners": ("evolution.listeners", _listeners_gone),
    "latestVersionUnstable": ("evolution.stability", _unstable_now),
}
"""The rule about a withdrawn promise, and the function for its sentence; empty if nothing is withdrawn."""


def property_differences(old: Definition, new: Definition) -> Iterator[Divergence]:
    """Yield the differences in the properties of a message, and of its fields of the same name."""
    for each in OF_MESSAGES.values():
        rule, withdrawn = WITHDRAWN.get(each.name, ("", None))
        if withdrawn and (what := withdrawn(old, new)):
            yield Divergence(rule, "", what)
        else:
            yield from _change(each, "", old, new)
    later = _fields(new)
    for struct in structs(old):
        for field in struct.fields:
            if other := later.get(_name(struct), {}).get(field.name):
                for name in sorted(OF_FIELDS):
                    yield from _change(OF_FIELDS[name], f"{struct.name}.{field.name}", field, other)


def _change(row: Property, path: str, old: object, new: object) -> Iterator[Divergence]:
    before, after = (_text(getattr(each, row.attribute)) for each in (old, new)) if row.change else ("", "")
    if before != after:
        yield Divergence(row.change, path, f"{row.name} was {before} and is {after}")


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value or "none")


def reservation_difference(old: Definition, new: Definition | None) -> Iterator[Divergence]:
    """Yield the difference of an apiKey reserved by a definition without versions, and now free or that of `new`."""
    if old.api_key is None or not old.valid_versions.empty or (new is not None and new.valid_versions.empty):
        return
    now = f"is that of {new.name}" if new else "is free"
    what = f"the apiKey {old.api_key} was reserved and {now}: older programs use it"
    yield Divergence("evolution.reserved-key", "", what)


def refused_fields(old: Definition, new: Definition) -> Iterator[tuple[int, Divergence]]:
    """Yield the new fields that a version of both definitions lacks, if writers of it refuse their values.

    An ignorable field is dropped there. A stated default is a value for a field that is not set.
    """
    before, versions = _fields(old), old.valid_versions.intersect(new.valid_versions)
    for struct in structs(new):
        known = before.get(_name(struct)) if struct.generated else None
        for field in () if known is None else struct.fields:
            if _is_refused(field) and _is_new(field, known or {}, versions, new):
                what = f"the new field {field.name} is not ignorable and states no default: writers refuse its values"
                found = Divergence("evolution.not-ignorable", f"{struct.name}.{field.name}", what)
                lacking = (each for each in versions.intersect(struct.versions) if each not in field.versions)
                yield from ((version, found) for version in lacking)


def _is_refused(field: FieldDefinition) -> bool:
    return not field.ignorable and field.default is None


def _is_new(field: FieldDefinition, known: Fields, versions: VersionRange, new: Definition) -> bool:
    if field.name in known or field.versions.intersect(new.valid_versions).empty:
        return False
    present = not field.versions.intersect(versions).empty
    return not present or (field.tag is not None and field.tag not in (each.tag for each in known.values()))


def _fields(definition: Definition) -> dict[str, Fields]:
    return {_name(struct): {field.name: field for field in struct.fields} for struct in structs(definition)}


def _name(struct: StructUse) -> str:
    """Return the name for pairing a struct, empty for the message itself, as it may be renamed."""
    return "" if struct.top_level else struct.name
