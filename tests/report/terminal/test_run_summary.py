from collections.abc import Iterable
from dataclasses import replace

import pytest

from conformance.definitions.catalogue import catalogue
from conformance.judge.case import Violation
from conformance.judge.events import OWN_VALUE, REFUSAL, REJECTION, Answered, Expectation, Shown, these_bytes
from conformance.judge.findings.known_failures import KnownFailure
from conformance.judge.findings.results import Results
from conformance.report.terminal.finding_texts import cut, rule_lines
from conformance.report.terminal.run_summary import KNOWN, NEW, RunSummary, one_line, rows, verdict_line
from tests.helpers.cases import read_violation, violation
from tests.helpers.ratchet_runs import results_from
from tests.helpers.releases import BASE

ENTRY = KnownFailure("null.not-written", ("FetchRequest",), "bytes", "arrays are written as null")
OTHER_ENTRY = replace(ENTRY, messages=("VoteRequest",), reason="so are those of votes")
NULL = violation("null.not-written", "FetchRequest")
NULL_IN_VOTES = violation("null.not-written", "VoteRequest")
SHOULD = replace(NULL, rule="array.map-key-order")
CONSEQUENCE = replace(NULL, rule="codec.round-trip")


def results_of(violations: Iterable[Violation], *entries: KnownFailure) -> Results:
    results = results_from(entries, [violations])
    results.tally.case("edge values", 9)
    return results


def printed(results: Results, *, width: int = 80, color: bool = False, verbose: bool = False) -> str:
    summary = RunSummary(impl="my.adapter", options=[], width=width, color=color, verbose=verbose)
    return summary.render(results, f"mine 1 against Kafka {BASE}", [], [])


def test_new_findings_come_first_then_the_most_severe() -> None:
    """A must rule stands above a should rule."""
    results = results_of([SHOULD, CONSEQUENCE, NULL_IN_VOTES, NULL], OTHER_ENTRY)
    assert [(row.status, row.finding.rule) for row in rows(results)] == [
        (NEW, "null.not-written"),
        (NEW, "codec.round-trip"),
        (NEW, "array.map-key-order"),
        (KNOWN, "null.not-written"),
    ]


def test_entries_with_one_rule_and_outcome_are_one_row() -> None:
    results = results_of([NULL, NULL_IN_VOTES], ENTRY, OTHER_ENTRY)
    [row] = rows(results)
    assert (row.finding.count, row.finding.pairs) == (2, frozenset({"FetchRequest-v0", "VoteRequest-v0"}))
    assert verdict_line(results) == ("PASSED: no new findings, 2 known failures; 9 cases", "bold green")


def test_a_row_leaves_the_findings_as_they_are() -> None:
    results = results_of([NULL, NULL_IN_VOTES], ENTRY, OTHER_ENTRY)
    rows(results)
    assert [finding.count for _, finding in results.seen()] == [1, 1]


def test_a_new_finding_is_shown_in_full() -> None:
    text = printed(results_of([NULL]))
    assert "1. null.not-written (must), outcome bytes: 1 case in 1 message version" in text
    assert "expected  refused" in text
    assert "kafka-conformance replay --impl my.adapter --message FetchRequest --version 0" in text


def test_finding_names_its_fields_and_its_cluster() -> None:
    """The most frequent fields come first, and the text has no values."""
    texts = ("ValueError: 7 is bad", "ValueError: 8 is bad", "KeyError")
    paths = ("Topics[0].Name", "Topics[1].Name", "Rack")
    text = printed(results_of(refused(*facts) for facts in zip(texts, paths, strict=True)))
    assert "    cluster: ValueError: * is bad\n    fields: Topics[].Name 2\n" in text
    assert "    cluster: KeyError\n    fields: Rack 1\n" in text


def refused(text: str, path: str) -> Violation:
    return violation("null.not-written", "FetchRequest", observation=Answered("rejected", explanation=text), path=path)


def test_each_cluster_of_an_item_keeps_its_example() -> None:
    """A frequent text does not hide another one."""
    met = [refused(f"ValueError: {number} is bad", "Code") for number in range(9)]
    rare = refused("ValueError: negative timestamp", "At")
    found = [cause.finding for cause in results_of([*met, rare]).causes]
    assert [(finding.count, finding.example.observation) for finding in found] == [
        (9, met[0].observation),
        (1, rare.observation),
    ]


def test_consequence_is_shown_below_its_cause() -> None:
    """It is in the table and in full, with the reason, and the headline counts causes."""
    wrong = violation("int.width-and-order", "FetchRequest", path="Count", expectation=these_bytes(b"\0"))
    follows = violation("codec.round-trip", "FetchRequest", path="Count", expectation=OWN_VALUE)
    text = printed(results_of([wrong, follows, NULL_IN_VOTES]), width=120)
    assert "2 new causes (3 findings), worst first" in text
    assert "new int.width-and-order bytes       1        1 FetchRequest v0\nnew   codec.round-trip  bytes" in text
    assert "follows: codec.round-trip (must), outcome bytes: 1 case in 1 message version; read back" in text


