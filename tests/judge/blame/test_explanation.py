"""Mistakes of bodies, made in wire types alone, in frames and in stored messages: each is named there, too."""

from __future__ import annotations

import pytest

from conformance.codec.python_codec import PythonCodec
from conformance.judge.case import Violation
from conformance.judge.engine import run
from conformance.judge.findings.causes import Cause, causes_of
from conformance.judge.findings.finding import Findings
from conformance.judge.subject import WAYS
from reference import load_release
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of
from tests.mutants.around import KINDS
from tests.mutants.targets import Trial, trials


def trial_of(*key: str) -> Trial:
    return next(each for each in trials() if each.key == key)


def causes_by(trial: Trial) -> list[Cause]:
    kind, release = KINDS[trial.place.kind], load_release(BASE)
    session, findings = session_of(PythonCodec(trial.codec.adapter(trial.mutant.name)), release), Findings()
    for subject in trial.subjects:
        for event in run(session, kind.checks(session, subject)):
            if isinstance(event, Violation):
                findings.add(event)
    return causes_of(findings.ordered(), WAYS)


@pytest.mark.parametrize(
    ("kind", "place", "mutant"),
    [
        ("wire types", "string/length", "int32-length-for-legacy-string"),
        ("wire types", "compact-array-of-string/count", "int32-count-for-compact-array"),
        ("wire types", "compact-nullable-string/length", "compact-length-without-plus-one"),
        ("wire types", "nullable-bytes/length", "compact-length-for-legacy-bytes"),
        ("wire types", "compact-string/length", "empty-string-left-out"),
        ("wire types", "int16/number", "low-error-codes-refused"),
        ("stored", "body", "int32-length-for-compact-bytes"),
        ("stored", "body", "empty-string-not-read"),
        ("stored", "body", "unknown-tags-of-nested-structs-not-skipped"),
        ("frames", "body", "int16-length-for-compact-string"),
        ("frames", "body", "struct-marker-as-int16"),
        ("frames", "body", "tag-zero-refused"),
    ],
)
def test_first_cause_has_the_rule_of_the_mistake(kind: str, place: str, mutant: str) -> None:
    trial = trial_of(kind, place, mutant)
    assert causes_by(trial)[0].finding.rule == trial.mutant.rule


def test_a_changed_text_among_many_is_not_taken_for_a_long_one() -> None:
    trial = trial_of("wire types", "array-of-string/element", "text-read-crlf-as-lf")
    assert causes_by(trial)[0].finding.rule == "string.utf8"


def test_all_that_a_wrong_length_of_a_wire_type_shows_is_one_cause() -> None:
    """Bytes, values, nulls and truncated input follow from the codec with that mistake."""
    assert len(causes_by(trial_of("wire types", "nullable-bytes/length", "compact-length-for-legacy-bytes"))) == 1


@pytest.mark.parametrize(
    ("kind", "place", "mutant"),
    [
        ("frames", "body", "uuid-mixed-endian"),
        ("frames", "client-id", "compact-length-for-legacy-string"),
        ("stored", "body", "int32-length-for-compact-bytes"),
    ],
)
def test_both_directions_of_a_mistake_around_a_body_follow_by_one_codec(kind: str, place: str, mutant: str) -> None:
    [cause] = causes_by(trial_of(kind, place, mutant))
    assert cause.followers
    assert all("and nothing else, does the same" in each.why for each in cause.followers)


def test_misread_bytes_of_another_version_are_explained_by_that_version() -> None:
    """A record of version 2, read where version 1 is tried, lacks the default of a field that version 1 has not."""
    assert len(causes_by(trial_of("stored", "body", "default-not-restored"))) == 1
