"""The rules about all definitions of one module, or of one release, together (rules 6.53 to 6.56 and 15.8)."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from reference.definitions.errors import TOP, Place, Problem
from reference.definitions.model import Definition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

SUFFIXES = {"request": "Request", "response": "Response"}
PARTNERS = {
    "request": "response",
    "response": "request",
    "coordinator-key": "coordinator-value",
    "coordinator-value": "coordinator-key",
}
"""Kinds of messages that come in pairs with the same apiKey."""

Diagnostic = tuple[Definition, str]


def release_problems(
    modules: Mapping[str, Iterable[Definition]],
) -> Iterator[tuple[str, Definition, Problem]]:
    """Every broken rule, with the module and the definition that break it."""
    homes: dict[str, str] = {}
    for module, definitions in modules.items():
        found = tuple(definitions)
        for definition in found:
            if definition.name in homes:
                yield module, definition, _same_name(definition, homes[definition.name], module)
            homes[definition.name] = module
        yield from ((module, *each) for each in _module_problems(found))


def _same_name(definition: Definition, first: str, second: str) -> Problem:
    what = f"{definition.name} is defined in {first} and again in {second}"
    return Problem(
        "definition.message-names-unique", "6.55", _place(definition, "name"), what, "rename or drop one of the two"
    )


def _place(definition: Definition, name: str) -> Place:
    """That property of a definition."""
    return TOP.at(name, name=definition.name)


def _module_problems(definitions: Sequence[Definition]) -> Iterator[tuple[Definition, Problem]]:
    for name, number, where, check, advice in _ROWS:
        for definition, what in check(definitions):
            yield definition, Problem(f"definition.{name}", number, _place(definition, where), what, advice)


def _api_key_present(definitions: Sequence[Definition]) -> Iterator[Diagnostic]:
    for definition in definitions:
        if definition.kind in SUFFIXES and definition.api_key is None:
            yield definition, f"the {definition.kind} {definition.name} has no apiKey"


def _one_of_a_kind(definitions: Sequence[Definition], kinds: Sequence[str]) -> Iterator[Diagnostic]:
    counts = Counter((each.kind, each.api_key) for each in definitions)
    for definition in definitions:
        kind, key = definition.kind, definition.api_key
        if kind in kinds and key is not None and counts[kind, key] > 1:
            names = sorted(each.name for each in definitions if (each.kind, each.api_key) == (kind, key))
            yield definition, f"the apiKey {key} belongs to more than one {kind}: {', '.join(names)}"


def _paired_once(definitions: Sequence[Definition]) -> Iterator[Diagnostic]:
    yield from _one_of_a_kind(definitions, tuple(PARTNERS))


def _records_once(definitions: Sequence[Definition]) -> Iterator[Diagnostic]:
    yield from _one_of_a_kind(definitions, ("metadata",))


def _partners(definitions: Sequence[Definition]) -> Iterator[Diagnostic]:
    present = {(each.kind, each.api_key) for each in definitions}
    for definition in definitions:
        partner = PARTNERS.get(definition.kind)
        if partner and definition.api_key is not None and (partner, definition.api_key) not in present:
            yield (
                definition,
                f"the {definition.kind} {definition.name} has the apiKey {definition.api_key}, no {partner} has",
            )


def _suffix(definitions: Sequence[Definition]) -> Iterator[Diagnostic]:
    for definition in definitions:
        suffix = SUFFIXES.get(definition.kind, "")
        if not definition.name.endswith(suffix):
            yield definition, f"the name of the {definition.kind} {definition.name} does not end in {suffix}"


_ROWS: tuple[tuple[str, str, str, Callable[[Sequence[Definition]], Iterator[Diagnostic]], str], ...] = (
    ("api-key-present", "6.53", "apiKey", _api_key_present, "give the request and its response the same new apiKey"),
    ("api-key-unique", "6.54", "apiKey", _paired_once, "give each pair of messages an apiKey of its own"),
    ("api-key-paired", "6.54", "apiKey", _partners, "define its partner, too, or correct the apiKey"),
    ("message-suffix", "6.55", "name", _suffix, "rename it"),
    ("record-type-unique", "6.56", "apiKey", _records_once, "give each metadata record an apiKey of its own"),
)
"""Id without its prefix, number, property, check, and what to do."""
