"""Message versions left by a run to its base release."""

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.codec.bridge.isolation import DecodeLimits
from conformance.codec.selection import BadSelection
from conformance.definitions.named import release_of
from conformance.judge.checks.value_cases import value_cases
from conformance.judge.engine import run as run_cases
from conformance.judge.findings.lines import Run, SharedLine
from conformance.judge.findings.results import Results
from conformance.judge.forms import as_json
from conformance.report.report_reading import report_from
from conformance.report.run_lines import EndedRun, lines_of
from conformance.report.terminal.counts import short_counts
from conformance.report.terminal.run_summary import one_line
from conformance.suite.codec_run import base_release_of, is_shared, make_run
from conformance.suite.options import RunOptions
from conformance.suite.suite_run import SuiteRun
from conformance.targets import RECORD_BATCHES
from reference import Release, load_release
from tests.helpers.cases import FOUND_CASE
from tests.helpers.folders import apart
from tests.helpers.ratchet_runs import reported
from tests.helpers.runs import LIARS

__all__ = ["apart"]
OLDEST, MIDDLE, NEWEST = map(load_release, ("3.9.1", "4.3.0", "4.4.0"))
ABOUT = Run(suite="0.1.0", kind="capture", impl="honest", release="3.9.1")


def is_the_same(message: str, version: int, release: Release = OLDEST, base: Release = NEWEST) -> bool:
    return is_shared(release.schema(message, version), release, base)


def test_a_pair_with_the_same_schema_and_header_is_shared() -> None:
    assert is_the_same("HeartbeatRequest", 4)
    assert is_the_same("HeartbeatResponse", 0)


@pytest.mark.parametrize(
    ("message", "version"),
    [("ControlledShutdownRequest", 3), ("FetchRequest", 3)],
    ids=["a message that the base lacks", "a version that the base lacks"],
)
def test_message_version_missing_in_the_base_is_not_shared(message: str, version: int) -> None:
    assert not is_the_same(message, version)


def test_a_pair_is_not_shared_if_other_versions_have_other_fields() -> None:
    """Values with such fields are tried as well."""
    one, other = (release.schema("ApiVersionsRequest", 3) for release in (OLDEST, NEWEST))
    assert one.fields == other.fields
    assert one.absent_fields != other.absent_fields
    assert not is_the_same("ApiVersionsRequest", 3)


def with_change(folder: Path, file: str, old: str, new: str) -> Release:
    """Return the release 4.4.0 with a change in one definition."""
    for definition in NEWEST.messages:
        text = (NEWEST.folder / f"{definition}.json").read_text(encoding="utf-8")
        assert definition != file or old in text
        (folder / f"{definition}.json").write_text(text.replace(old, new) if definition == file else text)
    return release_of(str(folder))


@pytest.mark.parametrize(
    ("old", "new", "shared"),
    [
        ('"nullableVersions": "1+", ', "", False),
        ('"flexibleVersions": "none"', '"flexibleVersions": "none", "ignorable": true', True),
    ],
    ids=["null in a header", "a field of a header that is ignorable"],
)
def test_a_pair_is_not_shared_if_another_header_stands_before_it(apart: Path, old: str, new: str, shared: bool) -> None:  # noqa: FBT001
    folder = apart / "mine"
    folder.mkdir()
    release = with_change(folder, "RequestHeader", old, new)
    assert is_the_same("HeartbeatRequest", 4, release) is shared
    assert is_the_same("HeartbeatResponse", 4, release)


def test_a_metadata_record_is_not_shared_if_there_are_other_records() -> None:
    """Version 4.4.0 has one more, and a snapshot's record is of another log."""
    assert MIDDLE.schema("TopicRecord", 0) == NEWEST.schema("TopicRecord", 0)
    assert not is_the_same("TopicRecord", 0, MIDDLE)
    assert is_the_same("SnapshotHeaderRecord", 0, MIDDLE)


def test_limits_of_one_reader_make_no_difference_to_a_pair() -> None:
    assert OLDEST.limits != NEWEST.limits
    assert is_the_same("HeartbeatRequest", 4)


BAD = {
    "the release of the run": ("3.9.1", "--base-release=3.9.1 is the release of the run itself: name another one"),
    "a proposal": ("kip-625", "--base-release=kip-625 is a proposal, and shares no message with others"),
}


@pytest.mark.parametrize(("name", "error"), BAD.values(), ids=BAD)
def test_some_releases_are_no_base(name: str, error: str) -> None:
    with pytest.raises(BadSelection) as bad:
        base_release_of(name, OLDEST)
    assert str(bad.value).startswith(error)


