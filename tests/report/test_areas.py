from conformance.definitions.catalogue import catalogue, rules_of
from conformance.report.areas import CONNECTIONS, MESSAGES, RECORDS, area_of, groups_of, parts_for
from conformance.suite.subjects import PARTS


def test_every_rule_but_those_of_definitions_is_in_one_group() -> None:
    grouped = [rule.id for group in groups_of() for rule in group.rules]
    assert sorted(grouped) == sorted(rule.id for rule in rules_of().values() if rule.side != "definition")


def test_area_of_a_rule_is_its_chapters() -> None:
    areas = [area_of(catalogue()[rule]) for rule in ("tag.size", "batch.crc", "connection.order")]
    assert areas == [MESSAGES, RECORDS, CONNECTIONS]


def test_every_part_for_a_rule_is_one_of_the_suite() -> None:
    needed = {part for rule in rules_of() for part in parts_for(rule)}
    assert needed <= {part.what for part in PARTS}
