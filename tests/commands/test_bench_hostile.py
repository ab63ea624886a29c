from click.testing import CliRunner

from conformance.commands.main import main
from tests.helpers.runs import invoke

PAIRS = "--messages=HeartbeatResponse-v0,ApiVersionsRequest-v3"


def hostile(*arguments: str) -> tuple[int, str]:
    done = invoke("bench", "hostile", PAIRS, *arguments)
    return done.exit_code, done.output


def test_every_case_is_counted_by_its_outcome() -> None:
    status, printed = hostile("--impl", "tests.fakes.faulty_codecs:Honest")
    assert status == 0, printed
    assert "266 hostile cases in " in printed
    assert "0 deaths of the child, 0 cases not run" in printed
    assert "over the 266 of messages in which no child died" in printed
    assert "0 violations" in printed


def test_deaths_are_counted() -> None:
    status, printed = hostile("--impl", "tests.fakes.faulty_codecs:AbortsOnNothing")
    assert status == 0, printed
    assert "2 deaths of the child" in printed
    assert "over the 0 of messages" in printed


def test_missing_adapter_is_a_clear_error() -> None:
    status, printed = hostile("--impl", "no.such.adapter")
    assert status == 1
    assert "no.such.adapter" in printed


def test_no_cases_are_an_error() -> None:
    done = CliRunner().invoke(
        main, ["bench", "hostile", "--impl", "tests.fakes.faulty_codecs:Honest", "--messages=FetchRequest"]
    )
    assert done.exit_code == 1
    assert "reads none of the chosen messages" in done.output
