from hashlib import sha256

import pytest

from tests.helpers.sweeps import swept_one
from tests.mutants.around import KINDS
from tests.mutants.targets import ACCUSED, Trial, committed, trials

SAMPLE = 6


def drawn() -> list[Trial]:
    """Return as many trials, others each day."""
    ordered = sorted(trials(), key=lambda trial: sha256("/".join(trial.key).encode()).digest())
    return [trial for at in range(SAMPLE) for trial in swept_one(ordered[at::SAMPLE])]


def test_table_has_trials_alone() -> None:
    keys = [trial.key for trial in trials()]
    assert len(set(keys)) == len(keys)
    assert {*committed()} <= {*keys}


def test_every_kind_of_target_is_tried() -> None:
    assert {trial.place.kind for trial in trials()} == {*KINDS}


def test_no_legal_codec_is_accused() -> None:
    assert ACCUSED not in committed().values()


@pytest.mark.parametrize("trial", drawn(), ids=lambda trial: "-".join(trial.key))
def test_survivors_are_in_the_table(trial: Trial) -> None:
    """`python -m tests.mutants.targets` writes it anew."""
    assert committed().get(trial.key, "") == trial.survives()
