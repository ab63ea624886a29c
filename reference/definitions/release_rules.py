"""The rules about all definitions of one module or of one release (6.53 to 6.56, 6.60, 6.65 and 15.8)."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from reference.definitions.errors import TOP
from reference.definitions.header_versions import PROPERTY, absent_header_versions, unknown_headers
from reference.definitions.model import Definition
from reference.definitions.rules import problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from reference.definitions.errors import Problem

PARTNERS = {
    "request": "response",
    "response": "request",
    "coordinator-key": "coordinator-value",
    "coordinator-value": "coordinator-key",
}
"""Kinds of messages in pairs with the same apiKey."""

NUMBERED = (*PARTNERS, "metadata")
"""Kinds of messages listed by a module by their apiKeys, those without versions included."""

Diagnostic = tuple[Definition, str]


def release_problems(
    modules: Mapping[str, Iterable[Definition]], mixed: Iterable[Definition] = ()
) -> Iterator[tuple[str, Definition, Problem]]:
    """Yield each broken rule of a release's modules and of records of several in `mixed`, by module and definition."""
    for definition, what in _api_key_present(tuple(mixed)):
        yield "", definition, _problem("api-key-present", definition, "apiKey", what)
    homes: dict[str, str] = {}
    groups = {module: tuple(definitions) for module, definitions in modules.items()}
    headers = {each.name: each.valid_versions for members in groups.values() for each in members if _is_header(each)}
    for module, members in groups.items():
        for definition in members:
            if definition.name in homes:
                what = f"{definition.name} is defined in {homes[definition.name]} and again in {module}"
                yield module, definition, _problem("message-names-unique", definition, "name", what)
            homes[definition.name] = module
        for rule, name, check in _CHECKS:
            for definition, what in check(members):
                yield module, definition, _problem(rule, definition, name, what)
        for definition, what in unknown_headers(members, headers):
            yield module, definition, _problem("header-versions-known", definition, PROPERTY, what)


def _is_header(definition: Definition) -> bool:
    return definition.kind == "header"


def _problem(rule: str, definition: Definition, name: str, what: str) -> Problem:
    return problem(rule, TOP.at(name, name=definition.name), what)


def _api_key_present(definitions: Sequence[Definition]) -> Iterator[Diagnostic]:
    for definition in definitions:
        if definition.kind in NUMBERED and definition.api_key is None:
            yield definition, f"the {definition.kind} {definition.name} has no apiKey"


def _one_of_a_kind(definitions: Sequence[Definition], kinds: Sequence[str]) -> Iterator[Diagnostic]:
    counts = Counter((each.kind, each.api_key) for each in definitions)
    for definition in definitions:
        kind, key = definition.kind, definition.api_key
        if kind in kinds and key is not None and counts[kind, key] > 1:
            names = sorted(each.name for each in definitions if (each.kind, each.api_key) == (kind, key))
            yield definition, f"the apiKey {key} belongs to more than one {kind}: {', '.join(names)}"


def _partners(definitions: Sequence[Definition]) -> Iterator[Diagnostic]:
    present = {(each.kind, each.api_key) for each in definitions}
    for definition in definitions:
        partner = PARTNERS.get(definition.kind)
        if partner and definition.api_key is not None and (partner, definition.api_key) not in present:
            what = f"the {definition.kind} {definition.name} has the apiKey {definition.api_key}, no {partner} has"
            yield definition, what


def _suffix(definitions: Sequence[Definition]) -> Iterator[Diagnostic]:
    for definition in definitions:
        if definition.kind == "request" and not definition.name.endswith("Request"):
            yield definition, f"the name of the request {definition.name} does not end in Request"


_CHECKS: tuple[tuple[str, str, Callable[[Sequence[Definition]], Iterator[Diagnostic]]], ...] = (
    ("api-key-present", "apiKey", _api_key_present),
    ("api-key-unique", "apiKey", partial(_one_of_a_kind, kinds=tuple(PARTNERS))),
    ("api-key-paired", "apiKey", _partners),
    ("message-suffix", "name", _suffix),
    ("header-versions-present", PROPERTY, absent_header_versions),
    ("record-type-unique", "apiKey", partial(_one_of_a_kind, kinds=("metadata",))),
)
