import ast
from operator import attrgetter
from pathlib import Path

from conformance.definitions.book import statements
from conformance.definitions.catalogue import LEVELS, SIDES, Rule, catalogue, rules_of
from reference.errors import REFUSAL_RULES
from reference.inputs.toml_text import packaged_toml
from reference.proposals import PROPOSALS
from tests.helpers.each import for_each

ROOT = Path(__file__).parents[2]
SOURCES = [*(ROOT / "reference").rglob("*.py"), *(ROOT / "conformance").rglob("*.py")]
FAMILIES = {rule.partition(".")[0] for rule in catalogue()}


def texts(source: Path) -> set[str]:
    tree = ast.parse(source.read_text(encoding="utf-8"))
    return {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def named_rules(source: Path) -> set[str]:
    """Return the words in the form of a rule's id, a family of the catalogue, a full stop and words with hyphens."""
    found = set()
    for text in texts(source):
        family, stop, name = text.partition(".")
        if stop and family in FAMILIES and name and all(part.isalnum() and part.islower() for part in name.split("-")):
            found.add(text)
    return found - {"message.json", "record.types", "lz4.block"}


def test_rules_named_in_modules_are_in_the_catalogue() -> None:
    named = {(str(source.relative_to(ROOT)), rule) for source in SOURCES for rule in named_rules(source)}
    assert [(source, rule) for source, rule in sorted(named) if rule not in catalogue()] == []
    assert len({rule for _, rule in named}) > 50, "the search for rules finds few"


def test_rules_of_refusals_are_in_the_catalogue() -> None:
    assert set(REFUSAL_RULES.values()) <= set(catalogue())


@for_each(catalogue().values(), attrgetter("id"))
def test_an_entry_is_whole(rule: Rule) -> None:
    assert rule.level in LEVELS
    assert rule.side in SIDES
    assert rule.text.endswith(".")
    for side, sentence in (("reader", rule.reader), ("writer", rule.writer)):
        assert not sentence or (sentence.startswith(f"A {side} ") and sentence.endswith("."))
    assert rule.sources


WITH_WEAKNESSES = [rule for rule in catalogue().values() if rule.cwe]


@for_each(WITH_WEAKNESSES, attrgetter("id"))
def test_weakness_belongs_to_a_reader_or_a_server_at_fault(rule: Rule) -> None:
    assert rule.level != "unspecified"
    assert rule.side in {"decode", "connection"} or rule.reader
    assert list(rule.cwe) == sorted(set(rule.cwe))
    assert len(rule.cwe) <= 2


def test_weaknesses_have_a_name_each_and_a_rule() -> None:
    named = packaged_toml("specs", "rules.toml")["weaknesses"]
    assert set(named) == {str(number) for rule in catalogue().values() for number in rule.cwe}


def test_entries_are_sorted() -> None:
    """Readers find an entry by eye among those of the released protocol, and then among those of each proposal."""
    for dialect in ("released", *PROPOSALS):
        assert list(rules_of(dialect)) == sorted(rules_of(dialect))


HEADINGS = {
    "Custom Default Values",
    "Default Value Handling for Tagged Fields",
    "Deserializing Messages",
    "Field Types",
    "Fields",
    "Flexible Versions",
    "Hash Sets",
    "Ignorable Fields",
    "Incompatible Changes",
    "Nullable Fields",
    "Requests and Responses",
    "Serializing Messages",
    "Tagged Fields",
}
"""Of the README of Apache Kafka's message definitions."""


def test_readme_sections_cited_by_rules_exist() -> None:
    cited = {
        source.removeprefix("README: ")
        for rule in catalogue().values()
        for source in rule.sources
        if "README" in source
    }
    assert cited == HEADINGS


@for_each(rules_of().values(), attrgetter("id"))
def test_rule_covers_a_statement_of_the_book_or_has_a_foundation(rule: Rule) -> None:
    assert any(rule.id in statement.rules for statement in statements().values()) != bool(rule.foundation)


def test_counterparts_of_rules_for_readers_are_rules_for_writers() -> None:
    pairs = {(rule, catalogue()[rule.counterpart]) for rule in catalogue().values() if rule.counterpart}
    assert all(rule.side == "decode" and writer.side == "encode" for rule, writer in pairs)