def run_of(liar: str, **options: Any) -> SuiteRun:
    given = {"impl": f"{LIARS}:{liar}", "release": "3.9.1", "base_release": "4.4.0", "isolation": "never", **options}
    return make_run(RunOptions(**given), DecodeLimits())


def results_of(run: SuiteRun) -> Results:
    """Return the results of the test of edge values."""
    results = run.subject.results(run.known_failures, run.shared)
    for schema in run.schemas:
        run.begin_item("test_edge_values")
        run.judge(run_cases(run.subject.session, value_cases(run.subject.session, schema)))
        results.add("test_edge_values", run.end_item().result(), str(schema))
    return results


def test_a_mistake_in_a_shared_pair_is_left_to_the_base_release() -> None:
    whole, rest = run_of("LittleEndian", base_release=""), run_of("LittleEndian")
    assert {str(schema) for schema in whole.schemas} == {"ApiVersionsRequest-v3", "HeartbeatResponse-v0"}
    assert [str(schema) for schema in rest.schemas] == ["ApiVersionsRequest-v3"]
    assert results_of(whole).findings
    assert not results_of(rest).findings


def test_a_mistake_in_another_pair_is_found() -> None:
    assert results_of(run_of("RefusesUnknownTags")).findings


def test_summary_and_single_line_count_shared_pairs() -> None:
    run = run_of("Honest")
    report = reported(results_of(run))
    assert str(run.shared) in [text for text, _ in short_counts(report)]
    assert one_line(report).endswith(str(run.shared))


def test_whole_run_has_no_line_about_a_base_release() -> None:
    results = results_of(run_of("Honest", base_release=""))
    assert not [line for line in lines_of(EndedRun(ABOUT, results)) if isinstance(line, SharedLine)]
    assert not reported(results).shared.release


def test_report_with_shared_pairs_is_read_again() -> None:
    run = run_of("KnowsPrimitives")
    lines = lines_of(EndedRun(ABOUT, results_of(run)))
    report = report_from([json.dumps(as_json(event)) for event in lines], "honest.jsonl")
    assert list(report.shared.pairs) == ["HeartbeatResponse-v0"]
    assert "int8" in report.shared.others
    assert str(report.shared) == str(run.shared)


def test_wire_types_are_shared_if_they_are_offered() -> None:
    assert run_of("Honest").shared.others == ()
    run = run_of("KnowsPrimitives")
    assert set(run.shared.others).isdisjoint(run.others)
    assert "int8" in run.shared.others


@pytest.mark.parametrize(("base", "shared"), [("4.3.0", True), ("4.4.0", False)])
def test_record_batches_are_shared_if_the_readers_have_the_same_limits(base: str, shared: bool) -> None:  # noqa: FBT001
    run = run_of("", impl="conformance.adapters.reference", base_release=base, messages=("record-batches",))
    assert (RECORD_BATCHES in run.shared.others, RECORD_BATCHES in run.others) == (shared, not shared)


def test_selection_of_shared_pairs_alone_is_no_fault() -> None:
    run = run_of("LittleEndian", messages=("Heartbeat*",))
    assert (run.schemas, run.shared.pairs, run.shared.selected) == ((), ("HeartbeatResponse-v0",), 1)
    assert results_of(run).all_faults() == {}


def test_a_found_case_in_a_shared_pair_is_left_to_the_base_release(tmp_path: Path) -> None:
    for message, version in (("HeartbeatResponse", 0), ("ApiVersionsRequest", 3)):
        case = {**FOUND_CASE, "kind": "hostile-bytes", "wire": "00", "message": message, "version": version}
        (tmp_path / f"{message}.json").write_text(json.dumps(case), encoding="utf-8")
    assert [str(found) for found in run_of("Honest", found=tmp_path).found_cases] == ["ApiVersionsRequest"]


def test_run_has_the_known_failures_of_its_base_release(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    entry = (
        '[[failure]]\nrule = "null.not-written"\nmessages = "*"\noutcome = "bytes"\nreason = "{0}"\nrelease = "{0}"\n'
    )
    path.write_text("".join(map(entry.format, ("3.9.1", "4.4.0", "4.*"))), encoding="utf-8")
    run = run_of("Honest", known_failures=path)
    reasons = [[each.reason for each in entries] for entries in (run.known_failures, run.known_of_base)]
    assert reasons == [["3.9.1"], ["4.4.0", "4.*"]]
