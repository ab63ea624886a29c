"""One smallest case for each finding, in files the suite tries again."""

import json
from pathlib import Path

from conformance.campaign.distil import FOUND
from conformance.campaign.folder import FINDINGS
from conformance.codec.bridge.opening import open_session
from conformance.judge.case import Violation
from conformance.report.files.found_cases import check_found, load_found_cases, read_found_case
from reference import load_release
from tests.campaign.conftest import LIARS, RELEASE, campaign_of, distilled, rows_of, run_all


def test_each_finding_has_one_small_failing_case(tmp_path: Path) -> None:
    """The bytes belong to a few fields, and break the same rule when tried alone."""
    campaign = campaign_of(f"{LIARS}:RefusesUnknownTags", f"{LIARS}:ReadsZero", cases=60)
    run_all(campaign, tmp_path)
    done = distilled(campaign, tmp_path)
    document = json.loads((tmp_path / FINDINGS).read_text())
    assert [each["rule"] for each in document] == [each.finding.rule for each in done]
    found = {(row["implementation"], row["rule"], row["outcome"]) for row in rows_of(tmp_path) if row["rule"]}
    assert {(each["implementation"], each["rule"], each["outcome"]) for each in document} == found
    assert len({(each["implementation"], each["rule"], each["outcome"], each["cluster"]) for each in document}) == len(
        document
    )
    release = load_release(RELEASE)
    cases = list(load_found_cases(tmp_path / FOUND, release))
    assert len(cases) == len(document)
    for liar in ("RefusesUnknownTags", "ReadsZero"):
        with open_session(f"{LIARS}:{liar}", release) as session:
            own = [case for case in cases if json.loads(case.file.read_text())["run"]["impl"] == f"{LIARS}:{liar}"]
            assert own
            for case in own:
                entry = json.loads(case.file.read_text())
                found_again = [event for event in check_found(session, case) if isinstance(event, Violation)]
                assert (entry["rule"], entry["outcome"]) in {(each.rule, each.outcome) for each in found_again}
                assert len(entry["wire"]) < 80


def test_writer_ending_its_process_does_not_end_this_one(tmp_path: Path) -> None:
    """Its finding has a small case, too."""
    campaign = campaign_of("tests.fakes.crashing_codecs:EndsWriting", cases=12)
    run_all(campaign, tmp_path)
    [done] = distilled(campaign, tmp_path)
    assert (done.finding.rule, done.finding.outcome) == ("value.writable", "crashed")
    [file] = (tmp_path / FOUND).iterdir()
    release = load_release(RELEASE)
    with open_session("tests.fakes.crashing_codecs:EndsWriting", release, isolate_all=True) as session:
        events = check_found(session, read_found_case(file, release))
        assert [each.outcome for each in events if isinstance(each, Violation)] == ["crashed"]
