"""The completion of commands in a shell."""

import shutil

import pytest
from click.shell_completion import BashComplete

from conformance.commands.completion import PROGRAM, SHELLS, VARIABLE
from conformance.commands.main import main
from tests.helpers.runs import invoke


def completed(*words: str, begun: str) -> set[str]:
    shell = BashComplete(main, {}, PROGRAM, VARIABLE)
    return {item.value for item in shell.get_completions(list(words), begun)}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_is_printed_for_each_shell(shell: str) -> None:
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    assert VARIABLE in invoke("completion", shell).output


def test_commands_are_completed() -> None:
    assert completed(begun="ru") == {"rules", "run"}


def test_options_of_run_are_completed_though_they_are_those_of_pytest() -> None:
    assert completed("run", begun="--m") == {"--memory-limit", "--messages"}


def test_options_of_broker_are_completed() -> None:
    assert {"--send", "--sasl", "--start"} <= completed("broker", begun="--s")


def test_values_of_options_are_completed() -> None:
    assert completed("run", "--depth", begun="n") == {"nightly"}


def test_given_option_is_not_completed_again() -> None:
    assert completed("run", "--smoke", begun="--sm") == set()


def test_a_repeatable_option_is() -> None:
    assert completed("run", "--messages", "Fetch*", begun="--mes") == {"--messages"}
