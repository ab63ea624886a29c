"""What Apache Kafka lets pass and is hardly meant: `hints`, `release_hints`. None of it keeps a definition from use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.definitions.errors import TOP, Problem
from reference.definitions.rules import Finding, Rule, Stage, all_fields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.definitions.model import Definition


def hints(definition: Definition) -> Iterator[Problem]:
    """Everything in a sound definition that is hardly meant."""
    for rule in HINTS:
        yield from rule.problems(definition)


def release_hints(definitions: Iterable[Definition]) -> Iterator[tuple[Definition, Problem]]:
    """Responses that do not have the versions of their requests (statement 6.57)."""
    members = tuple(definitions)
    requests = {each.api_key: each for each in members if each.kind == "request"}
    for response in members:
        request = requests.get(response.api_key) if response.kind == "response" else None
        if request is not None and request.valid_versions != response.valid_versions:
            what = f"the validVersions are {response.valid_versions}, those of the request {request.valid_versions}"
            place = TOP.at("validVersions", name=response.name)
            advice = "give both the same: a response has the version of its request"
            yield response, Problem("definition.paired-versions", "6.57", place, what, advice)


def _deprecated(definition: Definition) -> Iterator[Finding]:
    valid, deprecated = definition.valid_versions, definition.deprecated_versions
    if not valid.covers(deprecated):
        place = TOP.at("deprecatedVersions", name=definition.name)
        yield place, f"the deprecatedVersions {deprecated} are not all among the validVersions {valid}"


def _empty_struct(definition: Definition) -> Iterator[Finding]:
    for use in all_fields(definition):
        name = use.field.struct_name
        if name is not None and not use.field.fields and definition.common_struct(name) is None:
            yield use.place, f"the struct {name} has no fields, and is no common struct"


HINTS: tuple[Rule[Definition], ...] = (
    Rule("definition.deprecated-versions", "6.14", Stage.PARSED, _deprecated, "drop those that are not valid"),
    Rule("definition.empty-struct", "6.52a", Stage.GENERATED, _empty_struct, "correct the name, or list its fields"),
)
"""Every hint about a single definition."""
