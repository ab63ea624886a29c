"""Check a definition, or all definitions of a release, by the rules of section 6, for problems and hints.

The numbers and the advice of rules are in `rules.toml`. Rules to be checked while the text is read, as a missing
property, are in `parse` and `properties`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference.definitions.errors import TOP, BrokenDefinition, Problem
from reference.definitions.field_rules import FIELD_CHECKS
from reference.definitions.message_rules import message_problems, struct_problems
from reference.definitions.release_rules import release_problems
from reference.definitions.rules import RULES, FieldUse, all_fields, fields, problem, structs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from reference.definitions.model import Definition


@dataclass(frozen=True)
class RuleBook:
    """The rules for a single definition, those of Apache Kafka unless a dialect has others."""

    dropped: tuple[str, ...] = ()
    """The ids of the rules without effect in the dialect."""
    field_checks: tuple[Callable[[FieldUse], Iterator[Problem]], ...] = ()
    """The checks of the dialect itself."""

    def problems(self, definition: Definition) -> Iterator[Problem]:
        """Yield every problem of a definition, first those of the message, then struct by struct.

        Fewer rules hold for a message without versions, and for fields listed without a meaning, as they have no code.
        """
        has_code = not definition.valid_versions.empty
        yield from self._that_count(message_problems(definition), has_code=has_code)
        for struct in structs(definition):
            yield from self._that_count(struct_problems(struct), has_code=has_code and struct.generated)
            for field in fields(struct):
                for check in (*FIELD_CHECKS, *self.field_checks):
                    yield from self._that_count(check(field), has_code=has_code and struct.generated)

    def _that_count(self, problems: Iterable[Problem], *, has_code: bool) -> Iterator[Problem]:
        for each in problems:
            if each.rule not in self.dropped and (has_code or RULES[each.rule].stage == "read"):
                yield each


def validate_release(modules: Mapping[str, Iterable[Definition]], mixed: Iterable[Definition] = ()) -> None:
    """Check the rules about all definitions of a release by module, and of records of several modules in `mixed`.

    Record types are numbered, and requests paired with responses, within one module.

    Raises:
        BrokenDefinition: the first problem.
    """
    for error in broken_release_rules(modules, mixed):
        raise error


def broken_release_rules(
    modules: Mapping[str, Iterable[Definition]], mixed: Iterable[Definition] = ()
) -> Iterator[BrokenDefinition]:
    """Yield every broken rule about whole releases."""
    for module, definition, broken in release_problems(modules, mixed):
        yield BrokenDefinition(f"{definition.name} of {module}", broken)


def hints(definition: Definition) -> Iterator[Problem]:
    """Yield the oddities of a valid definition that Apache Kafka accepts and no author intends."""
    valid, deprecated = definition.valid_versions, definition.deprecated_versions
    if not valid.covers(deprecated):
        what = f"the deprecatedVersions {deprecated} are not all among the validVersions {valid}"
        yield problem("deprecated-versions", TOP.at("deprecatedVersions", name=definition.name), what)
    for use in all_fields(definition):
        name = use.field.struct_name
        if name is not None and not use.field.fields and definition.common_struct(name) is None:
            yield use.problem("empty-struct", f"the struct {name} has no fields, and is no common struct")


def release_hints(definitions: Iterable[Definition]) -> Iterator[tuple[Definition, Problem]]:
    """Yield the responses with other versions than their requests (statement 6.57)."""
    members = tuple(definitions)
    requests = {each.api_key: each for each in members if each.kind == "request"}
    for response in members:
        request = requests.get(response.api_key) if response.kind == "response" else None
        if request is not None and request.valid_versions != response.valid_versions:
            what = f"the validVersions are {response.valid_versions}, those of the request {request.valid_versions}"
            yield response, problem("paired-versions", TOP.at("validVersions", name=response.name), what)
