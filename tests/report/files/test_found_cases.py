import json
from pathlib import Path
from typing import Any

import pytest

from conformance.codec.python_codec import PythonCodec
from conformance.codec.validation import check_members
from conformance.judge.case import Case, Violation
from conformance.judge.checks.body_bytes import TRAILING_NAME, case_of_bytes, invalid_case
from conformance.judge.checks.special_values import unencodable_case
from conformance.judge.checks.value_cases import value_case
from conformance.judge.events import ACCEPTANCE, Another, Answered, Shown, value_at
from conformance.judge.findings.finding import Findings
from conformance.judge.findings.lines import Run
from conformance.judge.kinds import CodecCase
from conformance.report.files.found_cases import (
    BadFoundCase,
    FoundCase,
    check_found,
    load_found_cases,
    write_found_cases,
)
from conformance.targets import Blame
from reference import MessageSchema, load_release, minimal, newest_release
from tests.fakes.lies import Honest
from tests.helpers.cases import FOUND_CASE
from tests.helpers.runs import LIARS, Finished, kafka_conformance, suite_on
from tests.helpers.sessions import session_of

RELEASE = load_release(newest_release())
HEARTBEAT = RELEASE.schema("HeartbeatResponse", 0)
RUN = Run(suite="0.1.0", kind="codec", impl=f"{LIARS}:Honest", release=RELEASE.name)
READ = Answered("value", value=Shown.of({"ErrorCode": 0}))


def value(number: int, schema: MessageSchema = HEARTBEAT, **changes: Any) -> Violation:
    deterministic = changes.pop("deterministic", False)
    case = value_case(
        schema, "generated", "ErrorCode", {**minimal(schema), "ErrorCode": number}, deterministic=deterministic
    )
    facts = {"path": "ErrorCode", "direction": "decode", "expectation": ACCEPTANCE, "observation": READ}
    return Violation(**{"rule": "int.width-and-order", **facts, **changes, "case": case})


def of(case: Case, rule: str, direction: str) -> Violation:
    return case.violation(Blame(rule, case.path), Another(), ACCEPTANCE, direction)


def written(folder: Path, *violations: Violation) -> list[FoundCase[CodecCase]]:
    folder.mkdir(exist_ok=True)
    findings = Findings()
    for violation in violations:
        findings.add(violation)
    write_found_cases(folder / "found", findings.ordered(), RUN, RELEASE)
    return list(load_found_cases(folder / "found", RELEASE))


def numbers(found: list[FoundCase[CodecCase]]) -> list[int]:
    return sorted(each.case.content["ErrorCode"] for each in found)


def test_found_value_is_not_taken_for_changed_bytes(tmp_path: Path) -> None:
    """Its name is the path of its file, with slashes like those between a base and a change."""
    [found] = written(tmp_path, value(1))
    assert "/" in found.case.name
    assert not found.case.is_tampered


class Swapped(Honest):
    """Takes and writes numbers with the lowest byte first, and never refuses any bytes or numbers."""

    def encode(self, schema: MessageSchema, value: Any) -> bytes:
        return super().encode(schema, value)[::-1] if value["ErrorCode"] is not None else b"\x00\x00"

    def decode(self, schema: MessageSchema, data: bytes) -> Any:  # noqa: ARG002  # the signature of what it replaces
        return {"ErrorCode": int.from_bytes(data, "little", signed=True)}


def checked(adapter: type[Honest], found: FoundCase[CodecCase]) -> list[str]:
    implementation = PythonCodec(check_members(adapter.__name__, adapter(), __name__))
    events = check_found(session_of(implementation, RELEASE), found)
    return [event.rule for event in events if isinstance(event, Violation)]


KINDS = {
    "value": value(1),
    "value to encode": value(1, direction="encode"),
    "unencodable value": of(
        unencodable_case(HEARTBEAT, "ErrorCode=null", "ErrorCode", {"ErrorCode": None}, "null.not-written"),
        "null.not-written",
        "encode",
    ),
    "invalid bytes": of(
        invalid_case(HEARTBEAT, "first-1-bytes", "ErrorCode", b"\0", "input.truncated"), "input.truncated", "decode"
    ),
}


@pytest.mark.parametrize("found", KINDS.values(), ids=KINDS)
def test_a_found_case_fails_again_and_passes_once_it_is_fixed(tmp_path: Path, found: Violation) -> None:
    [case] = written(tmp_path, found)
    assert found.rule in checked(Swapped, case)
    assert checked(Honest, case) == []


def test_bytes_after_a_message_are_a_case_of_their_own(tmp_path: Path) -> None:
    case = case_of_bytes(HEARTBEAT, TRAILING_NAME, b"\0\0\0")
    [found] = written(tmp_path, of(case, "input.trailing-bytes", "decode"))
    assert found.case == case
    assert checked(Honest, found) == []


def test_the_same_case_is_one_file_and_another_case_is_another(tmp_path: Path) -> None:
    written(tmp_path, value(1))
    written(tmp_path, value(1, observation=Another()))
    assert numbers(written(tmp_path, value(2))) == [1, 2]


