from operator import attrgetter

import pytest

from conformance.definitions.catalogue import Example, Rule, catalogue
from conformance.judge.blame.body_rules import blame_bytes
from conformance.report.explain.explained_rules import changes, errors, explain_rule, meaning_of
from reference import Result, Unencodable, decode, encode, judge, judge_records
from reference.explained.explanation import Explanation
from tests.helpers.each import for_each

RULES = tuple(catalogue().values())
WIRE_RULES = tuple(rule for rule in RULES if rule.side != "definition")
BODIES = tuple(rule for rule in WIRE_RULES if rule.example.target == "body")
RECORDS = tuple(rule for rule in WIRE_RULES if rule.example.target == "records")
AROUND_BODIES = tuple(rule for rule in WIRE_RULES if rule.example.target not in {"body", "records"})
EVOLUTION = "evolution."

SHOWN_BY = {
    "codec.survival": "count.within-input",
    "kip-482-first-draft.tag": "tag.number",  # the bytes of its example are those of another tag
    "message.nothing-else": "input.trailing-bytes",
}
"""A rule about all bytes, and the rule that its wrong bytes break."""

SHOWN_IN_RECORDS = {
    "batch.attributes": "record.length",
    "batch.header-layout": "field.partial-tail",
    "codec.declared-size": "codec.corrupt",
    "field.bad-batch-later": "batch.crc",
    "lz4.header-checksum": "codec.corrupt",
    "produce.no-tail": "field.partial-tail",
    "record.count-bound": "record.count",
    "varint.zigzag": "record.length",
}
"""Rules of which the wrong bytes break another one: they are read as something else."""

IDENTIFIER = attrgetter("id")


def values(meaning: Explanation) -> list[tuple[str, str]]:
    return [(part.path, part.value) for part in meaning.parts]


def having(rules: tuple[Rule, ...], part: str) -> tuple[Rule, ...]:
    return tuple(rule for rule in rules if getattr(rule.example, part) is not None)


@for_each(RULES, IDENTIFIER)
def test_rule_has_an_example(rule: Rule) -> None:
    assert rule.example != Example(dialect=rule.dialect), f"add an example to {rule.id}"


@for_each([rule for rule in BODIES if rule.id != "tag.explicit-default"], IDENTIFIER)
def test_right_bytes_are_those_of_the_reference(rule: Rule) -> None:
    schema, right = rule.example.schema(), rule.example.right
    assert right is not None
    assert encode(schema, decode(schema, right).value) == right


def test_explicit_default_is_valid_and_never_written() -> None:
    example = catalogue()["tag.explicit-default"].example
    assert example.right is not None
    verdict = judge(example.schema(), example.right)
    assert verdict.rules == ("tag.explicit-default",)
    assert verdict.canonical != example.right


@for_each(having(BODIES, "wrong"), IDENTIFIER)
def test_wrong_bytes_break_the_rule(rule: Rule) -> None:
    """The oracle's verdict shows it, or the blame for writing them in place of the right ones."""
    schema, right, wrong = rule.example.schema(), rule.example.right, rule.example.wrong
    assert right is not None
    assert wrong is not None
    blame = blame_bytes(schema, decode(schema, right).value, right, wrong)
    assert SHOWN_BY.get(rule.id, rule.id) in {blame.rule, *judge(schema, wrong).rules}


@for_each(having(BODIES, "value"), IDENTIFIER)
def test_wrong_value_is_refused_by_the_rule(rule: Rule) -> None:
    assert rule.example.value is not None
    with pytest.raises(Unencodable) as caught:
        encode(rule.example.schema(), rule.example.value)
    assert caught.value.rule == rule.id


@for_each(having(BODIES, "same"), IDENTIFIER)
def test_other_value_has_the_right_bytes(rule: Rule) -> None:
    assert rule.example.same is not None
    assert encode(rule.example.schema(), rule.example.same) == rule.example.right


@for_each(AROUND_BODIES, IDENTIFIER)
def test_right_bytes_around_a_body_are_read(rule: Rule) -> None:
    assert rule.example.right is not None
    assert meaning_of(rule.example, rule.example.right).verdict.result == Result.VALID


@for_each(having(AROUND_BODIES, "wrong"), IDENTIFIER)
def test_wrong_bytes_around_a_body_are_refused_or_misread(rule: Rule) -> None:
    assert rule.example.right is not None
    assert rule.example.wrong is not None
    right, wrong = (meaning_of(rule.example, wire) for wire in (rule.example.right, rule.example.wrong))
    assert (wrong.verdict.result, values(wrong)) != (right.verdict.result, values(right))


@for_each(RECORDS, IDENTIFIER)
def test_right_records_are_valid(rule: Rule) -> None:
    assert rule.example.right is not None
    assert judge_records(rule.example.right).result is Result.VALID


@for_each(having(RECORDS, "wrong"), IDENTIFIER)
def test_wrong_records_break_the_rule(rule: Rule) -> None:
    """They are read by a consumer, or by the broker of a Produce request."""
    assert rule.example.wrong is not None
    verdict = judge_records(rule.example.wrong)
    assert verdict.broker is not None
    assert SHOWN_IN_RECORDS.get(rule.id, rule.id) in {*verdict.rules, verdict.broker.rule}


@for_each([rule for rule in RULES if rule.example.target == "record"], IDENTIFIER)
def test_wrong_record_is_refused_by_the_rule(rule: Rule) -> None:
    assert rule.example.wrong is not None
    assert rule.id in meaning_of(rule.example, rule.example.wrong).verdict.rules


@for_each(WIRE_RULES, IDENTIFIER)
def test_every_right_byte_is_explained(rule: Rule) -> None:
    right = explain_rule(rule).right
    assert right is not None
    assert right.meaning is not None
    assert b"".join(right.meaning.wire[part.start : part.end] for part in right.meaning.parts) == rule.example.right


@for_each(having(WIRE_RULES, "wrong"), IDENTIFIER)
def test_the_first_wrong_byte_is_named(rule: Rule) -> None:
    wrong = explain_rule(rule).wrong
    assert wrong is not None
    assert wrong.offset is not None
    assert any(line.endswith(f"wrong byte: {wrong.offset}") for line in wrong.lines())


@for_each([rule for rule in RULES if rule.side == "definition" and not rule.id.startswith(EVOLUTION)], IDENTIFIER)
def test_broken_definition_names_rule_and_place(rule: Rule) -> None:
    problems = [error.problem for error in errors(rule.example)]
    assert {problem.rule for problem in problems} == {rule.id}
    assert str(problems[0].place) == rule.example.place


@for_each([rule for rule in RULES if rule.id.startswith(EVOLUTION)], IDENTIFIER)
def test_changed_definition_changes_by_the_rule(rule: Rule) -> None:
    assert rule.id in {change.rule for change in changes(rule.example)}