def test_known_failure_is_shown_in_full_only_with_v() -> None:
    results = results_of([NULL], ENTRY)
    assert "arrays are written as null" not in printed(results)
    assert "-v shows each known failure" in printed(results)
    assert "reason: arrays are written as null" in printed(results, verbose=True)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    name = "a case with a name of many words that goes on and on"
    read = Answered("value", value=Shown.of("value " * 60))
    lengthy = violation("null.not-written", "FetchRequest", observation=read, name=name)
    text = printed(results_of([lengthy, SHOULD]), width=width, verbose=True)
    lines = [line for line in text.splitlines() if "kafka-conformance" not in line]
    assert max(map(len, lines)) <= width


def test_a_narrow_terminal_has_no_column_of_places() -> None:
    text = printed(results_of([NULL], ENTRY), width=50)
    assert "smallest case" not in text
    assert "known null.not-written bytes       1        1\n" in text


def test_control_character_is_printed_as_an_escape() -> None:
    text = printed(
        results_of([replace(NULL, observation=Answered("rejected", explanation="Error: \x1b[2J\u202egone\x07"))])
    )
    assert r"actual    rejected: Error: \x1b[2J\u202egone\x07" in text
    assert all(character.isprintable() or character == "\n" for character in text)


def test_errors_of_the_suite_are_printed_with_escapes_too() -> None:
    results = results_of([NULL])
    results.errors.append(("an item", "Traceback\n  ValueError: \x1b[31m"))
    text = printed(results)
    assert "  ValueError: \\x1b[31m\n" in text
    assert verdict_line(results)[0].startswith("FAILED: 1 item ended in errors: what they would have found is unknown;")


def test_colours_are_used_only_where_the_terminal_has_them() -> None:
    results = results_of([NULL])
    assert "\x1b[" in printed(results, color=True)
    assert "\x1b" not in printed(results)


def test_last_line_has_the_failure_and_the_number_of_cases() -> None:
    line = "FAILED: 1 new cause (1 finding), 1 known failure; 9 cases in 61 s"
    assert verdict_line(results_of([NULL, NULL_IN_VOTES], OTHER_ENTRY), seconds=61.3) == (line, "bold red")


def test_last_line_names_a_failure_beside_findings() -> None:
    assert (
        verdict_line(results_of([]), why="1 entry is stale")[0] == "FAILED: 1 entry is stale; no new findings; 9 cases"
    )


def test_the_last_line_begins_with_another_word_where_the_run_came_to_no_end() -> None:
    assert verdict_line(results_of([]), word="INTERRUPTED")[0] == "INTERRUPTED: no new findings; 9 cases"


def test_a_quiet_run_is_one_line_with_the_verdict_and_the_findings() -> None:
    line = one_line(results_of([NULL, NULL_IN_VOTES], OTHER_ENTRY), f"mine 1 against Kafka {BASE}", [], 61.3)
    assert line == (
        f"FAILED: mine 1 against Kafka {BASE}: 1 new cause (1 finding), 1 known failure: null.not-written (bytes); "
        "9 cases in 61 s"
    )


def test_a_quiet_run_names_three_causes_and_counts_the_others() -> None:
    remarks = [(f"entry {number} is stale", "") for number in range(5)]
    line = one_line(results_of([]), "mine", remarks, 1)
    assert line == (
        "PASSED: mine: no new findings; entry 0 is stale; entry 1 is stale; entry 2 is stale; and 2 more; "
        "9 cases in 1 s"
    )


def test_representations_and_notes_are_shown_and_are_no_findings() -> None:
    """Each has a line, up to ten, and the rest is in the report."""
    notes = [("note", f"class {number} is not tested") for number in range(10)]
    text = printed(Results((), read_violation, [("representation", "zero-uuid-as-null"), *notes]))
    assert "representation: zero-uuid-as-null\nnote: class 0 is not tested\n" in text
    assert "note: class 9" not in text
    assert "note: 1 more notes are in the report" in text


@pytest.mark.parametrize(
    ("direction", "expectation", "begins"),
    [
        ("encode", REFUSAL, "A writer refuses a string"),
        ("decode", REJECTION, "A reader rejects a string"),
        ("frame", REJECTION, "A reader rejects a string"),
        ("frame", REFUSAL, "A writer refuses a string"),
    ],
)
def test_rule_is_worded_for_the_side_at_fault(direction: str, expectation: Expectation, begins: str) -> None:
    """For a frame, the expectation decides between reader and writer."""
    broken = violation("string.too-long", "FetchRequest", 12, direction=direction, expectation=expectation)
    assert rule_lines(broken)[0].startswith(begins)


def test_finding_has_the_command_for_an_example_of_its_rule() -> None:
    rule = catalogue()["tag.size"]
    assert rule_lines(violation("tag.size", "FetchRequest", 12)) == [
        rule.text,
        f"source: {', '.join(rule.sources)}",
        "example: kafka-conformance rules tag.size",
    ]


def test_twice_cut_text_keeps_the_length_of_the_whole() -> None:
    assert cut(f"{'0' * 2_000}... (65550 characters)", 40) == f"{'0' * 40}... (65550 characters)"
