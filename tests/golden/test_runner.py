"""Golden vectors run on an implementation: what a vector asks for, and what is said of one that fails."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from conformance.commands.main import main
from conformance.golden.enumeration.enumerate import built
from conformance.golden.tree.files import read_tree, write_tree
from conformance.golden.tree.group import Group, chosen_groups, groups_of
from conformance.golden.tree.paths import VectorFile, committed_vectors
from conformance.golden.verification.runner import Results, run_group
from conformance.implementation.driver import Implementation
from conformance.implementation.loading import load_adapter
from conformance.implementation.session import Session
from reference import load_release

if TYPE_CHECKING:
    from pathlib import Path

RELEASE = load_release("4.3.0")
PAIR = ("ApiVersionsRequest", 3)
PREFIX = "4.3.0/messages/ApiVersionsRequest/v3"
SOUND = {"ClientSoftwareName": "", "ClientSoftwareVersion": ""}
VALID = {"id": "valid", "result": "valid", "wire": "010100", "flags": ["Default"], "value": SOUND}
LONG_COUNT = {**VALID, "id": "explicit", "wire": "81000100", "canonical": "010100"}
INVALID = {
    "id": "invalid", "result": "invalid", "wire": "01", "flags": ["Truncated"],
    "reason": "truncated", "offset": 1, "path": "ClientSoftwareVersion",
}  # fmt: skip
OPEN = {"id": "open", "result": "unspecified", "wire": "01010007", "flags": ["BytesBehind"], "observed": {}}


def run(vector: dict[str, Any], impl: str = "tests.fakes.faulty_codecs:Honest", **changes: Any) -> Results:
    """One vector on one implementation, in this process."""
    adapter = replace(load_adapter(impl, RELEASE), **changes)
    results = Results()
    group = Group(VectorFile("4.3.0", "messages", PAIR[0]), {"version": PAIR[1], "vectors": [vector]})
    run_group(Session(Implementation(adapter), RELEASE), group, results)
    return results


@pytest.mark.parametrize("vector", [VALID, INVALID, OPEN], ids=lambda each: each["result"])
def test_a_sound_codec_passes(vector: dict[str, Any]) -> None:
    """And the vector is counted by its result."""
    results = run(vector)
    assert not results.failures
    assert results.counts == {vector["result"]: 1}


def what(results: Results) -> str:
    """What is said of the one vector that fails."""
    [failure] = results.failures
    assert failure.id.startswith(f"{PREFIX}/")
    return failure.text


def test_another_value_fails() -> None:
    """With the field, and both values."""
    other = {**SOUND, "ClientSoftwareName": "x"}
    assert what(run(VALID, decode=lambda *_: other)) == "decode: ClientSoftwareName is 'x', not ''"


def test_sound_bytes_refused_fail() -> None:
    """With what was raised."""

    def refuse(*_: object) -> Any:
        raise ValueError("no")

    assert what(run(VALID, decode=refuse)) == "decode: rejected-unclassified: ValueError: no"


def test_other_bytes_fail() -> None:
    """With both."""
    assert what(run(VALID, encode=lambda *_: b"\xff")) == "encode: ff, not 010100"


def test_the_canonical_bytes_are_what_is_written() -> None:
    """Where a vector has them, its wire is only read."""
    assert what(run(LONG_COUNT, encode=lambda *_: b"\xff", decode=lambda *_: SOUND)).endswith("not 010100")


def test_another_size_fails() -> None:
    """Of an implementation that announces one."""
    assert what(run(VALID, size=lambda *_: 4)) == "size: 4, not 3"


def test_invalid_bytes_accepted_fail() -> None:
    """With the reason why they are invalid, and where."""
    assert what(run(INVALID, decode=lambda *_: SOUND)) == "decode: accepted, though truncated at offset 1"


def test_unspecified_bytes_never_fail_whatever_comes_of_them() -> None:
    """It is counted under the vector's last flag."""
    assert run(OPEN, decode=lambda *_: SOUND).accepted == {("BytesBehind", True): 1}
    assert run(OPEN).accepted == {("BytesBehind", False): 1}


