import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.definitions.named import release_of
from conformance.judge.case import Violation
from conformance.judge.events import Answered
from conformance.judge.findings.known_failures import PLACEHOLDER, BadKnownFailures, load_known_failures
from conformance.judge.findings.ratchet_update import RatchetChanges, update_known_failures
from tests.helpers.folders import apart, changed
from tests.helpers.ratchet_runs import failing, requests_of, results_of, scope_of

__all__ = ["apart"]
SCOPE = scope_of("4.3.0")
OLDER = scope_of("3.9.1")
MANY = requests_of(SCOPE)
FILE = """# about this file

# the votes
[[failure]]
rule = "null.not-written"
messages = ["VoteRequest", "FetchRequest"]
outcome = "bytes"
reason = "writes null"  # anywhere
link = "issue 7"

# sizes
[[failure]]
rule = "tag.size"
messages = "Fetch*"
outcome = "bytes"
reason = "none"
"""


def updated(path: Path, violations: list[Violation], scope: Any = SCOPE) -> RatchetChanges:
    known = load_known_failures(path) if path.exists() else []
    return update_known_failures(path, results_of(scope, known, violations), scope)


def entries(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = tomllib.loads(path.read_text(encoding="utf-8"))["failure"]
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "known.toml"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_update_removes_fixed_failures_and_keeps_the_rest(path: Path, snapshot: SnapshotAssertion) -> None:
    """A glob leaves its entry, and an entry without globs leaves the file, with its own comment."""
    changes = updated(path, failing(["VoteRequest"]))
    kept, _, _ = FILE.partition("\n# sizes")
    assert path.read_text(encoding="utf-8") == kept.replace('["VoteRequest", "FetchRequest"]', '"VoteRequest"')
    assert changes.removed == snapshot


def test_new_findings_are_appended_as_one_entry_for_each_rule_and_outcome(path: Path) -> None:
    new = failing(["HeartbeatRequest"], 0) + failing(["HeartbeatRequest"], 1) + failing(["SyncGroupRequest"], 5)
    updated(path, failing(["VoteRequest"]) + new)
    assert entries(path)[1:] == [
        {
            "rule": "null.not-written",
            "messages": ["HeartbeatRequest-v0..1", "SyncGroupRequest-v5"],
            "outcome": "bytes",
            "reason": PLACEHOLDER,
        }
    ]


def test_missing_file_is_made(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    updated(path, failing(["VoteRequest"]))
    [entry] = load_known_failures(path)
    assert (entry.messages, entry.is_explained) == (("VoteRequest-v0",), False)


def test_the_same_run_again_changes_nothing(path: Path) -> None:
    met = failing(["VoteRequest", *MANY])
    updated(path, met)
    once = path.read_text(encoding="utf-8")
    assert updated(path, met) == RatchetChanges()
    assert path.read_text(encoding="utf-8") == once


def test_new_failure_joins_an_unexplained_entry(path: Path) -> None:
    updated(path, failing(["VoteRequest"]) + failing(["HeartbeatRequest"], 0))
    updated(path, failing(["VoteRequest"]) + failing(["HeartbeatRequest"], 0) + failing(["HeartbeatRequest"], 1))
    assert [entry["messages"] for entry in entries(path)] == ["VoteRequest", "HeartbeatRequest-v0..1"]


def test_two_releases_agree_on_one_file(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    newer, older = failing(["HeartbeatRequest"], 4), failing(["HeartbeatRequest"], 4) + failing(["StopReplicaRequest"])
    updated(path, newer, SCOPE)
    updated(path, older, OLDER)
    once = path.read_text(encoding="utf-8")
    assert [entry["messages"] for entry in entries(path)] == [["HeartbeatRequest-v4", "StopReplicaRequest-v0"]]
    assert updated(path, newer, SCOPE) == updated(path, older, OLDER) == RatchetChanges()
    assert path.read_text(encoding="utf-8") == once


def test_entries_about_other_releases_are_left_alone(path: Path) -> None:
    path.write_text(FILE.replace('reason = "none"', 'reason = "none"\nrelease = "3.9.1"'), encoding="utf-8")
    assert updated(path, failing(["VoteRequest", "FetchRequest"])) == RatchetChanges()
    assert [entry["rule"] for entry in entries(path)] == ["null.not-written", "tag.size"]


def test_departures_about_fields_of_other_versions_are_written_for_their_release(tmp_path: Path) -> None:
    """Other releases have other fields, so another one may not show them."""
    path = tmp_path / "known.toml"
    same, other = failing(["HeartbeatRequest"], 4), failing(["FetchRequest"], 12)
    for scope in (SCOPE, OLDER, SCOPE):
        met = [replace(each, rule="ignorable.refused") for each in (same + other if scope is SCOPE else same)]
        updated(path, met, scope)
    facts = [(entry["messages"], entry.get("release")) for entry in entries(path)]
    assert facts == [("HeartbeatRequest-v4", None), ("FetchRequest-v12", "4.3.0")]


def test_an_entry_for_the_definitions_of_a_folder_holds_when_they_change(apart: Path) -> None:
    """Their name has a hash of them."""
    folder = changed("4.3.0", "HeartbeatResponse", apart / "fork", type="int64")
    scope = scope_of(release_of(str(changed("4.3.0", "HeartbeatRequest", folder))).name)
    met = [replace(each, rule="ignorable.refused") for each in failing(["HeartbeatResponse"])]
    updated(apart / "known.toml", met, scope)
    assert [entry["release"] for entry in entries(apart / "known.toml")] == ["fork-*"]


def test_too_wide_glob_becomes_the_names_of_its_messages(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = tmp_path / "known.toml"
    wide = '[[failure]]\nrule = "null.not-written"\nmessages = "*"\noutcome = "bytes"\nreason = "one for all"\n'
    path.write_text(wide, encoding="utf-8")
    changes = updated(path, failing(MANY, 0))
    [entry] = entries(path)
    assert [message.partition("-v")[0] for message in entry["messages"]] == MANY
    assert entry["reason"] == "one for all"
    assert changes.narrowed == snapshot
    path.write_text(f"{wide}at_most = 11\n", encoding="utf-8")
    assert updated(path, failing(MANY)) == RatchetChanges()


def test_failure_met_by_search_alone_is_left_out(path: Path, snapshot: SnapshotAssertion) -> None:
    changes = updated(path, failing(["VoteRequest", "SyncGroupRequest"], by_search=True))
    assert changes.left_out == snapshot
    assert load_known_failures(path) == []


def refused(text: str) -> Violation:
    """Return a departure with an explanation of the implementation."""
    [same] = failing(["VoteRequest"])
    return replace(same, observation=Answered("rejected", explanation=text))


def test_each_cluster_becomes_an_entry_with_its_pattern(tmp_path: Path) -> None:
    """With these entries the same run is green, and a third cause is new."""
    path = tmp_path / "known.toml"
    met = [refused("ValueError: 256 is no [code"), refused("KeyError: 'A'")]
    updated(path, met)
    assert [entry.get("pattern") for entry in entries(path)] == ["KeyError: *", "ValueError: * is no *"]
    assert updated(path, met) == RatchetChanges()
    assert len(results_of(SCOPE, load_known_failures(path), [*met, refused("TypeError")]).causes) == 1


def test_a_single_cluster_needs_no_pattern(tmp_path: Path) -> None:
    """The entry goes on covering a text with other values."""
    path = tmp_path / "known.toml"
    updated(path, [refused("ValueError: 256 is no code")])
    assert "pattern" not in entries(path)[0]


def test_file_changed_during_the_run_is_left_alone(path: Path) -> None:
    results = results_of(SCOPE, load_known_failures(path), failing(["VoteRequest"]))
    path.write_text("# begun anew\n", encoding="utf-8")
    with pytest.raises(BadKnownFailures, match="was changed while"):
        update_known_failures(path, results, SCOPE)
    assert path.read_text(encoding="utf-8") == "# begun anew\n"
