"""The trend of a history, and the command's page of it."""

from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from conformance.campaign.history import keep_night, trends_of
from conformance.campaign.pipeline.storage import Storage
from tests.campaign.test_history import night
from tests.helpers.runs import error_of, invoke
from tests.report.lines import text_of


def test_trend_counts_the_findings_of_each_implementation() -> None:
    """New and gone ones are those since its own last campaign."""
    nights = [night(1, "a"), night(2, "x", implementation="other"), night(3, "b", "c"), night(4)]
    codec, other = trends_of(nights)
    assert (codec.implementation, other.implementation) == ("codec", "other")
    assert [(each.findings, each.new, each.gone) for each in codec.campaigns] == [(1, None, None), (2, 2, 1), (0, 0, 2)]
    assert [(each.findings, each.new) for each in other.campaigns] == [(1, None)]


def report(folder: Path) -> str:
    path = folder / "run.jsonl"
    path.write_text("".join(f"{line}\n" for line in text_of()), encoding="utf-8")
    return str(path)


def test_the_command_draws_the_history_of_campaigns(tmp_path: Path) -> None:
    history = tmp_path / "nights"
    for each in (night(1, "a"), night(2, "a", "b")):
        keep_night(Storage.named(str(history)), each)
    done = invoke("report", report(tmp_path), "--output", str(tmp_path / "site"), "--history", str(history))
    assert done.exit_code == 0, done.output
    page = (tmp_path / "site" / "campaigns.html").read_text(encoding="utf-8")
    assert "1 in the first, 2 " in page


def test_a_place_without_campaigns_is_an_error(tmp_path: Path) -> None:
    done = invoke("report", report(tmp_path), "--output", str(tmp_path / "site"), "--history", str(tmp_path / "no"))
    assert done.exit_code == 1
    assert "has no campaigns" in done.output
    assert not (tmp_path / "site").exists()


def test_no_other_format_shows_a_trend(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    done = invoke("report", report(tmp_path), "--format", "markdown", "--history", str(tmp_path))
    assert error_of(done, 2) == snapshot
