import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.adapter import AdapterError
from conformance.codec.bridge.loading import load_codec
from conformance.codec.python_codec import PythonCodec
from conformance.codec.session import Session
from conformance.codec.validation import NothingOffered
from conformance.commands.vectors import offered_groups
from conformance.vectors.enumeration.enumerate import built
from conformance.vectors.enumeration.pairs import sources
from conformance.vectors.tree.vector_files import read_file, write_tree
from conformance.vectors.tree.vector_paths import (
    VectorFile,
    VectorGroup,
    chosen_groups,
    committed_vectors,
    files_of,
    groups_of,
    primitive_files,
)
from conformance.vectors.verification.runner import VectorResults, run_group
from reference import Release, load_release
from tests.helpers.adapters import load_adapter
from tests.helpers.releases import BASE, NEWEST, OLDEST
from tests.helpers.runs import invoke
from tests.vectors.conftest import only_some_files

RELEASE = load_release(BASE)
PAIR = ("ApiVersionsRequest", 3)
PREFIX = f"{BASE}/messages/ApiVersionsRequest/v3"
SOUND = {"ClientSoftwareName": "", "ClientSoftwareVersion": ""}
OTHER = {**SOUND, "ClientSoftwareName": "x"}
WRITES_FF: dict[str, Any] = {"encode": lambda *_: b"\xff", "decode": lambda *_: SOUND}
VALID = {"id": "valid", "result": "valid", "wire": "010100", "flags": ["Default"], "value": SOUND}
LONG_COUNT = {**VALID, "id": "explicit", "wire": "81000100", "canonical": "010100"}
INVALID = {
    "id": "invalid", "result": "invalid", "wire": "01", "flags": ["Truncated"],
    "reason": "truncated", "offset": 1, "path": "ClientSoftwareVersion",
}  # fmt: skip
UNSPECIFIED = {
    "id": "unspecified", "result": "unspecified", "wire": "01010007", "flags": ["BytesBehind"], "observed": {},
}  # fmt: skip

UNWRITABLE = {
    "id": "unwritable", "result": "unwritable", "flags": ["NullRefused"],
    "value": {**SOUND, "ClientSoftwareName": None},
    "refusal": "null-not-allowed", "rule": "null.not-written", "path": "ClientSoftwareName",
}  # fmt: skip


def run(vector: dict[str, Any], impl: str = "tests.fakes.faulty_codecs:Honest", **changes: Any) -> VectorResults:
    adapter = replace(load_adapter(impl, RELEASE), **changes)
    results = VectorResults()
    group = VectorGroup(VectorFile(BASE, "messages", PAIR[0]), {"version": PAIR[1], "vectors": [vector]}, BASE)
    run_group(Session(PythonCodec(adapter), RELEASE), group, results)
    return results


@pytest.mark.parametrize("vector", [VALID, INVALID, UNSPECIFIED, UNWRITABLE], ids=lambda vector: vector["result"])
def test_a_sound_codec_passes(vector: dict[str, Any]) -> None:
    results = run(vector)
    assert not results.failures
    assert results.counts == {vector["result"]: 1}


def failure_of(results: VectorResults) -> str:
    [failure] = results.failures
    assert failure.id.startswith(f"{PREFIX}/")
    return failure.text


def refuse(*_: object) -> Any:
    raise ValueError("no")


FAILURES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a wrong value": (VALID, {"decode": lambda *_: OTHER}),
    "valid bytes refused": (VALID, {"decode": refuse}),
    "wrong bytes": (VALID, {"encode": lambda *_: b"\xff"}),
    "other than the canonical bytes": (LONG_COUNT, WRITES_FF),
    "a wrong size": (VALID, {"size": lambda *_: 4}),
    "a refused value written": (UNWRITABLE, {"encode": lambda *_: b"\x00"}),
    "invalid bytes accepted": (INVALID, {"decode": lambda *_: SOUND}),
}


@pytest.mark.parametrize(("vector", "changes"), FAILURES.values(), ids=FAILURES)
def test_codec_with_another_answer_than_the_vector_fails(
    vector: dict[str, Any], changes: dict[str, Any], snapshot: SnapshotAssertion
) -> None:
    assert failure_of(run(vector, **changes)) == snapshot


def test_unspecified_bytes_may_be_accepted_or_rejected() -> None:
    assert run(UNSPECIFIED, decode=lambda *_: SOUND).accepted == {("BytesBehind", True): 1}
    assert run(UNSPECIFIED).accepted == {("BytesBehind", False): 1}


@pytest.mark.parametrize("vector", [VALID, INVALID, UNSPECIFIED], ids=lambda vector: vector["result"])
def test_a_crash_always_fails(vector: dict[str, Any]) -> None:
    def exhaust(*_: object) -> Any:
        raise MemoryError

    assert re.match(r"decode: .*: exhausted-memory", failure_of(run(vector, decode=exhaust)))


def test_unknown_tags_are_written_only_by_codecs_with_the_capability() -> None:
    vector = {**VALID, "wire": "010101050107", "value": {**SOUND, "_tags": [[5, "07"]]}}
    assert not run(vector).failures
    assert not run(vector, capabilities=frozenset(), decode=lambda *_: SOUND).failures
    assert "_tags" in failure_of(run(vector, decode=lambda *_: SOUND))


