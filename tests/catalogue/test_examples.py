"""Every rule of the catalogue has a worked example, and the example is about the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conformance.catalogue.explain.search import bases, blamed, judged
from conformance.catalogue.explain.worked import SEARCHES, worked_example
from conformance.catalogue.rules import Rule, catalogue

if TYPE_CHECKING:
    from conformance.catalogue.explain.example import Example

RULES = tuple(catalogue().values())
WIRE_RULES = tuple(rule for rule in RULES if rule.side != "definition")
DEFINITION_RULES = tuple(rule for rule in RULES if rule.side == "definition")


def identifier(rule: Rule) -> str:
    """Its id."""
    return rule.id


def is_whole(example: Example) -> bool:
    """It has a title and something to say, and its dump covers all of its bytes."""
    shown = b"".join(row.wire for row in example.rows)
    return bool(example.title and all(example.notes) and example.notes) and shown in {b"", example.wire}


@pytest.mark.parametrize("rule", WIRE_RULES, ids=identifier)
def test_wire_rule_has_a_right_example(rule: Rule) -> None:
    """Bytes, each of them explained; of what no writer makes there is no dump."""
    right = worked_example(rule).right
    assert right is not None
    assert right.wire
    assert is_whole(right)
    assert right.rows or rule.id == "tag.explicit-default"


@pytest.mark.parametrize("rule", RULES, ids=identifier)
def test_example_of_what_departs_is_whole(rule: Rule) -> None:
    """There is one, unless the rule holds of all bytes; its bytes are not the right ones."""
    worked = worked_example(rule)
    if worked.wrong is None:
        assert worked.right is not None
        return
    assert is_whole(worked.wrong)
    assert worked.right is None or worked.wrong.wire != worked.right.wire


@pytest.mark.parametrize("rule", DEFINITION_RULES, ids=identifier)
def test_error_about_a_broken_definition_names_the_rule(rule: Rule) -> None:
    """What the reader says is about the rule that is asked for."""
    wrong = worked_example(rule).wrong
    assert wrong is not None
    assert any(f"rule: {rule.id} (" in note for note in wrong.notes)


@pytest.mark.parametrize("rule", ["null.not-allowed", "varint.overlong", "tag.duplicate", "string.malformed-utf8"])
def test_verdict_on_what_departs_names_the_rule(rule: str) -> None:
    """The oracle agrees that the bytes are about the rule."""
    worked = judged(rule)
    assert worked is not None
    assert worked.wrong is not None
    assert f"({rule})" in worked.wrong.notes[0]


@pytest.mark.parametrize("rule", ["string.length", "int.width-and-order", "tag.size", "null.compact"])
def test_bytes_of_the_rule_are_marked(rule: str) -> None:
    """The first byte that departs is one of those."""
    worked = blamed(rule)
    assert worked is not None
    assert worked.right is not None
    assert worked.wrong is not None
    marked = {row.offset + index for row in worked.right.rows if row.marked for index in range(len(row.wire))}
    assert worked.wrong.mark in marked


def test_smallest_example_is_taken() -> None:
    """Of a rule about all messages, that is one of a single byte."""
    worked = judged("varint.overlong")
    assert worked is not None
    assert worked.right is not None
    assert worked.right.wire == b"\0"


def test_bases_begin_with_the_shortest() -> None:
    """So that the first that is found is the smallest."""
    lengths = [len(base.wire) for base in bases()]
    assert lengths == sorted(lengths)


@pytest.mark.parametrize("search", [blamed, judged, SEARCHES["definition"]])
def test_rule_that_nothing_departs_from_has_no_example(search: object) -> None:
    """A search that fails says so."""
    assert callable(search)
    assert search("no.such-rule") is None


def test_missing_example_is_an_error() -> None:
    """It is never an empty one."""
    with pytest.raises(LookupError, match=r"no example of no\.such-rule"):
        worked_example(Rule("no.such-rule", "must", "encode", "None.", ("nowhere",)))
