"""Parse the text of a definition to its model, by `parse_definition`.

The text is read as JSON (`json_flavour`), the properties of each object are coerced (`properties`), and the whole is
checked by the rules of section 6 (`validate`). A text that is not JSON has that one problem. Otherwise the problems of
both other steps are reported together, without those caused by unreadable values (`independent`).

>>> definition = parse_definition(
...     '{"type": "data", "name": "D", "validVersions": "0", "flexibleVersions": "none", "fields": ['
...     '{"name": "Count", "type": "int32", "versions": "0+"}]}', "D.json")
>>> definition.fields[0].type
'int32'
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from reference.definitions.errors import TOP, BrokenDefinition, Problem
from reference.definitions.header_versions import header_versions
from reference.definitions.json_flavour import BLANKS, Tree, locate, read_tree
from reference.definitions.model import (
    ARRAY_PREFIX,
    ENTITY_TYPES,
    INTEGER_RANGES,
    KINDS,
    LISTENERS,
    NO_VERSIONS,
    PRIMITIVES,
    RELEASED,
    Definition,
    FieldDefinition,
    StructDefinition,
    VersionRange,
)
from reference.definitions.properties import (
    FIELD_PROPERTIES,
    MESSAGE_PROPERTIES,
    OF_FIELDS,
    STRUCT_PROPERTIES,
    Properties,
)
from reference.definitions.rules import independent
from reference.definitions.validate import RuleBook

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

MAX_STEPS = 100
"""The number of steps down to which fields are read, 10 in released definitions, within the recursion of Python."""


def _entity_type(properties: Properties, name: str) -> str | None:
    """Return the entity type of a field, or None for `unknown` (rule 6.32)."""
    entity = properties.text(name)
    if entity is None or entity == "unknown" or entity in ENTITY_TYPES:
        return None if entity == "unknown" else entity
    what = f"{entity!r} is not a type of entity"
    properties.problem(
        "definition.entity-type-known", "6.32", what, f"choose one of {', '.join(ENTITY_TYPES)}, or drop it", name
    )
    return None


READERS: Mapping[str, Callable[[Properties, str], Any]] = {
    "entityType": _entity_type,
    "flag": Properties.flag,
    "someVersions": lambda properties, name: properties.versions(name) or NO_VERSIONS,
    "tag": Properties.integer,
    "text": lambda properties, name: properties.text(name) or None,
    "versions": Properties.versions,
}
"""The functions that read the optional properties of fields, by the form of the property."""

PLAIN = tuple(each for each in OF_FIELDS.values() if each.form in READERS and not each.required)


class Loader:
    """The reader of definitions, as Apache Kafka's. A proposal that never shipped has a subclass with its own rules."""

    dialect = RELEASED
    message_properties: tuple[str, ...] = MESSAGE_PROPERTIES
    struct_properties: tuple[str, ...] = STRUCT_PROPERTIES
    field_properties: tuple[str, ...] = FIELD_PROPERTIES
    readers: ClassVar = READERS
    rules = RuleBook()

    def parse(self, text: str, source: str) -> Definition:
        """Return the definition in `text`, or raise BrokenDefinition, with the name `source`, of the first problem."""
        definition, found = self._read(self.tree(text, source))
        # An unreadable definition is not checked further: its values are guesses.
        for problem in found or self.rules.problems(definition):
            raise _broken(text, source, problem)
        return definition

    def broken_rules(self, text: str, source: str) -> list[BrokenDefinition]:
        """Return every problem of the definition in `text`, or none for a valid one."""
        return self.read(text, source)[1]

    def read(self, text: str, source: str) -> tuple[Definition | None, list[BrokenDefinition]]:
        """Return the definition in `text` as far as it is readable, None without an object, and all its problems."""
        try:
            definition, found = self._read(self.tree(text, source))
        except BrokenDefinition as error:
            return None, [error]
        found += independent(tuple(found), self.rules.problems(definition))
        return definition, [_broken(text, source, problem) for problem in found]

    def tree(self, text: str, source: str) -> dict[str, Tree]:
        """Return the object in `text`, or raise BrokenDefinition."""
        return read_tree(text, source)

    def _read(self, tree: dict[str, Tree]) -> tuple[Definition, list[Problem]]:
        found: list[Problem] = []
        return self.message(Properties(tree, TOP, found)), found

    def message(self, properties: Properties) -> Definition:
        """Return the message of an object."""
        properties.refuse_all_but(self.message_properties)
        valid = required_versions(
            properties, "validVersions", "definition.valid-versions-present", "6.7", "0, 0-3 or none"
        )
        flexible = self.flexible_versions(properties, valid)
        return Definition(
            name=required_text(properties, "name", "definition.name-present", "6.5"),
            kind=_kind(properties),
            valid_versions=valid,
            flexible_versions=flexible,
            fields=self.fields(properties, flexible),
            common_structs=tuple(self.struct(each, flexible) for each in properties.objects("commonStructs")),
            api_key=properties.integer("apiKey", ("definition.api-key-range", "6.15"), INTEGER_RANGES["int16"]),
            listeners=() if valid.empty else _listeners(properties),
            latest_version_unstable=properties.flag("latestVersionUnstable") and not valid.empty,
            deprecated_versions=properties.versions("deprecatedVersions") or NO_VERSIONS,
            header_versions=None if valid.empty else header_versions(properties),
            dialect=self.dialect,
        )

    def flexible_versions(self, properties: Properties, valid: VersionRange) -> VersionRange:
        """Return the message's flexible versions, which mean nothing if it has no versions (rules 6.10 and 15.10)."""
        if valid.empty:
            return NO_VERSIONS
        if properties.text("flexibleVersions") is None:
            what = "there are no flexibleVersions"
            properties.problem("definition.flexible-versions-present", "6.10", what, "say none, or 0+ in a new message")
        return properties.versions("flexibleVersions") or NO_VERSIONS

    def struct(self, properties: Properties, flexible: VersionRange) -> StructDefinition:
        """Return the common struct of an object, in a message with the given flexible versions."""
        properties.refuse_all_but(self.struct_properties)
        properties.versions("deprecatedVersions")
        return StructDefinition(
            name=required_text(properties, "name", "definition.name-present", "6.5"),
            versions=required_versions(properties, "versions", "definition.versions-present", "6.26"),
            fields=self.fields(properties, flexible),
        )

    def fields(self, properties: Properties, flexible: VersionRange) -> tuple[FieldDefinition, ...]:
        """Return the fields of a message, of a struct, or of a field with a struct."""
        if len(properties.place.steps) > MAX_STEPS:
            what = f"structs are nested more than {MAX_STEPS // 2} deep here"
            properties.problem("definition.nesting", "8.1", what, "give some of the inner structs up")
            return ()
        return self.listed_fields(properties, flexible)

    def listed_fields(self, properties: Properties, flexible: VersionRange) -> tuple[FieldDefinition, ...]:
        """Return the fields in the lists of an object."""
        return tuple(self.field(each, flexible) for each in properties.objects("fields"))

    def field(self, properties: Properties, flexible: VersionRange) -> FieldDefinition:
        """Return the field of an object."""
        properties.refuse_all_but(self.field_properties)
        properties.text("about")
        fields = self.fields(properties, flexible)
        name = required_text(properties, "name", "definition.name-present", "6.25")
        type_name = field_type(properties)
        versions, tagged = self.field_versions(properties, fields, flexible)
        return FieldDefinition(
            name=name,
            type=type_name,
            versions=versions,
            tagged_versions=tagged,
            fields=fields,
            **{each.attribute: self.readers[each.form](properties, each.name) for each in PLAIN},
        )

    def field_versions(
        self, properties: Properties, fields: Iterable[FieldDefinition], _flexible: VersionRange
    ) -> tuple[VersionRange, VersionRange]:
        """Return a field's versions, and its tagged versions.

        Without `versions` the tagged versions stand for them, unless the field has inline fields (rules 6.26 and 6.27).
        """
        tagged = properties.versions("taggedVersions")
        if tagged is None:
            return required_versions(properties, "versions", "definition.versions-present", "6.26"), NO_VERSIONS
        if fields:
            return self.struct_versions(properties, tagged), tagged
        return properties.versions("versions") or tagged, tagged

    def struct_versions(self, properties: Properties, _tagged: VersionRange) -> VersionRange:
        """Return the versions of a tagged field with inline fields, which are mandatory."""
        return required_versions(properties, "versions", "definition.struct-versions-present", "6.27")


