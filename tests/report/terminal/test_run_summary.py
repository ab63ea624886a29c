from collections.abc import Iterable
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.definitions.catalogue import catalogue
from conformance.judge.case import Judged, Violation
from conformance.judge.count_lines import Unclassified
from conformance.judge.events import OWN_VALUE, REFUSAL, REJECTION, Answered, Expectation, Shown, these_bytes
from conformance.judge.findings.extent import Completeness, Extent
from conformance.judge.findings.known_failures import KnownFailure
from conformance.judge.findings.lines import Remark
from conformance.judge.findings.results import Results
from conformance.judge.findings.wording import worded
from conformance.report.terminal.run_summary import TerminalForm, one_line, run_summary
from conformance.report.words import FAILED, INTERRUPTED, PASSED, UPDATED, rule_lines, shortened, verdict_of
from tests.helpers.cases import read_violation, violation
from tests.helpers.ratchet_runs import reported, results_from

ENTRY = KnownFailure("null.not-written", ("FetchRequest",), "bytes", "arrays are written as null")
OTHER_ENTRY = replace(ENTRY, messages=("VoteRequest",), reason="so are those of votes")
NULL = violation("null.not-written", "FetchRequest")
NULL_IN_VOTES = violation("null.not-written", "VoteRequest")
SHOULD = replace(NULL, rule="array.map-key-order")
WRONG = violation("int.width-and-order", "FetchRequest", path="Count", expectation=these_bytes(b"\0"))
READ_BACK = violation("codec.round-trip", "FetchRequest", path="Count", expectation=OWN_VALUE)


def results_of(violations: Iterable[Violation], *entries: KnownFailure) -> Results:
    results = results_from(entries, [violations])
    results.tally.take(Judged("edge values", 9))
    return results


def printed(results: Results, *, width: int = 80, color: bool = False, verbose: bool = False) -> str:
    return run_summary(reported(results), TerminalForm(width, color=color, verbose=verbose))


def everything() -> Results:
    """Return a result with a cause and its consequence, a should rule, a known failure and a note."""
    results = results_of([WRONG, READ_BACK, SHOULD, NULL_IN_VOTES], OTHER_ENTRY)
    results.declared = (("representation", "zero-uuid-as-null"), ("note", "only version 12 is tested"))
    results.tally.take(Unclassified("AttributeError", 4))
    return results


@pytest.mark.parametrize("form", ["short", "verbose", "narrow"])
def test_summary_of_a_run(form: str, snapshot: SnapshotAssertion) -> None:
    assert printed(everything(), verbose=form == "verbose", width=50 if form == "narrow" else 80) == snapshot


def test_verdict_and_single_line_of_a_run(snapshot: SnapshotAssertion) -> None:
    report = reported(everything(), remarks=[Remark("an entry is stale", is_fault=True)])
    assert [str(verdict_of(report, seconds=61.3)), one_line(report, seconds=61.3)] == snapshot


def test_new_causes_come_first_then_the_most_severe() -> None:
    """A must rule stands above a should rule."""
    report = reported(results_of([SHOULD, NULL_IN_VOTES, NULL], OTHER_ENTRY))
    assert [(cause.is_known, cause.finding.rule) for cause in report.all_causes] == [
        (False, "null.not-written"),
        (False, "array.map-key-order"),
        (True, "null.not-written"),
    ]


def test_entries_with_one_rule_and_outcome_are_one_finding() -> None:
    report = reported(results_of([NULL, NULL_IN_VOTES], ENTRY, OTHER_ENTRY))
    [cause] = report.known_causes
    assert (cause.finding.count, cause.finding.pairs) == (2, ["FetchRequest-v0", "VoteRequest-v0"])
    assert [finding.count for finding in report.known] == [1, 1]


def test_known_failure_has_its_cause() -> None:
    entries = [KnownFailure(each.rule, ("*",), "bytes", "because") for each in (WRONG, READ_BACK)]
    [cause] = reported(results_of([WRONG, READ_BACK], *entries)).known_causes
    assert [finding.rule for finding in cause.findings] == ["int.width-and-order", "codec.round-trip"]


def refused(text: str, path: str) -> Violation:
    return violation("null.not-written", "FetchRequest", observation=Answered("rejected", explanation=text), path=path)


def test_each_cluster_of_an_item_keeps_its_example() -> None:
    """A frequent text does not hide another one."""
    met = [refused(f"ValueError: {number} is bad", "Code") for number in range(9)]
    rare = refused("ValueError: negative timestamp", "At")
    found = [cause.finding for cause in reported(results_of([*met, rare])).causes]
    assert [(finding.count, finding.example.observation) for finding in found] == [
        (9, met[0].observation),
        (1, rare.observation),
    ]


