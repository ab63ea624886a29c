"""Answers to clients, with each fake blamed on its mistake, and the honest one on nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from conformance.codec.bridge.harness_errors import TOO_BUSY
from conformance.judge.count_lines import NotRun
from conformance.judge.findings.wording import actual_text
from conformance.live.client.answer_cases import Observation
from conformance.live.client.answer_trials import TrialRunner
from conformance.live.client.client_process import ClientRun
from conformance.live.client.hostile_answers import HostileAnswer, answer_named, hostile_answers
from conformance.live.client.sound_answers import ErrorAnswer
from conformance.live.client.trial import (
    AskedPair,
    Baseline,
    ClientSubject,
    TrialRun,
    baseline_of,
    observe,
    repeated,
    response_schema,
)
from conformance.targets.outcome import Kind
from reference import judge
from tests.live.client.commands import DEFINITIONS, client

if TYPE_CHECKING:
    from conformance.judge.findings.finding import Finding

METADATA = AskedPair("Metadata", 3, 9)
PAIRS = (AskedPair("Produce", 0, 9), AskedPair("Fetch", 1, 12), METADATA, AskedPair("ApiVersions", 18, 3))
IMPATIENT = 12.0
"""Seconds for what never ends."""

ENDS = (
    ("Aborts", "crashed", "SIGABRT"),
    ("Panics", "crashed", "panic: runtime error: index out of range"),
    ("TakesMemory", "exhausted-memory", "MiB of resident memory"),
)


def cut() -> HostileAnswer:
    """Return a response with an end within the number of brokers."""
    return HostileAnswer(METADATA, "cut", "Brokers", bytes(4))


def findings(name: str, *answers: HostileAnswer | ErrorAnswer, deadline: float | None = None) -> list[Finding]:
    one = client(name)
    campaign = TrialRunner(client(name, deadline) if deadline else one, baseline_of(one), times=1 if deadline else 3)
    campaign.run(answers, 2)
    assert campaign.undelivered == []
    return campaign.results.findings.ordered()


def test_honest_client_is_asked_for_its_versions() -> None:
    baseline = baseline_of(client("Honest"))
    assert baseline.pairs == PAIRS
    assert baseline.run.memory > 2**20


def test_honest_client_is_not_accused_of_failing_at_hostile_answers() -> None:
    assert findings("Honest", *hostile_answers(DEFINITIONS, PAIRS, 6)) == []


@pytest.mark.parametrize(("name", "outcome", "text"), ENDS)
def test_end_by_a_hostile_answer_is_blamed_on_its_rule(name: str, outcome: str, text: str) -> None:
    [found] = findings(name, cut())
    assert (found.rule, found.outcome) == ("input.truncated", outcome)
    assert text in actual_text(found.example.observation)


def test_hanging_client_is_blamed() -> None:
    [found] = findings("Hangs", cut(), deadline=IMPATIENT)
    assert (found.rule, found.outcome) == ("input.truncated", "timed-out")


def test_client_without_a_processor_is_not_judged() -> None:
    run = ClientRun(-9, "", 300.0, 0, is_late=True, limit="300 seconds of the clock", is_starved=True)
    assert observe(client("Honest"), TrialRun(run, (), 300.0)).kind is Kind.NOT_RUN


def test_answer_without_a_processor_for_the_client_is_counted_as_not_run() -> None:
    one = Starved(["starved"], DEFINITIONS, 1.0)
    campaign = TrialRunner(one, Baseline(ClientRun(0, "", 0.1, 0), PAIRS))
    campaign.run([cut()], 1)
    assert list(campaign.results.tally.of(NotRun)) == [("MetadataResponse", TOO_BUSY)]
    assert campaign.results.findings.ordered() == []


class Starved(ClientSubject):
    """A fake client with an answer, and no processor after it."""

    def run(self, change: Any = None, memory: int = 0) -> TrialRun:
        change.is_sent = True
        run = ClientRun(-9, "", 300.0, memory, is_late=True, limit="300 seconds of the clock", is_starved=True)
        return TrialRun(run, PAIRS, 300.0)


def test_slow_client_does_not_hang() -> None:
    client = ClientSubject(["slow"], DEFINITIONS, 30.0)

    def attempt(each: ClientSubject) -> Observation:
        return Observation(Kind.TIMED_OUT if each.deadline < 60 else None, "its own timeout is 30 s")

    assert repeated(client, attempt).kind is None


@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4", "zstd"])
def test_answers_to_fetch_have_streams_of_too_large_a_declared_size(codec: str) -> None:
    names = [answer.name for answer in hostile_answers(DEFINITIONS, PAIRS, 2_000)]
    assert any(name.startswith(f"records/in-{codec}/stream") for name in names)


def test_memory_for_the_declared_size_of_a_stream_is_blamed() -> None:
    answer = answer_named(DEFINITIONS, PAIRS, "FetchResponse-v12/records/in-snappy/stream-raw-declares-4-gib")
    assert answer is not None
    [found] = findings("FollowsSnappy", answer)
    assert (found.rule, found.outcome) == ("codec.declared-size", "crashed")


def test_errors_are_survived() -> None:
    assert findings("Honest", ErrorAnswer(METADATA, 5), ErrorAnswer(METADATA, 12_345)) == []


@pytest.mark.parametrize(
    ("name", "rule", "path"),
    [("RefusesTags", "tag.unknown-accepted", ""), ("RefusesNull", "message.accepted", "ClusterId")],
)
def test_refusal_of_a_sound_answer_is_blamed(name: str, rule: str, path: str) -> None:
    one = client(name)
    campaign = TrialRunner(one, baseline_of(one))
    campaign.vary()
    found = campaign.results.findings.ordered()
    assert {(each.rule, each.outcome) for each in found} == {(rule, "rejected")}
    assert path in {field for each in found for field in each.totals}


def test_honest_client_takes_every_sound_answer() -> None:
    one = client("Honest")
    campaign = TrialRunner(one, baseline_of(one))
    campaign.vary()
    assert campaign.results.findings.ordered() == []


def test_hostile_answers_are_spread_over_pairs_and_ways() -> None:
    answers = hostile_answers(DEFINITIONS, PAIRS, 40)
    assert {pair: sum(answer.pair == pair for answer in answers) for pair in PAIRS} == dict.fromkeys(PAIRS, 10)
    assert len({answer.name.rpartition("/")[2] for answer in answers if answer.pair == METADATA}) >= 8


def test_no_readable_hostile_answer_asks_the_client_to_wait() -> None:
    """An obedient client would look like a hanging one."""
    answers = hostile_answers(DEFINITIONS, [AskedPair("ListGroups", 16, 2), AskedPair("Produce", 0, 9)], 500)
    bodies = [answer for answer in answers if not answer.is_frame]
    read = [judge(response_schema(DEFINITIONS, answer.pair), answer.wire).value or {} for answer in bodies]
    assert sum("ThrottleTimeMs" in value for value in read) > 20
    assert not any(value.get("ThrottleTimeMs") for value in read)


def test_hostile_answer_is_found_by_its_name() -> None:
    [answer] = hostile_answers(DEFINITIONS, [METADATA], 1)
    assert answer_named(DEFINITIONS, PAIRS, answer.full_name) == answer
    assert answer_named(DEFINITIONS, PAIRS, "MetadataResponse-v9/no-such") is None