class LoaderBefore4(Loader):
    """The reader of definitions of Apache Kafka before 4.0.0, by the rules of today with one exception.

    The tagged versions stood for the versions of any field, even of one with inline fields (FetchRequest.ReplicaState
    of 3.5), until KAFKA-16469.
    """

    def struct_versions(self, properties: Properties, tagged: VersionRange) -> VersionRange:
        """Return the versions of a tagged field with inline fields."""
        return properties.versions("versions") or tagged


class LoaderBefore3(LoaderBefore4):
    """The reader of definitions of Apache Kafka before 3.0.0, with two more exceptions.

    A message without `flexibleVersions` had none (KAFKA-12877 made them mandatory). Text after the object was ignored
    (the DescribeProducersRequest of 2.8.2 has a bracket and a brace too many).
    """

    def tree(self, text: str, source: str) -> dict[str, Tree]:
        """Return the object in `text`, and ignore text after it, or raise BrokenDefinition."""
        return read_tree(text, source, to_the_end=False)

    def flexible_versions(self, properties: Properties, valid: VersionRange) -> VersionRange:
        """Return the message's flexible versions, by default none."""
        flexible = properties.versions("flexibleVersions") or NO_VERSIONS
        return NO_VERSIONS if valid.empty else flexible


LOADER = Loader()
BEFORE = {3: LoaderBefore3(), 4: LoaderBefore4()}
"""The readers of definitions before a major release, the oldest first."""

