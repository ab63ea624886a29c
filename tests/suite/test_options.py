"""Each option by each of the ways in which it is read."""

import re
from typing import Any

import pytest
from click.testing import CliRunner

from conformance.commands.broker import broker
from conformance.commands.run import options_from, run
from conformance.suite.options import CODECS, OPTIONS, PYTEST, SERVERS, Option, RunOptions
from conformance.suite.run_options import add_options, of_pytest
from tests.helpers.runs import suite


def sample(option: Option) -> Any:
    """Return a value other than the default."""
    text = option.choices[-1] if option.choices else "7" if option.kind is not str else "some text"
    value = True if option.is_flag else option.read(text)
    return (value,) if option.is_repeatable else value


def every(*kinds: str) -> pytest.MarkDecorator:
    chosen = [each for each in OPTIONS.values() if each.of in kinds]
    return pytest.mark.parametrize("option", chosen, ids=[each.name for each in chosen])


@every("", CODECS)
def test_words_of_an_option_are_read_again_by_the_command(option: Option) -> None:
    options = RunOptions.of({option.name: sample(option)})
    assert options.given == [option]
    assert options_from(options.words()) == (options, ())


@every("", CODECS, SERVERS)
def test_words_of_an_option_are_read_again_by_pytest(option: Option) -> None:
    options = RunOptions.of({option.name: sample(option)})
    parser = pytest.Parser(_ispytest=True)
    add_options(parser)
    assert of_pytest(parser.parse_known_args(options.words())) == options


@every("", SERVERS)
def test_help_of_broker_has_the_options_of_servers(option: Option) -> None:
    listed = CliRunner().invoke(broker, ["--help"]).output
    assert f"  {option.flag} " in listed or option.name == "broker"


def test_words_of_pytest_are_left_to_pytest() -> None:
    """A short option of pytest may contain the letter of another one."""
    words = ("-khot", "-pno:cacheprovider", "-rxX", "-n2", "-m", "not hypothesis", "--durations", "3", "a/place.py")
    assert options_from([*words, "--smoke"]) == (RunOptions(smoke=True), words)


def test_words_after_two_dashes_are_left_to_pytest() -> None:
    assert options_from(["--smoke", "--", "--report", "x"]) == (RunOptions(smoke=True), ("--report", "x"))


def test_short_option_for_the_help_is_known() -> None:
    assert "--messages" in CliRunner().invoke(run, ["-h"]).output


WRONG = {
    "no number": ("time_limit", "nan", "'nan': Expected `float` > 0.0"),
    "infinite": ("time_limit", "inf", "'inf': Expected `float` <= 1000000000.0"),
    "negative": ("rate", "-1", "'-1': Expected `float` >= 0.0"),
    "nothing": ("deadline", "0", "'0': Expected `float` > 0.0"),
    "half": ("memory_limit", "0.5", "'0.5': Expected `int`, got `str`"),
    "many digits": ("memory_limit", "9" * 5_000, f"'{'9' * 39}…: Integer value out of range"),
    "no choice": ("depth", "deep", "'deep' is none of quick, full, nightly"),
}


@pytest.mark.parametrize(("name", "text", "problem"), WRONG.values(), ids=WRONG)
def test_a_wrong_value_is_refused(name: str, text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        OPTIONS[name].read(text)


def test_help_of_pytest_lists_the_options() -> None:
    listed = suite("--help").ended(0)
    assert [each.flag for each in OPTIONS.values() if each.of != PYTEST and f"  {each.flag}" not in listed] == []
