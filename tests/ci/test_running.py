"""Runs of steps: up to the first failed one at a change, all of them at night."""

import pytest

from tests.ci.running import measured_steps, plan, run_steps
from tests.ci.steps import Step, steps_of


def step(command: str) -> Step:
    return Step(command, "change", "tests", command)


STEPS = [step("true"), step("exit 3"), step("echo later")]


def test_a_change_stops_at_its_first_failed_step(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_steps(STEPS, go_on=False) == ["exit 3"]
    assert capfd.readouterr().out == "\n== true\n\n== exit 3\n"


def test_the_night_goes_on_after_a_failed_step(capfd: pytest.CaptureFixture[str]) -> None:
    assert run_steps(STEPS, go_on=True) == ["exit 3"]
    assert capfd.readouterr().out.endswith("\n== echo later\nlater\n")


def test_steps_run_in_ci_without_an_input() -> None:
    strict = step('test "$CI" = true && ! read -r line')
    assert run_steps([strict], go_on=False) == []


def test_a_plan_ends_with_the_sum_of_its_steps() -> None:
    taken = f"{measured_steps()['site'].cpu:7.1f} CPU s  "
    [site] = steps_of("change", "site")
    assert list(plan([site])) == [f"{taken}{site.command}", f"{taken}1 steps"]