def test_known_failure_is_shown_in_full_only_with_v() -> None:
    results = results_of([NULL], ENTRY)
    assert ENTRY.reason not in printed(results)
    assert ENTRY.reason in printed(results, verbose=True)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """A command and an outcome stay whole, to be copied."""
    name = "a case with a name of many words that goes on and on"
    lengthy = violation(
        "null.not-written", "FetchRequest", observation=Answered("value", value=Shown.of("1")), name=name
    )
    text = printed(results_of([lengthy, SHOULD]), width=width, verbose=True)
    lines = [line for line in text.splitlines() if "kafka-conformance" not in line]
    assert max(map(len, lines)) <= width


def test_control_character_is_printed_as_an_escape() -> None:
    refusal = Answered("rejected", explanation="Error: \x1b[2J\u202egone\x07")
    text = printed(results_of([replace(NULL, observation=refusal)]))
    assert r"\x1b[2J\u202egone\x07" in text
    assert all(character.isprintable() or character == "\n" for character in text)


def test_errors_of_the_suite_are_printed_with_escapes_and_fail_the_run() -> None:
    results = results_of([NULL])
    results.errors.append(("an item", "Traceback\n  ValueError: \x1b[31m"))
    assert "  ValueError: \\x1b[31m\n" in printed(results)
    assert verdict_of(reported(results)).word == FAILED


def test_colours_are_used_only_where_the_terminal_has_them() -> None:
    results = results_of([NULL])
    assert "\x1b[" in printed(results, color=True)
    assert "\x1b" not in printed(results)


@pytest.mark.parametrize(
    ("violations", "why", "word"),
    [([], "", PASSED), ([NULL_IN_VOTES], "", PASSED), ([NULL], "", FAILED), ([], "x", FAILED)],
)
def test_a_run_fails_for_new_findings_and_other_reasons(violations: list[Violation], why: str, word: str) -> None:
    verdict = verdict_of(reported(results_of(violations, OTHER_ENTRY)), why=why)
    assert (verdict.word, verdict.passes) == (word, word == PASSED)


def test_a_fault_of_known_failures_fails_a_run() -> None:
    assert not verdict_of(reported(results_of([]), remarks=[Remark("stale", is_fault=True)])).passes
    assert verdict_of(reported(results_of([]), remarks=[Remark("up to date")])).passes


@pytest.mark.parametrize(
    ("state", "word"),
    [(Completeness.STOPPED, FAILED), (Completeness.INTERRUPTED, INTERRUPTED), (Completeness.SELECTION, FAILED)],
)
def test_a_report_has_the_word_of_its_run(state: Completeness, word: str) -> None:
    """A run that ends at its first finding has failed."""
    assert verdict_of(reported(results_of([NULL]), extent=Extent(state))).word == word


@pytest.mark.parametrize("word", [INTERRUPTED, UPDATED])
def test_verdict_begins_with_the_word_of_the_caller(word: str) -> None:
    assert str(verdict_of(reported(results_of([NULL])), word)).startswith(f"{word}: ")


def test_a_quiet_run_names_two_remarks_and_counts_the_others() -> None:
    remarks = [Remark(f"entry {number}") for number in range(5)]
    line = one_line(reported(results_of([]), remarks=remarks))
    assert line.endswith("entry 0, entry 1, and 3 more")


def test_three_notes_are_shown_and_the_rest_is_counted() -> None:
    notes = [("note", f"class {number}") for number in range(10)]
    text = printed(Results((), read_violation, notes))
    assert text.count("note: class") == 3
    assert "7 more notes" in text


@pytest.mark.parametrize(
    ("direction", "expectation", "begins"),
    [
        ("encode", REFUSAL, "A writer refuses"),
        ("decode", REJECTION, "A reader rejects"),
        ("frame", REJECTION, "A reader rejects"),
        ("frame", REFUSAL, "A writer refuses"),
    ],
)
def test_rule_is_worded_for_the_side_at_fault(direction: str, expectation: Expectation, begins: str) -> None:
    """For a frame, the expectation decides between reader and writer."""
    broken = violation("string.too-long", "FetchRequest", 12, direction=direction, expectation=expectation)
    assert rule_lines(worded(broken.event()))[0].startswith(begins)


def test_finding_has_the_text_the_sources_and_the_command_of_its_rule() -> None:
    rule = catalogue()["tag.size"]
    text, sources = rule_lines(worded(violation("tag.size", "FetchRequest", 12).event()))
    assert text == rule.text
    assert all(source in sources for source in rule.sources)
    assert sources.endswith(f"kafka-conformance rules {rule.id}")


def test_twice_cut_text_keeps_the_length_of_the_whole() -> None:
    assert shortened(f"{'0' * 2_000}... (65550 characters)", 40) == f"{'0' * 40}... (65,550 characters)"
