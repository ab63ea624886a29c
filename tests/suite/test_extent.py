"""A report says how much of a run it is of, and less never takes the place of more."""

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.judge.findings.extent import COMPLETE, Completeness, Extent, extent_in, place_for
from conformance.judge.forms import as_json
from tests.helpers.runs import WITHOUT_SEARCH, Finished, events, suite, suite_on

WHOLE = '{"event": "run"}\n{"event": "extent", "state": "complete", "why": "", "items": 9}\n'


def run(path: Path, *options: str, liar: str = "LittleEndian") -> Finished:
    return suite_on(liar, f"--report={path}", *options)


def extent_of(path: Path) -> dict[str, Any]:
    """Return the second event of a report, without the number of tests."""
    event = events(path)[1]
    assert event.pop("event") == "extent"
    assert event.pop("items") >= 0
    return event


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """Return a report of everything."""
    path = tmp_path / "report.jsonl"
    path.write_text(WHOLE, encoding="utf-8")
    return path


def test_complete_run_replaces_an_older_report(whole: Path) -> None:
    run(whole).ended(1)
    assert extent_of(whole) == {"state": "complete", "why": ""}


@pytest.mark.parametrize("workers", ["-n0", pytest.param("-n2", marks=pytest.mark.nightly)])
def test_run_without_random_search_is_complete_with_a_note(whole: Path, workers: str) -> None:
    run(whole, workers, *WITHOUT_SEARCH).ended(1)
    assert extent_of(whole)["state"] == "complete"
    assert extent_of(whole)["why"].startswith("without random search: ")
    assert "test_generated_values" in extent_of(whole)["why"]


@pytest.mark.parametrize(
    ("options", "status", "state", "why"),
    [
        (("-x",), 1, "stopped", "stopping after 1 failures"),
        pytest.param(("-x", "-n2"), 2, "stopped", "stopping after 1 failures", marks=pytest.mark.nightly),
        (("--collect-only",), 0, "collected", "nothing was run"),
        (("-k", "nonsense"), 5, "partial", "test_"),
        pytest.param(("-k", "edge_values"), 1, "partial", "test_", marks=pytest.mark.nightly),
        pytest.param(("-m", "hypothesis"), 1, "partial", "test_", marks=pytest.mark.nightly),
        (("--messages=HeartbeatResponse",), 1, "partial", "only some messages were selected"),
        pytest.param(("--smoke",), 1, "partial", "only some messages were selected", marks=pytest.mark.nightly),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_report_of_less_is_written_beside_one_of_more(
    whole: Path, options: tuple[str, ...], status: int, state: str, why: str
) -> None:
    """The run names its place."""
    text = run(whole, *options).ended(status)
    beside = whole.with_name("report.jsonl.partial")
    assert whole.read_text(encoding="utf-8") == WHOLE
    assert (extent_of(beside)["state"], extent_of(beside)["why"][: len(why)]) == (state, why)
    assert re.search(rf"^{re.escape(str(whole))} has more .* {state}: ", text, re.MULTILINE)
    assert f"its report is {beside}" in text


@pytest.fixture
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C interrupt children here, even where the starter of the tests has them ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interruptible")
@pytest.mark.parametrize("workers", [("-n0",), ("-n2",)])
def test_report_of_an_interrupted_run_has_its_state(whole: Path, workers: tuple[str, ...]) -> None:
    """Workers change nothing, since Ctrl-C goes to the controller."""
    options = (f"--report={whole}", "--isolation=never", *workers)
    suite("--impl=tests.fakes.bad_adapters:Interrupts", *options).ended(2)
    assert whole.read_text(encoding="utf-8") == WHOLE
    assert extent_of(whole.with_name("report.jsonl.partial"))["state"] == "interrupted"


def test_report_of_more_is_replaced_on_request(whole: Path) -> None:
    run(whole, "--collect-only", "--replace-report")
    assert not extent_of(whole)["state"].startswith("complete")
    assert [path.name for path in whole.parent.iterdir()] == [whole.name]


def test_a_run_without_tests_does_not_accuse_the_adapter(tmp_path: Path) -> None:
    """It offers every selected message, but nobody asked for a test of it."""
    text = run(tmp_path / "report.jsonl", "--collect-only").ended(0)
    assert "at fault" not in text
    assert [event for event in events(tmp_path / "report.jsonl") if event["event"] == "adapter-fault"] == []


COLLECTED = Extent(Completeness.COLLECTED, "nothing was run", 0)
INTERRUPTED = Extent(Completeness.INTERRUPTED, "", 5)
EMPTY = Extent(Completeness.SELECTION, "", 0)
SELECTION = Extent(Completeness.SELECTION, "", 5)


def report(path: Path, extent: Extent) -> Path:
    lines = ({"event": "run"}, as_json(extent.line()))
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("present", "new", "is_beside"),
    [
        (COMPLETE, SELECTION, True),
        (SELECTION, COMPLETE, False),
        (SELECTION, SELECTION, False),
        (SELECTION, INTERRUPTED, True),
        (INTERRUPTED, SELECTION, False),
        (INTERRUPTED, EMPTY, True),
        (INTERRUPTED, COLLECTED, True),
        (COLLECTED, EMPTY, False),
        (COMPLETE, COMPLETE, False),
    ],
)
def test_as_much_or_more_takes_the_place_of_a_report(
    tmp_path: Path, present: Extent, new: Extent, *, is_beside: bool
) -> None:
    path = report(tmp_path / "report", present)
    assert extent_in(path) == present
    assert (place_for(path, new) != path) == is_beside


@pytest.mark.parametrize(
    "text", ["", "{", "[]\n[]\n", '{"event": "run"}\n{"event": "extent", "state": "new"}\n', "\xff"]
)
def test_file_of_another_kind_is_replaced_by_a_complete_report_or_if_empty(tmp_path: Path, text: str) -> None:
    path = tmp_path / "report"
    path.write_text(text, encoding="latin-1")
    assert extent_in(path) is None
    assert place_for(path, COMPLETE) == path
    assert (place_for(path, SELECTION) == path) == (not text)