def test_the_smallest_case_of_each_finding_is_written(tmp_path: Path) -> None:
    large, small = (value(1, expectation=value_at("ErrorCode", "x" * length)) for length in (9, 1))
    assert numbers(written(tmp_path, large, small, value(2, observation=Answered("crashed")))) == [1, 2]


def test_smallest_case_of_each_pair_is_written_for_search_findings(tmp_path: Path) -> None:
    schemas = [HEARTBEAT, RELEASE.schema("LeaveGroupResponse", 0)]
    for deterministic, count in ((False, 2), (True, 1)):
        found = [
            value(number, schema, deterministic=deterministic, expectation=expectation)
            for schema in schemas
            for number, expectation in ((1, ACCEPTANCE), (2, value_at("ErrorCode", "larger")))
        ]
        assert len(written(tmp_path / str(deterministic), *found)) == count


def test_cases_of_messages_missing_in_the_release_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "newer.json").write_text(json.dumps({**FOUND_CASE, "version": 99}))
    assert list(load_found_cases(tmp_path, RELEASE)) == []


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"format": 2}, "Invalid enum value 2 - at `$.format`; remove it, and search again"),
        ({"kind": "broken"}, "'kind' is 'broken', not one of value, unencodable-value, invalid-bytes, trailing-bytes"),
        ({"version": "0"}, "Expected `int`, got `str` - at `$.version`; remove it, and search again"),
        ({"version": True}, "Expected `int`, got `bool` - at `$.version`"),
        (
            {"message": "record-batches", "version": 2},
            "'version' is 2, and the only one of record-batches is 0; remove it, and search again",
        ),
        ({"case": None}, "Expected `str`, got `null` - at `$.case`"),
        ({"deterministic": 1}, "Expected `bool`, got `int` - at `$.deterministic`"),
        ({"wire": "0"}, "- at `$.wire`"),
        ({"wire": "00"}, "there is no such value case of HeartbeatResponse-v0: truncated"),
        ({"value": "{"}, "there is no such value case of HeartbeatResponse-v0"),
        ({"value": '{"Nope": 1}'}, "there is no such value case of HeartbeatResponse-v0"),
    ],
)
def test_file_of_another_kind_is_an_error(tmp_path: Path, changes: dict[str, Any], text: str) -> None:
    (tmp_path / "bad.json").write_text(json.dumps({**FOUND_CASE, **changes}))
    with pytest.raises(BadFoundCase) as bad:
        list(load_found_cases(tmp_path, RELEASE))
    assert f"{tmp_path / 'bad.json'}" in str(bad.value)
    assert text in str(bad.value)


def test_an_unpaired_surrogate_in_a_found_case_is_no_obstacle(tmp_path: Path) -> None:
    (tmp_path / "case.json").write_text(json.dumps({**FOUND_CASE, "case": "\ud800", "\ud800": True}))
    assert [str(found) for found in load_found_cases(tmp_path, RELEASE)] == ["case"]


def found_by(liar: str, folder: Path, *options: str) -> Finished:
    return suite_on(liar, f"--found={folder}", *options)


def test_runs_write_found_cases_and_begin_with_them(tmp_path: Path) -> None:
    """A second run tries them first, with xdist as well, and writes no new files for them."""
    folder = tmp_path / "found"
    first = found_by("LittleEndian", folder, "-q")
    assert first.status == 1, first.text
    files = sorted(folder.iterdir())
    names = ["codec.round-trip-HeartbeatResponse-v0", "int.width-and-order-HeartbeatResponse-v0"]
    assert [file.name.rpartition("-")[0] for file in files] == names
    second = found_by("LittleEndian", folder, "-vv", "-n1")
    assert "2 found cases" in second.text
    assert second.text.index("test_found_cases[") < second.text.index("test_edge_values[")
    assert sorted(folder.iterdir()) == files
    case = ("--message", "HeartbeatResponse", "--version", "0", "--case", str(files[1]))
    assert kafka_conformance("replay", "--impl", f"{LIARS}:LittleEndian", *case).status == 1
    assert kafka_conformance("replay", "--impl", f"{LIARS}:Honest", *case).status == 0


def test_a_fixed_case_passes_and_stays_a_case(tmp_path: Path) -> None:
    folder = tmp_path / "found"
    folder.mkdir()
    (folder / "case.json").write_text(json.dumps(FOUND_CASE))
    found_by("Honest", folder).ended(0)
    assert [file.name for file in folder.iterdir()] == ["case.json"]


def test_a_run_with_nothing_found_makes_no_folder(tmp_path: Path) -> None:
    text = found_by("Honest", tmp_path / "found", "-vv").ended(0)
    assert "test_found_cases" not in text
    assert not (tmp_path / "found").exists()


@pytest.mark.parametrize(
    ("name", "text"),
    [("no/such/folder", "there is no folder"), (".", "bad.json, line 1: not JSON")],
    ids=["no parent", "bad file"],
)
def test_unusable_folder_is_a_usage_error(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "bad.json").write_text("nonsense")
    done = found_by("Honest", tmp_path / name)
    assert done.status == 4, done.text
    assert text in done.text
