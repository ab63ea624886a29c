"""What Apache Kafka lets pass and is hardly meant: `hints`, `release_hints`. None of it keeps a definition from use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.definitions.errors import TOP
from reference.definitions.rules import all_fields, problem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.definitions.errors import Problem
    from reference.definitions.model import Definition


def hints(definition: Definition) -> Iterator[Problem]:
    """Everything in a sound definition that is hardly meant."""
    valid, deprecated = definition.valid_versions, definition.deprecated_versions
    if not valid.covers(deprecated):
        what = f"the deprecatedVersions {deprecated} are not all among the validVersions {valid}"
        yield problem("deprecated-versions", TOP.at("deprecatedVersions", name=definition.name), what)
    for use in all_fields(definition):
        name = use.field.struct_name
        if name is not None and not use.field.fields and definition.common_struct(name) is None:
            yield use.problem("empty-struct", f"the struct {name} has no fields, and is no common struct")


def release_hints(definitions: Iterable[Definition]) -> Iterator[tuple[Definition, Problem]]:
    """Responses that do not have the versions of their requests (statement 6.57)."""
    members = tuple(definitions)
    requests = {each.api_key: each for each in members if each.kind == "request"}
    for response in members:
        request = requests.get(response.api_key) if response.kind == "response" else None
        if request is not None and request.valid_versions != response.valid_versions:
            what = f"the validVersions are {response.valid_versions}, those of the request {request.valid_versions}"
            yield response, problem("paired-versions", TOP.at("validVersions", name=response.name), what)