def command(folder: Path, impl: str, *arguments: str) -> tuple[int, str]:
    """Return the exit status of `vectors run` and its output."""
    done = invoke("vectors", "run", "--folder", str(folder), "--impl", impl, *arguments)
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("vectors")
    pairs = (("ApiVersionsRequest", 3), ("HeartbeatResponse", 0))
    with pytest.MonkeyPatch.context() as patch:
        only_some_files(patch)
        write_tree(path, (built((BASE, *pair)) for pair in pairs))
    return path


def test_command_names_failing_vectors_by_flag(folder: Path) -> None:
    """The exit status is 1, and the last line has the counts."""
    status, printed = command(folder, "tests.fakes.faulty_codecs:RefusesUnknownTags")
    assert status == 1, printed
    assert "UnknownTag: " in printed
    assert f"{BASE}/messages/ApiVersionsRequest/v3/" in printed
    assert "unspecified, for information:" in printed
    assert " fail, " in printed.splitlines()[-1]


def test_the_command_succeeds_on_a_sound_codec(folder: Path) -> None:
    """The exit status is 0, and the last line counts no failure."""
    status, printed = command(folder, "tests.fakes.faulty_codecs:Honest")
    assert status == 0, printed
    assert "): 0 fail, " in printed.splitlines()[-1]


def test_messages_can_be_chosen(folder: Path) -> None:
    """`--messages` selects as it does for the suite."""
    _, printed = command(folder, "tests.fakes.faulty_codecs:RefusesUnknownTags", "--messages", "HeartbeatResponse")
    assert "HeartbeatResponse" not in printed
    assert "): 0 fail, " in printed.splitlines()[-1]


def test_release_runs_the_vectors_shared_with_another(folder: Path) -> None:
    """3.9.1 takes ApiVersionsRequest v3 from the folder of 4.3.0."""
    status, printed = command(folder, "tests.fakes.faulty_codecs:RefusesUnknownTags", "--release", OLDEST)
    assert (status, f"  {BASE}/messages/ApiVersionsRequest/v3/" in printed) == (1, True), printed


def test_a_given_value_is_written_as_the_bytes_of_the_vector() -> None:
    """Its canonical bytes are those of the value."""
    given = {**LONG_COUNT, "given": SOUND}
    changes: dict[str, Any] = {"capabilities": frozenset({"absent-fields"}), "decode": lambda *_: SOUND}
    results = run(given, encode=lambda *_: bytes.fromhex("81000100"), **changes)
    assert failure_of(results) == "encode: message.writable: 81000100; expected: 010100"


def test_deadly_bytes_are_read_in_a_child(folder: Path) -> None:
    status, printed = command(folder, "tests.fakes.faulty_codecs:AbortsOnNothing")
    assert status == 1, printed
    assert "ended by SIGABRT" in printed


def test_a_folder_without_vectors_is_a_clear_error(tmp_path: Path) -> None:
    status, printed = command(tmp_path, "tests.fakes.faulty_codecs:Honest")
    assert status == 1
    assert "with --folder" in printed


def test_the_reference_fails_no_vector_of_any_kind() -> None:
    chosen = ("MetadataRequest-v8..9", "MetadataResponse-v9", "OffsetCommitKey", "TopicRecord", "RequestHeader")
    files = [*(file for name in chosen for file in files_of(BASE, name.partition("-")[0])), *primitive_files()]
    groups = list(groups_of({file.path: read_file(committed_vectors() / file.path) for file in files}))
    run = [*chosen_groups(groups, chosen), *(group for group in groups if group.file.folder == "primitives")]
    results = VectorResults()
    session = Session(load_codec("conformance.adapters.reference", RELEASE), RELEASE)
    for group in run:
        run_group(session, group, results)
    assert {group.file.folder for group in run} == {"messages", "headers", "frames", "stored", "primitives"}
    assert not results.failures
    assert not results.not_tried.total()


def test_end_of_a_writer_fails_its_own_vectors_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEADLY", "abort HeartbeatRequest")
    words = ("vectors", "run", "--impl=tests.fakes.deadly_writers:EndsWriting", f"--release={BASE}", "--ids=0")
    done = invoke(*words, "--messages=Heartbeat*")
    assert done.exit_code == 1
    failed = re.findall(rf"  {BASE}/messages/(\w+)/v1/.*\n    encode: .*: crashed: ended by SIGABRT", done.output)
    assert set(failed) == {"HeartbeatRequest"}
    assert done.output.count("\n    ") == len(failed)


def named(monkeypatch: pytest.MonkeyPatch, *offered: str) -> tuple[str, ...]:
    """Return the names of groups run for a codec with messages of these releases alone."""

    @contextmanager
    def opened(impl: str, release: Release) -> Iterator[None]:
        if release.name not in offered:
            raise NothingOffered(impl, "`supported()` names no message at all", "Name some")
        yield

    monkeypatch.setattr("conformance.commands.vectors.open_session", opened)
    groups = [VectorGroup(VectorFile(name, "messages", "A"), {"version": 0, "vectors": []}, name) for name in sources()]
    return tuple(group.release for group in offered_groups("codec", groups))


def test_releases_without_a_message_are_named_before_the_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert named(monkeypatch, BASE, NEWEST) == (BASE, NEWEST)
    printed = capsys.readouterr().err
    assert printed.startswith(f"not run: {OLDEST}, kip-")
    assert BASE not in printed


def test_codec_without_a_message_of_any_release_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AdapterError, match=f" no message .* of {OLDEST}, {BASE}, "):
        named(monkeypatch)
