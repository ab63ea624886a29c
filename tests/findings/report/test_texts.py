from conformance.catalogue.rules import catalogue
from conformance.findings.report.texts import rule_lines


def test_finding_says_how_to_see_an_example_of_its_rule() -> None:
    rule = catalogue()["tag.size"]
    assert rule_lines("tag.size") == [
        rule.text,
        f"source: {', '.join(rule.sources)}",
        "example: kafka-conformance rules tag.size",
    ]
