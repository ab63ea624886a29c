"""The versions in which Apache Kafka's generator makes the structs of a message, which is fewer than one may think.

It makes each struct once, when it first comes by: common structs in the order of their names, each after those in it;
then the message. It makes it for those of its versions that what it came from has, too:

    commonStructs: Detail, versions 1+, with a field of type Part      Detail is made for 1+, and so is Part
                   Part, versions 0+
    fields:        one of type Part, versions 0+                       in version 0 there is no Part: refused

Were Detail named Whole, Part would come by first and be made for 0+, and all would be well. Versions after the last one
that a struct is made for do no harm (rule 8.10).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.definitions.model import NO_VERSIONS, Definition, FieldDefinition, VersionRange
from reference.definitions.rules import all_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.definitions.rules import FieldUse


def uses_too_early(definition: Definition) -> Iterator[tuple[FieldUse, int, VersionRange]]:
    """Every field with a common struct that is not made early enough, the version, and those it is made for."""
    made = _Making(definition).made
    for use in all_fields(definition):
        name = use.field.struct_name or ""
        user = definition.valid_versions if use.struct.top_level else made.get(use.struct.name, NO_VERSIONS)
        used = user.intersect(use.field.versions)
        if definition.common_struct(name) is None or used.empty:
            continue
        if made[name].empty or made[name].lowest > used.lowest:
            yield use, used.lowest, made[name]


class _Making:
    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self.made: dict[str, VersionRange] = {}
        for struct in sorted(definition.common_structs, key=lambda each: each.name):
            self._make(struct.name, struct.versions, struct.fields, definition.valid_versions)
        self._make_inner(definition.fields, definition.valid_versions)

    def _make(self, name: str, versions: VersionRange, fields: Iterable[FieldDefinition], parent: VersionRange) -> None:
        if name not in self.made:
            self.made[name] = parent.intersect(versions)
            self._make_inner(fields, self.made[name])

    def _make_inner(self, fields: Iterable[FieldDefinition], parent: VersionRange) -> None:
        for field in fields:
            if field.struct_name is not None:
                struct = self._definition.common_struct(field.struct_name)
                inner = (struct.versions, struct.fields) if struct else (field.versions, field.fields)
                self._make(field.struct_name, *inner, parent)
