import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.campaign.proof import evolution_trial as trials
from conformance.campaign.proof.evolution_trial import Trial, trial_of
from conformance.generate.definitions.evolved import Evolved
from tests.helpers.definitions import Properties, field, message, tagged
from tests.reference.evolution.definitions import parsed

COUNT = 150


def tried(old: Properties, new: Properties) -> Trial:
    trial = Trial()
    trial.try_change("sample", Evolved(parsed(old), parsed(new)))
    return trial


def test_nothing_that_is_called_compatible_is_misread() -> None:
    """`make prove-evolution` tries 20,000 changes."""
    trial = trial_of(range(COUNT))
    assert trial.misread == []
    assert trial.changes == COUNT
    assert trial.compatible > COUNT / 2
    assert trial.incompatible > COUNT / 2


def test_overlooked_change_is_found(monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion) -> None:
    """As the default of an integer that grew once was overlooked."""
    monkeypatch.setattr(trials, "changes", lambda *_: ())
    trial = tried(message(tagged(default="5")), message(tagged(default="6")))
    assert trial.misread[1] == snapshot


def test_versions_are_counted_by_verdict_and_witness() -> None:
    trial = tried(message(field(versions="1+")), message(field(versions="1+", type="int64", name="Other")))
    assert (trial.compatible, trial.incompatible, trial.unwitnessed) == (1, 2, {})


def test_rule_without_a_witness_is_counted() -> None:
    trial = tried(message(field()), message(field(default="5")))
    assert trial.unwitnessed == {("evolution.default",): 3}


def test_trials_add_up() -> None:
    whole, parts = trial_of(range(4)), Trial()
    for part in (range(2), range(2, 4)):
        parts.add(trial_of(part))
    assert parts == whole
