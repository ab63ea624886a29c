"""The workflows run the steps of CI, with actions pinned by hash."""

import re
import subprocess
import sys

import pytest

from tests.ci.steps import ROOT, steps_of

SINCE_BASE = '.ci/run change ${BASE:+--since "$BASE"}'
BASE_COMMIT = "${{ github.event.pull_request.base.sha }}"
IF_NEEDED = "if: needs.needed.outputs.test == 'True'"
NIGHTLY_OF_GROUP = "- run: .ci/run nightly ${{ matrix.group }}\n"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEXTS = {file.name: file.read_text(encoding="utf-8") for file in WORKFLOWS}


@pytest.mark.parametrize("name", TEXTS)
def test_each_action_is_pinned_by_a_hash_with_its_tag(name: str) -> None:
    used = re.findall(r"uses: (.*)", TEXTS[name])
    assert used
    assert [each for each in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each)] == []


def test_an_action_has_one_hash_in_all_workflows() -> None:
    pins = {tuple(pin.split("@")) for text in TEXTS.values() for pin in re.findall(r"uses: (\S+)", text)}
    assert len({action for action, _ in pins}) == len(pins)


def test_pull_requests_run_the_steps_of_changes_since_their_base() -> None:
    """The step guards a branch on the server as `.ci/run` does here."""
    [steps] = re.findall(r"- run: (\.ci/run .*)\n +env:\n +BASE: (.*)", TEXTS["ci.yml"])
    assert steps == (SINCE_BASE, BASE_COMMIT)
    assert "fetch-depth: 0" in TEXTS["ci.yml"]


def test_a_workflow_asks_for_a_step_before_anything_is_installed() -> None:
    """`-I` and `-S` leave out what is installed."""
    asked = "import sys; sys.path.insert(0, '.'); from tests.ci.steps import is_needed; print(is_needed('test', ''))"
    done = subprocess.run([sys.executable, "-ISc", asked], cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    assert done.stdout == "True\n"
    assert TEXTS["ci.yml"].count(IF_NEEDED) == TEXTS["ci.yml"].count("needs: needed")


def test_the_night_has_a_job_for_each_group() -> None:
    groups = re.search(r"group: \[(.*)\]", TEXTS["nightly.yml"])
    assert groups is not None
    assert set(groups[1].split(", ")) == {step.group for step in steps_of("nightly")}
    assert NIGHTLY_OF_GROUP in TEXTS["nightly.yml"]


@pytest.mark.parametrize("name", TEXTS)
def test_workflows_run_existing_targets_of_make(name: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    used = set(re.findall(r"\bmake ([a-z-]+)", TEXTS[name]))
    assert used
    assert used <= targets
