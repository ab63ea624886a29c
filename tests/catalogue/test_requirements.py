from operator import attrgetter

from conformance.catalogue.requirements import Section, requirements
from conformance.catalogue.rules import rules_of
from tests.helpers.each import for_each

SECTIONS = requirements().sections
WIRE_RULES = {rule.id for rule in rules_of().values() if rule.side != "definition"}


@for_each(SECTIONS, attrgetter("title"))
def test_numbers_of_a_section_have_no_gaps(section: Section) -> None:
    """From 1 to the last, in order, none twice."""
    assert [statement.number for statement in section.statements] == section.numbers


def test_sections_are_those_about_the_bytes() -> None:
    assert [section.prefix.removesuffix(".") for section in SECTIONS] == [
        *("1.1", "1.2", "1.3", "2.1", "2.2", "2.3", "2.4", "2.5", "3", "4.1", "4.2", "4.3", "5"),
        *(f"16.{section}" for section in range(1, 9)),
        *(f"17.{section}" for section in range(1, 4)),
    ]


def test_wire_rules_cover_a_statement_or_say_why_not() -> None:
    covering = {rule for statement in requirements().statements for rule in statement.rules}
    assert WIRE_RULES - covering == requirements().unnumbered.keys()
    assert all(requirements().unnumbered.values())
