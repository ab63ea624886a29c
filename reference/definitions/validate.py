"""Holding a definition, or all definitions of a release, against the rules of section 6.

The rules themselves are the tables of `message_rules`, `field_rules` and `release_rules`. Those that can only be
judged while the text is read, as a missing property, are in `parse` and `properties`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reference.definitions.errors import BrokenDefinition, Problem
from reference.definitions.field_rules import FIELD_RULES
from reference.definitions.message_rules import MESSAGE_RULES, STRUCT_RULES
from reference.definitions.release_rules import release_problems
from reference.definitions.rules import FieldUse, Rule, Stage, StructUse, Subject, fields, structs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from reference.definitions.model import Definition


@dataclass(frozen=True)
class RuleBook:
    """The rules that a single definition is held against."""

    message: tuple[Rule[Definition], ...]
    struct: tuple[Rule[StructUse], ...]
    field: tuple[Rule[FieldUse], ...]

    def without(self, *ids: str) -> RuleBook:
        """The same rules but those."""
        return RuleBook(_but(self.message, ids), _but(self.struct, ids), _but(self.field, ids))

    def with_field_rules(self, *rules: Rule[FieldUse]) -> RuleBook:
        """The same rules, and those about single fields."""
        return RuleBook(self.message, self.struct, (*self.field, *rules))


def _but(rules: tuple[Rule[Subject], ...], ids: tuple[str, ...]) -> tuple[Rule[Subject], ...]:
    return tuple(rule for rule in rules if rule.id not in ids)


RELEASED_RULES = RuleBook(MESSAGE_RULES, STRUCT_RULES, FIELD_RULES)
"""What Apache Kafka asks of a definition."""


def problems(definition: Definition, rules: RuleBook = RELEASED_RULES) -> Iterator[Problem]:
    """Every rule that the definition breaks: first those about the message, then struct by struct.

    What no code is ever generated from is held to fewer rules: a message without versions, and fields that are listed
    where they mean nothing.
    """
    has_code = not definition.valid_versions.empty
    yield from _judge(rules.message, definition, has_code=has_code)
    for struct in structs(definition):
        yield from _judge(rules.struct, struct, has_code=has_code and struct.generated)
        for field in fields(struct):
            yield from _judge(rules.field, field, has_code=has_code and struct.generated)


def _judge(rules: Iterable[Rule[Subject]], subject: Subject, *, has_code: bool) -> Iterator[Problem]:
    for rule in rules:
        if has_code or rule.stage is Stage.PARSED:
            yield from rule.problems(subject)


def validate_release(modules: Mapping[str, Iterable[Definition]]) -> None:
    """Check what definitions must have in common; `modules` are those of one release, by where they come from.

    Record types are numbered, and requests paired with responses, within one module.

    Raises:
        BrokenDefinition: the first problem that there is.
    """
    for error in broken_release_rules(modules):
        raise error


def broken_release_rules(modules: Mapping[str, Iterable[Definition]]) -> Iterator[BrokenDefinition]:
    """Every rule about whole releases that is broken."""
    for module, definition, problem in release_problems(modules):
        yield BrokenDefinition(f"{definition.name} of {module}", problem)
