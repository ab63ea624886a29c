"""The rules about a message as a whole and about its structs: `MESSAGE_RULES` and `STRUCT_RULES`, one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.definitions.errors import TOP, Place
from reference.definitions.model import Definition, VersionRange
from reference.definitions.rules import FieldUse, Finding, Rule, Stage, StructUse, all_fields, fields
from reference.definitions.struct_versions import uses_too_early

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COORDINATOR_KINDS = ("coordinator-key", "coordinator-value")


def _bounded(definition: Definition) -> Iterator[Finding]:
    if definition.valid_versions.open_ended:
        yield TOP.at("validVersions"), f"the validVersions {definition.valid_versions} have no end"


def _flexible_open_ended(definition: Definition) -> Iterator[Finding]:
    flexible = definition.flexible_versions
    if not flexible.empty and not flexible.open_ended:
        yield TOP.at("flexibleVersions"), f"the flexibleVersions {flexible} come to an end"


def _listeners(definition: Definition) -> Iterator[Finding]:
    if definition.listeners and definition.kind != "request":
        yield TOP.at("listeners"), f"a message of type {definition.kind} has listeners"


def _unstable(definition: Definition) -> Iterator[Finding]:
    if definition.latest_version_unstable and definition.kind != "request":
        yield TOP.at("latestVersionUnstable"), f"a message of type {definition.kind} has latestVersionUnstable"


def _coordinator_api_key(definition: Definition) -> Iterator[Finding]:
    if definition.kind in COORDINATOR_KINDS and definition.api_key is None:
        yield TOP, f"a message of type {definition.kind} has no apiKey"


def _coordinator_key_version(definition: Definition) -> Iterator[Finding]:
    if definition.kind == "coordinator-key" and definition.valid_versions != VersionRange(0, 0):
        yield TOP.at("validVersions"), f"the validVersions of a coordinator-key are 0, not {definition.valid_versions}"


def _coordinator_key_flexible(definition: Definition) -> Iterator[Finding]:
    if definition.kind == "coordinator-key" and not definition.flexible_versions.empty:
        yield TOP.at("flexibleVersions"), "a coordinator-key has flexible versions"


def _capitalised(definition: Definition) -> Iterator[Finding]:
    for place, struct in _common_structs(definition):
        if not struct[:1].isupper():
            yield place, f"the name of the struct {struct!r} does not begin with a capital"


def _common_once(definition: Definition) -> Iterator[Finding]:
    seen: set[str] = set()
    for place, struct in _common_structs(definition):
        if struct in seen:
            yield place, f"the common struct {struct} is declared more than once"
        seen.add(struct)


def _common_structs(definition: Definition) -> Iterator[tuple[Place, str]]:
    for index, struct in enumerate(definition.common_structs):
        yield Place(("commonStructs", index), struct.name), struct.name


def _common_without_fields(definition: Definition) -> Iterator[Finding]:
    for use in all_fields(definition):
        if use.field.fields and _is_common(use) and not use.struct.common:
            yield use.place, f"{use.field.struct_name} is a common struct, but this field lists fields for it"


def _inline_once(definition: Definition) -> Iterator[Finding]:
    seen: set[str] = set()
    for use in all_fields(definition):
        name = use.field.struct_name
        if name is None or use.struct.common or _is_common(use):
            continue
        if name in seen:
            yield use.place, f"the struct {name} is used a second time without being a common struct"
        seen.add(name)


def _inline_in_common(definition: Definition) -> Iterator[Finding]:
    for use in all_fields(definition):
        if use.struct.common and use.field.struct_name is not None and not _is_common(use):
            yield use.place, f"inside a common struct, {use.field.struct_name} is not a common struct"


def _recursive(definition: Definition) -> Iterator[Finding]:
    for place, struct in _common_structs(definition):
        if struct in _reached(definition, struct):
            yield place, f"the common struct {struct} contains itself"


def _reached(definition: Definition, name: str) -> set[str]:
    """The structs that a common struct has in it, directly or through others."""
    reached: set[str] = set()
    waiting = [name]
    while waiting:
        struct = definition.common_struct(waiting.pop())
        inner = {each.struct_name for each in struct.fields if each.struct_name} if struct else set()
        waiting += inner - reached
        reached |= inner
    return reached


def _common_old_enough(definition: Definition) -> Iterator[Finding]:
    for use, version, made in uses_too_early(definition):
        name = use.field.struct_name
        yield use.place, f"version {version} uses the common struct {name}, which is made for the versions {made} only"


def _common_has_versions(definition: Definition) -> Iterator[Finding]:
    for index, struct in enumerate(definition.common_structs):
        if struct.versions.empty:
            yield Place(("commonStructs", index), struct.name), f"the common struct {struct.name} has no versions"


def _is_common(use: FieldUse) -> bool:
    return use.definition.common_struct(use.field.struct_name or "") is not None


def _map_keys(struct: StructUse) -> Iterator[Finding]:
    for use in fields(struct):
        if struct.top_level and use.field.map_key:
            yield use.place, "a field of the message itself is a mapKey"


def _contiguous(struct: StructUse) -> Iterator[Finding]:
    tags = sorted({each.tag for each in struct.fields if each.tag is not None and each.tag >= 0})
    for wanted, tag in enumerate(tags):
        if wanted != tag and struct.of_struct:
            yield struct.place, f"the tags of {struct.name} are {', '.join(map(str, tags))}: {wanted} is missing"
            return


P, G = Stage.PARSED, Stage.GENERATED

_MESSAGE_ROWS: tuple[tuple[str, str, Stage, Callable[[Definition], Iterator[Finding]], str], ...] = (
    ("valid-versions-bounded", "6.8", G, _bounded, "name the highest version, as 0-3"),
    ("flexible-open-ended", "6.11", P, _flexible_open_ended, "say none, or end with a plus sign, as 2+"),
    ("listeners-on-requests", "6.12", P, _listeners, "drop listeners: they are for requests"),
    ("unstable-on-requests", "6.13", P, _unstable, "drop it: latestVersionUnstable is for requests"),
    ("coordinator-api-key", "6.6", P, _coordinator_api_key, "give it the type of its record as apiKey"),
    ("coordinator-key-version", "6.6", P, _coordinator_key_version, "say 0: another key is another type of record"),
    ("coordinator-key-not-flexible", "6.6", P, _coordinator_key_flexible, "say none"),
    ("common-struct-capitalised", "6.48", G, _capitalised, "capitalise it, here and where it is used"),
    ("common-structs-unique", "6.49", G, _common_once, "drop or rename one of the two"),
    ("common-struct-respecified", "6.50", G, _common_without_fields, "drop the field's fields, or rename its type"),
    ("inline-struct-once", "6.51", G, _inline_once, "move the struct to commonStructs, or rename one"),
    ("inline-struct-in-common", "6.52", G, _inline_in_common, "move this struct to commonStructs, too"),
    ("common-struct-recursive", "6.52", G, _recursive, "break the circle: structs are of finite depth"),
    ("common-struct-given-up", "6.46", G, _common_has_versions, "drop it, or say in which versions it is used"),
    (
        "common-struct-versions",
        "6.52",
        G,
        _common_old_enough,
        "let its versions begin no later than its first use, and its name before those of common structs it is in",
    ),
)
"""Id without its prefix, number, stage, check, and what to do."""

MESSAGE_RULES: tuple[Rule[Definition], ...] = tuple(
    Rule(f"definition.{name}", number, stage, check, advice) for name, number, stage, check, advice in _MESSAGE_ROWS
)
"""Every rule about a message as a whole."""

STRUCT_RULES: tuple[Rule[StructUse], ...] = (
    Rule("definition.map-key-in-arrays", "6.17", G, _map_keys, "drop it: mapKey is for the elements of arrays"),
    Rule("definition.tags-contiguous", "6.24", P, _contiguous, "number the tags of a struct 0, 1, 2 and so on"),
)
"""Every rule about one list of fields."""
