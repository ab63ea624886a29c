"""The pages of the rules, one for each family with an anchor for each rule, and the list of all of them."""

from __future__ import annotations

from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from conformance.definitions.book import Statement, covered_by
from conformance.definitions.catalogue import catalogue, family_of
from conformance.report.explain.explained_rules import explain_rule, level_text
from conformance.report.site.documentation import RULES, statement_address
from docs._ext.book import HOME
from docs._ext.links import relative
from docs._ext.markdown import Page, block, generated, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.definitions.book import Requirement
    from conformance.definitions.catalogue import Rule

INDEX = f"{RULES}/index.md"

LEVELS = {
    "must": "An implementation that breaks it is wrong.",
    "should": "An implementation that breaks it works with others, but not as Apache Kafka does.",
    "unspecified": "The protocol leaves it open. It is shown, and is never a finding.",
}
SIDES = {"encode": "writers", "decode": "readers", "definition": "message definitions", "connection": "connections"}


def families() -> dict[str, list[Rule]]:
    """Return the rules by family, each in the order of the catalogue."""
    found: dict[str, list[Rule]] = defaultdict(list)
    for rule in catalogue().values():
        found[family_of(rule.id)].append(rule)
    return found


def rule_pages() -> Iterator[Page]:
    """Yield the page of each family."""
    for family, rules in families().items():
        path = f"{RULES}/{family}.md"
        yield generated(path, f"# Rules of {family}", *(_section(rule, path) for rule in rules))


def rule_index() -> Iterator[Page]:
    """Yield the list of all rules."""
    yield generated(INDEX, *_index())


def _index() -> Iterator[str]:
    yield "# Rules"
    yield (
        f"There are {len(catalogue())} rules. Each has a level, and is about one side. "
        "`kafka-conformance rules` prints the same list, and `kafka-conformance rules tag.section` one rule with its "
        "sources and an example. The numbers are those of statements in [the book](../../../specs/protocol/README.md)."
    )
    yield table(("level", "meaning"), LEVELS.items())
    for family, rules in families().items():
        yield f"## {family}"
        yield "\n".join(map(_row, rules))


def _row(rule: Rule) -> str:
    numbers = [each.number for each in covered_by(rule.id) if isinstance(each, Statement)]
    links = ", ".join(f"[{number}](../../../{_file_of(number)}#{number})" for number in numbers)
    return f"- `{rule.id}` ({rule.level}, {SIDES[rule.side]}): {rule.text} {links}".rstrip()


def _file_of(number: str) -> str:
    """Return the file of the book with a statement."""
    page, _ = statement_address(number)
    return f"{HOME}/{page.rpartition('/')[2]}.md"


def _section(rule: Rule, path: str) -> str:
    facts = "\n".join(f"- {name}: {text}" for name, text in _facts(rule, path))
    command = block(f"kafka-conformance rules {rule.id}", "console")
    return "\n\n".join((f"## {rule.id}", rule.text, facts, _example(rule), command))


def _facts(rule: Rule, path: str) -> Iterator[tuple[str, str]]:
    yield "Level", f"*{level_text(rule)}*. {LEVELS[rule.level]}"
    yield "About", SIDES[rule.side]
    for name, text in (("Writers", rule.writer), ("Readers", rule.reader), ("Effect", rule.effect)):
        if text:
            yield name, text
    statements = covered_by(rule.id)
    if statements:
        yield "Statements", "; ".join(_statement(each, path) for each in statements)
    if rule.foundation:
        yield "Foundation", rule.foundation
    yield "Sources", ", ".join(rule.sources)
    for weakness in rule.weaknesses:
        yield "Weakness", f"[{weakness.label}]({weakness.address}) {weakness.name}"


def _statement(statement: Statement | Requirement, path: str) -> str:
    page, anchor = statement_address(statement.number)
    return f"[{statement.number} {statement.title}]({relative(f'{page}.md', path, anchor)})"


def _example(rule: Rule) -> str:
    """Return the example of bytes with the rule kept, and with the rule broken."""
    lines = list(explain_rule(rule).lines())
    start = next((at for at, line in enumerate(lines) if line.startswith(("right: ", "departs from it: "))), len(lines))
    example = "\n".join(islice(lines, start, None))
    return block(example) if example else ""
