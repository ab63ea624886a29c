import re

from syrupy.assertion import SnapshotAssertion

from tests.helpers.runs import error_of, invoke

PAIRS = "--messages=HeartbeatResponse-v0,ApiVersionsRequest-v3"


TIME = re.compile(r"\b\d[\d.,]*(?= s\b| .?s a case| cases/s)")


def hostile(*arguments: str) -> tuple[int, str]:
    done = invoke("bench", "hostile", PAIRS, *arguments)
    return done.exit_code, done.output


def test_every_case_is_counted_by_its_outcome(snapshot: SnapshotAssertion) -> None:
    status, printed = hostile("--impl", "tests.fakes.faulty_codecs:Honest")
    assert status == 0, printed
    assert TIME.sub("…", printed) == snapshot


def test_deaths_are_counted() -> None:
    status, printed = hostile("--impl", "tests.fakes.faulty_codecs:AbortsOnNothing")
    assert status == 0, printed
    assert "; 2 deaths of" in printed
    assert "over the 0 of" in printed


def test_missing_adapter_is_a_clear_error() -> None:
    status, printed = hostile("--impl", "no.such.adapter")
    assert status == 1
    assert "no.such.adapter" in printed


def test_no_cases_are_an_error(snapshot: SnapshotAssertion) -> None:
    done = invoke("bench", "hostile", "--impl", "tests.fakes.faulty_codecs:Honest", "--messages=FetchRequest")
    assert error_of(done, 1) == snapshot
