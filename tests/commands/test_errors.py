import pytest

from tests.helpers.runs import invoke

FAILING = {
    "unknown adapter": (("nightly", "--impl", "no.such.module", "--minutes", "1"), "there is no module 'no'"),
    "unknown message": (("bench", "hostile", "--messages", "NoSuchRequest"), "NoSuchRequest"),
    "command that cannot be run": (("bridge", "check", "./no-such-harness"), "./no-such-harness cannot be run"),
}


@pytest.mark.parametrize(("words", "text"), FAILING.values(), ids=FAILING)
def test_an_error_for_users_is_one_message(words: tuple[str, ...], text: str) -> None:
    """The group of all commands prints it, so that no command has to."""
    result = invoke(*words)
    assert result.exit_code == 1, result.output
    assert result.output.startswith("Error: ")
    assert text in result.output
