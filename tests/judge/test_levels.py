"""The level and the sentence of a broken rule belong to the side at fault."""

from dataclasses import dataclass
from typing import Any

import pytest

from conformance.definitions.catalogue import DECODE, ENCODE, SURVIVAL, catalogue
from conformance.judge.case import LeftOpen, Violation
from conformance.judge.count_lines import UnspecifiedProfile
from conformance.judge.engine import counted
from conformance.judge.events import REJECTION, observed
from conformance.judge.levels import level_of, sentence_of
from conformance.judge.tally import Tally
from conformance.targets.outcome import Kind, Outcome

OF_TWO_LEVELS = ("batch.negative-field", "batch.empty-with-bytes", "record.timestamp-wrap", "message.inner-magic")
REJECTED = str(Kind.REJECTED)
OPTIONAL = "may or may not"
"""Words of a sentence that demands nothing."""


@pytest.mark.parametrize("rule", OF_TWO_LEVELS)
def test_rule_of_two_levels_is_unspecified_for_readers(rule: str) -> None:
    assert (level_of(rule, DECODE, REJECTED), level_of(rule, ENCODE, REJECTED)) == ("unspecified", "should")


def test_rule_with_a_sentence_for_writers_alone_has_its_level() -> None:
    """Otherwise a finding would show the demand on a writer with the level for readers."""
    other = [rule for rule in catalogue().values() if rule.level == "unspecified" and (rule.writer or rule.reader)]
    assert [rule.id for rule in other if OPTIONAL not in rule.writer and not rule.writer_level] == []


@pytest.mark.parametrize("kind", [Kind.CRASHED, Kind.TIMED_OUT, Kind.EXHAUSTED_MEMORY])
def test_the_end_of_a_process_is_a_must_on_any_input(kind: Kind) -> None:
    assert level_of("varint.overlong", DECODE, str(kind)) == "must"
    assert sentence_of("varint.overlong", DECODE, str(kind)) == catalogue()[SURVIVAL].sentence(DECODE)


@dataclass(frozen=True)
class OfNothing:
    """A case without content, used for its name."""

    name: str = "sample"
    path: str = ""


def violation(rule: str, direction: str, kind: Kind) -> Violation:
    case: Any = OfNothing()
    return Violation(rule, "", direction, REJECTION, observed(Outcome(kind)), case)


def test_rule_unspecified_for_a_side_is_profile_and_no_finding() -> None:
    tally = Tally()
    assert list(counted([violation("batch.negative-field", "decode", Kind.REJECTED)], tally)) == []
    assert dict(tally.of(UnspecifiedProfile)) == {("batch.negative-field", False): 1}


@pytest.mark.parametrize(
    ("rule", "direction", "kind"),
    [
        ("batch.negative-field", "encode", Kind.BYTES),
        ("batch.negative-field", "decode", Kind.CRASHED),
        ("batch.crc", "decode", Kind.VALUE),
    ],
)
def test_broken_demand_on_a_side_is_a_finding(rule: str, direction: str, kind: Kind) -> None:
    found = violation(rule, direction, kind)
    assert list(counted([found, LeftOpen((rule,), accepts=True)], Tally())) == [found]
