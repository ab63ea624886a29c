"""The examples about changes of definitions, in fenced blocks `diff` of a definition or of the fields of Sample.

    @@ incompatible: evolution.type, v0-2, Size @@
    @@ EvolutionVerifier refuses @@
    -  { "name": "Size", "type": "int32", "versions": "0+" }
    +  { "name": "Size", "type": "int64", "versions": "0+" }

Each line between `@@` is a change found by the rules, with its effect, versions and field; `no change` if there is
none. The one about Apache Kafka's EvolutionVerifier is checked where there is Java
(tests/adapters/harnesses/test_book_definitions.py).
"""

import re
from typing import NamedTuple

from conformance.definitions.book import FencedBlock
from reference.definitions.parse import parse_definition
from reference.evolution import Change, DefinitionSet, release_changes
from tests.specs.definition_examples import SOURCE, with_field

_MARK = re.compile(r"@@ (.+) @@")
VERIFIER = "EvolutionVerifier "
WHOLE = '"validVersions"'
"""What is in a whole definition, and in no field."""


class ChangeExample(NamedTuple):
    """An old and a new definition, and the effects of the change."""

    old: str | None
    new: str | None
    """None: there is no definition, as the message is new, or gone."""
    changes: frozenset[str]
    verifier: str
    """What EvolutionVerifier says: `accepts` or `refuses`; empty where it is not asked."""


def change_of_block(block: FencedBlock) -> ChangeExample:
    lines = block.text.splitlines()
    marks = [match[1] for line in lines if (match := _MARK.fullmatch(line))]
    body = [line for line in lines if not _MARK.fullmatch(line)]
    assert all(line[0] in " +-" for line in body), f"{block}: not a line of a diff"
    said = [mark.removeprefix(VERIFIER) for mark in marks if mark.startswith(VERIFIER)]
    changes = frozenset(mark for mark in marks if not mark.startswith(VERIFIER)) - {"no change"}
    return ChangeExample(_side(body, "-"), _side(body, "+"), changes, "".join(said))


def _side(lines: list[str], sign: str) -> str | None:
    """Return the text of one definition, a whole one as it stands, fields as those of the message Sample."""
    text = "\n".join(line[1:] for line in lines if line[0] in (" ", sign)).strip().removesuffix(",")
    return text or None if not text or WHOLE in text else with_field(text)


def found_changes(example: ChangeExample) -> frozenset[str]:
    """Return the changes found by the rules, in the words of the book."""
    return frozenset(map(_in_words, release_changes(_set(example.old), _set(example.new))))


def _set(text: str | None) -> DefinitionSet:
    definitions = [parse_definition(text, SOURCE)] if text else []
    return DefinitionSet({definition.name: definition for definition in definitions})


def _in_words(change: Change) -> str:
    versions = "" if change.versions.empty else f", v{change.versions}"
    path = change.path and f", {change.path}"
    return f"{change.effect.value}: {change.rule}{versions}{path}"
