"""Sound answers of every shape, and the search for places refused by a client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.live.client.answer_trials import TrialRunner
from conformance.live.client.client_process import ClientRun
from conformance.live.client.sound_answers import BUSY, LATE, MANY, MOST, UNTRIED, check_sound_answers, error_answers
from conformance.live.client.trial import AskedPair, Baseline, ClientSubject, TrialRun
from conformance.live.client.variations import KINDS, ChangedField, culprits, pieces_of
from tests.live.client.commands import DEFINITIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

METADATA = AskedPair("Metadata", 3, 9)
PAIRS = METADATA, AskedPair("Fetch", 1, 12)
DESCRIBE = AskedPair("DescribeClientQuotas", 48, 1), AskedPair("DescribeGroups", 15, 6)
PIECES = tuple(ChangedField(METADATA, str(number)) for number in range(16))


class FailsAlways(ClientSubject):
    """A fake client with an error at every answer but a plain one."""

    def __init__(self) -> None:
        super().__init__(["fails"], DEFINITIONS, 1.0)

    def run(self, change: Any = None, memory: int = 0) -> TrialRun:
        return TrialRun(ClientRun(0 if change is None else 1, "no", 0.1, memory), PAIRS, 0.0)


def test_failing_places_are_found_one_by_one() -> None:
    bad = {PIECES[3], PIECES[12]}
    assert set(culprits(PIECES, lambda some: bool(bad & set(some)))) == bad


def test_places_failing_only_together_are_named_by_the_first() -> None:
    together = {PIECES[3], PIECES[12]}
    assert list(culprits(PIECES, lambda some: together <= set(some))) == [PIECES[0]]


def test_unrepeated_failure_has_no_culprit() -> None:
    """It was the load of the machine, as a rule."""
    failures = iter([True])
    assert list(culprits(PIECES, lambda _: next(failures, False))) == []


def test_search_stops_at_its_first_place() -> None:
    """The second half is not tried before its result is asked for."""
    tried: list[Sequence[ChangedField]] = []

    def fails(some: Sequence[ChangedField]) -> bool:
        tried.append(some)
        return True

    assert next(culprits(PIECES, fails)) == PIECES[0]
    assert [len(some) for some in tried] == [16, 8, 4, 2, 1]


def test_client_failing_everywhere_has_a_bounded_number_of_places() -> None:
    client = FailsAlways()
    campaign = TrialRunner(client, Baseline(ClientRun(0, "", 0.1, 0), PAIRS))
    campaign.vary()
    counts = {kind.name: len(pieces_of(DEFINITIONS, kind, PAIRS)) for kind in KINDS}
    assert campaign.cut == {name: MANY for name, count in counts.items() if count >= MOST}
    assert campaign.cut
    found = sum(count for _, count, _ in campaign.results.violations)
    assert found == sum(min(count, MOST) for count in counts.values())


def campaign_without_time() -> TrialRunner:
    client = FailsAlways()
    return TrialRunner(client, Baseline(ClientRun(0, "", 0.1, 0), PAIRS), seconds=0)


def test_kinds_without_time_for_them_are_not_counted() -> None:
    campaign = campaign_without_time()
    campaign.vary()
    categories = [kind.name for kind in KINDS if pieces_of(DEFINITIONS, kind, PAIRS)]
    assert campaign.cut == dict.fromkeys(categories, UNTRIED)
    assert sum(campaign.results.tally.cases.values()) == 0


def test_failing_client_is_reported_without_time_for_the_search() -> None:
    client = FailsAlways()
    times = iter((False, True))
    found = check_sound_answers(client, Baseline(ClientRun(0, "", 0.1, 0), PAIRS), KINDS[1], lambda: next(times))
    assert found == ([], LATE)


class FailsByNow(FailsAlways):
    """A fake client with errors at plain answers, too, as on a busy machine."""

    def run(self, change: Any = None, memory: int = 0) -> TrialRun:
        return super().run(change or METADATA, memory)


def test_search_ends_if_the_client_fails_with_plain_answers_by_now() -> None:
    found = check_sound_answers(FailsByNow(), Baseline(ClientRun(0, "", 0.1, 0), PAIRS), KINDS[1], lambda: False)
    assert found == ([], BUSY)


def test_answers_without_time_for_them_are_reported() -> None:
    campaign = campaign_without_time()
    campaign.run(error_answers(PAIRS), 1)
    assert campaign.untried == [answer.full_name for answer in error_answers(PAIRS)]


def test_long_texts_leave_out_error_messages() -> None:
    texts = next(kind for kind in KINDS if kind.name == "long texts")
    pieces = pieces_of(
        DEFINITIONS, texts, [AskedPair("DescribeClientQuotas", 48, 1), AskedPair("DescribeGroups", 15, 6)]
    )
    assert {piece.path for piece in pieces} == {
        "Entries[].Entity[].EntityName", "Groups[].Members[].GroupInstanceId",
    }  # fmt: skip
