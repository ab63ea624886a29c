"""Known failures in a run with a base release. `test_whole_runs.py` has whole runs."""

from dataclasses import replace
from pathlib import Path

import pytest

from conformance.judge.case import Violation
from conformance.judge.findings.known_failures import KnownFailure, load_known_failures
from conformance.judge.findings.ratchet import EntryFault, RunScope, objections
from conformance.judge.findings.ratchet_update import update_known_failures
from tests.helpers.ratchet_runs import entry, failing, requests_of, results_of, scope_of
from tests.helpers.releases import NEWEST, OLDEST

SCOPE = scope_of(OLDEST, NEWEST)
SHARED, TESTED = ("HeartbeatRequest", 4), ("ApiVersionsRequest", 3)
MANY = requests_of(SCOPE)


def on_base(*known: KnownFailure) -> RunScope:
    """Return the scope of the run, with a base release under the same entries."""
    return replace(SCOPE, known_of_base=tuple(each for each in known if each.is_about(NEWEST)))


def faults(*known: KnownFailure, met: list[Violation] | None = None) -> list[tuple[str, EntryFault]]:
    scope = on_base(*known)
    return [(each.pattern, each.fault) for each in objections(results_of(scope, known, met or []), scope, whole=True)]


def test_sample_pairs_are_tested_and_shared() -> None:
    assert SHARED in SCOPE.shared_pairs
    assert TESTED in SCOPE.tested
    assert not SCOPE.tested & SCOPE.shared_pairs
    assert len(MANY) == 11


@pytest.mark.parametrize("pattern", ["HeartbeatRequest-v4", "HeartbeatRequest", "Heartbeat*", "*Request", "int8"])
def test_base_release_decides_about_a_glob_with_a_shared_pair(pattern: str) -> None:
    """The glob may match tested pairs as well, as long as none fails."""
    assert faults(entry(pattern)) == []


def test_a_glob_for_tested_pairs_alone_is_decided_here() -> None:
    assert faults(entry("ApiVersionsRequest-v3")) == [("ApiVersionsRequest-v3", EntryFault.STALE)]
    assert faults(entry("ApiVersionsRequest-v3"), met=failing(["ApiVersionsRequest"], 3)) == []
    by_search = failing(["ApiVersionsRequest"], 3, by_search=True)
    assert faults(entry("ApiVersionsRequest-v3"), met=by_search) == [("ApiVersionsRequest-v3", EntryFault.SEARCH_ONLY)]


def test_deterministic_case_of_a_search_finding_may_be_in_a_shared_pair() -> None:
    assert faults(entry("*Request"), met=failing(["ApiVersionsRequest"], 3, by_search=True)) == []


@pytest.mark.parametrize("release", [OLDEST, "[34].[39].*"])
def test_entry_unknown_to_the_base_release_is_stale(release: str) -> None:
    """A failure of a shared pair has an entry in the base release, where a third release decides nothing."""
    pattern = "HeartbeatRequest-v4"
    assert faults(entry(pattern, release=release)) == [(pattern, EntryFault.STALE)]
    assert faults(entry(pattern, release=release), entry(pattern, release=NEWEST)) == []
    other = entry(pattern, release=NEWEST, outcome="rejected")
    assert faults(entry(pattern, release=release), other) == [(pattern, EntryFault.STALE)]


def test_too_wide_glob_is_reported_despite_the_base_release() -> None:
    assert faults(entry("*Request"), met=failing(MANY)) == [("*Request", EntryFault.TOO_WIDE)]


FILE = """[[failure]]
rule = "null.not-written"
messages = ["HeartbeatRequest-v4", "ApiVersionsRequest-v3", "Heartbeat*", "*Request"]
outcome = "bytes"
reason = "because"
"""


def updated(path: Path, met: list[Violation]) -> list[KnownFailure]:
    known = load_known_failures(path)
    scope = on_base(*known)
    update_known_failures(path, results_of(scope, known, met), scope)
    return load_known_failures(path)


def test_update_removes_tested_pairs_without_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_text(FILE, encoding="utf-8")
    [known] = updated(path, [])
    assert known.messages == ("HeartbeatRequest-v4", "Heartbeat*", "*Request")


def test_an_update_names_the_pairs_left_to_the_base_release_where_a_glob_is_too_wide(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_text(FILE, encoding="utf-8")
    [known] = updated(path, failing(MANY))
    assert "*Request" not in known.messages
    for message, version in SCOPE.shared_pairs:
        if message.endswith("Request"):
            assert known.covers(failing([message], version)[0]), (message, version)


def test_new_entry_covers_no_version_of_the_base_release(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_text("", encoding="utf-8")
    own = [version for message, version in sorted(SCOPE.tested) if message == "FetchResponse"]
    left = [version for message, version in SCOPE.shared_pairs if message == "FetchResponse"]
    assert own
    assert left, "otherwise the test would prove nothing"
    [known] = updated(path, [each for version in own for each in failing(["FetchResponse"], version)])
    assert not [version for version in left if known.covers(failing(["FetchResponse"], version)[0])]