@pytest.mark.parametrize("vector", [VALID, INVALID, OPEN], ids=lambda each: each["result"])
def test_a_crash_always_fails(vector: dict[str, Any]) -> None:
    """Here in this process: memory, recursion."""

    def exhaust(*_: object) -> Any:
        raise MemoryError

    assert what(run(vector, decode=exhaust)).startswith("decode: exhausted-memory")


def test_unknown_tags_are_written_only_by_codecs_that_keep_them() -> None:
    """And read by all."""
    vector = {**VALID, "wire": "010101050107", "value": {**SOUND, "_tags": [[5, "07"]]}}
    assert not run(vector).failures
    assert not run(vector, capabilities=frozenset(), decode=lambda *_: SOUND).failures
    assert "_tags" in what(run(vector, decode=lambda *_: SOUND))


def command(folder: Path, impl: str, *arguments: str) -> tuple[int, str]:
    """The exit status of `vectors run`, and what it prints."""
    done = CliRunner().invoke(main, ["vectors", "run", "--folder", str(folder), "--impl", impl, *arguments])
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Vectors of two messages."""
    path = tmp_path_factory.mktemp("vectors")
    pairs = (("ApiVersionsRequest", 3), ("HeartbeatResponse", 0))
    write_tree(path, (built(("4.3.0", *pair)) for pair in pairs))
    return path


def test_the_command_names_the_vectors_that_fail_by_flag(folder: Path) -> None:
    """Status 1, and a line of counts at the end."""
    status, printed = command(folder, "tests.fakes.faulty_codecs:RefusesUnknownTags")
    assert status == 1, printed
    assert "UnknownTag: " in printed
    assert "4.3.0/messages/ApiVersionsRequest/v3/" in printed
    assert "unspecified, for information:" in printed
    assert " fail, " in printed.splitlines()[-1]


def test_the_command_is_content_with_a_sound_codec(folder: Path) -> None:
    """Status 0."""
    status, printed = command(folder, "tests.fakes.faulty_codecs:Honest")
    assert status == 0, printed
    assert "): 0 fail, " in printed.splitlines()[-1]


def test_messages_can_be_chosen(folder: Path) -> None:
    """As elsewhere."""
    _, printed = command(folder, "tests.fakes.faulty_codecs:RefusesUnknownTags", "--messages", "HeartbeatResponse")
    assert "HeartbeatResponse" not in printed
    assert "): 0 fail, " in printed.splitlines()[-1]


def test_bytes_that_end_the_process_are_read_in_a_child(folder: Path) -> None:
    """And each of them is a vector that fails."""
    status, printed = command(folder, "tests.fakes.faulty_codecs:AbortsOnNothing")
    assert status == 1, printed
    assert "crashed: ended by SIGABRT" in printed


def test_a_folder_without_vectors_is_a_clear_error(tmp_path: Path) -> None:
    """With what to do."""
    status, printed = command(tmp_path, "tests.fakes.faulty_codecs:Honest")
    assert status == 1
    assert "name their folder with --folder" in printed


def test_the_reference_fails_no_vector_of_any_kind() -> None:
    """Bodies, frames, stored messages and wire types: what kills a mutant must not kill the reference."""
    chosen = ("MetadataRequest-v8..9", "MetadataResponse-v9", "OffsetCommitKey", "TopicRecord", "RequestHeader")
    groups = list(groups_of(read_tree(committed_vectors())))
    run = [*chosen_groups(groups, chosen), *(group for group in groups if group.file.folder == "primitives")]
    results = Results()
    session = Session(Implementation(load_adapter("conformance.adapters.reference", RELEASE)), RELEASE)
    for group in run:
        run_group(session, group, results)
    assert {group.file.folder for group in run} == {"messages", "headers", "frames", "stored", "primitives"}
    assert not results.failures
    assert not results.not_tried