parse_definition = LOADER.parse
broken_rules = LOADER.broken_rules


def loader_of_release(release: str) -> Loader:
    """Return the reader for the definitions of a release of Apache Kafka, the newest for a name without a number."""
    major = re.match(r"[0-9]+(?=\.)", release)
    return next((loader for first, loader in BEFORE.items() if major and int(major[0]) < first), LOADER)


def _broken(text: str, source: str, problem: Problem) -> BrokenDefinition:
    return BrokenDefinition(source, problem, locate(text, problem.place))


def required_text(properties: Properties, name: str, rule: str, number: str) -> str:
    """Return a mandatory text, or note its absence."""
    text = properties.text(name)
    if not text:
        properties.problem(rule, number, f"there is no {name}", f"give it a {name}")
    return text or ""


def required_versions(
    properties: Properties, name: str, rule: str, number: str, examples: str = "0+ or 0-3 or none"
) -> VersionRange:
    """Return a mandatory range of versions, or note its absence."""
    versions = properties.versions(name)
    if versions is None:
        properties.problem(rule, number, f"there are no {name}", f"say which: {name!r}, as {examples}")
    return versions or NO_VERSIONS


def _kind(properties: Properties) -> str:
    kind = required_text(properties, "type", "definition.kind-present", "6.5")
    if kind and kind not in KINDS:
        what = f"{kind!r} is not a type of message"
        properties.problem("definition.kind", "6.6", what, f"choose one of {', '.join(KINDS)}", "type")
    return kind


def _listeners(properties: Properties) -> tuple[str, ...]:
    listeners = properties.texts("listeners")
    for unknown in sorted(set(listeners).difference(LISTENERS)):
        what = f"{unknown!r} is not a listener"
        properties.problem(
            "definition.listener-known", "6.12", what, f"choose from {', '.join(LISTENERS)}", "listeners"
        )
    return listeners


def field_type(properties: Properties) -> str:
    """Return a field's type, without blanks around it or its element (rule 6.28)."""
    text = required_text(properties, "type", "definition.type", "6.28").strip(BLANKS)
    element = text.removeprefix(ARRAY_PREFIX).strip(BLANKS)
    if element in PRIMITIVES or element[:1].isupper():
        return ARRAY_PREFIX + element if text.startswith(ARRAY_PREFIX) else element
    if text:
        what = "an array of arrays cannot be written" if element.startswith("[") else f"{text!r} is not a type"
        advice = f"choose {', '.join(PRIMITIVES)}, the capitalised name of a struct, or [] before one of these"
        properties.problem("definition.type", "6.28", what, advice, "type")
    return text
