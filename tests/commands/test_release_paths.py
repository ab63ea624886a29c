"""Commands on a folder of definitions in place of a release."""

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.definitions.named import release_of
from conformance.vectors.enumeration import pairs
from tests.helpers.cases import FOUND_CASE
from tests.helpers.definitions import field
from tests.helpers.folders import REQUEST, RESPONSE, apart, write
from tests.helpers.releases import OLDEST
from tests.helpers.runs import error_of, invoke

__all__ = ["apart"]
REFERENCE = ("--impl", "conformance.adapters.reference")
RESPONSES = ("--message", "NewThingResponse", "--version", "0")
CASE = {**FOUND_CASE, "message": "NewThingResponse", "path": "Some", "case": "Some=1"}


@pytest.fixture
def fork(apart: Path) -> Path:
    return write(apart / "fork", REQUEST, RESPONSE)


def found(folder: Path, definitions: Path) -> Path:
    """Write a found case of those definitions, as they are now."""
    release = release_of(str(definitions))
    folder.mkdir(exist_ok=True)
    (folder / "case.json").write_text(json.dumps({**CASE, "release": release.name, "definitions": release.digest}))
    return folder


def test_replay_takes_a_folder(fork: Path) -> None:
    result = invoke("replay", *REFERENCE, "--release", str(fork), *RESPONSES, "--wire", "0007")
    assert (result.exit_code, "reference decodes   {'Some': 7}" in result.output) == (0, True), result.output


def test_found_cases_are_replayed_with_their_definitions(fork: Path, apart: Path) -> None:
    folder = found(apart / "found", fork)
    result = invoke("replay", *REFERENCE, "--release", str(fork), str(folder))
    assert (result.exit_code, "1 found cases: 0 " in result.output) == (0, True)
    assert "0 error, 1 fixed" in result.output


def test_found_cases_of_a_folder_need_it(fork: Path, apart: Path) -> None:
    release = release_of(str(fork))
    result = invoke("replay", *REFERENCE, str(found(apart / "found", fork)))
    definitions = f"the definitions {release.name} (hash {release.digest[:8]}): "
    assert (result.exit_code, definitions in result.output) == (1, True), result.output
    assert "with --release" in result.output


@pytest.mark.parametrize("as_file", [True, False])
def test_found_cases_are_not_replayed_with_other_definitions(fork: Path, apart: Path, *, as_file: bool) -> None:
    folder = found(apart / "found", fork)
    write(fork, RESPONSE | {"fields": [field(type="int8"), field(name="More", type="int8")]})
    words = (*RESPONSES, "--case", str(folder / "case.json")) if as_file else (str(folder),)
    result = invoke("replay", *REFERENCE, "--release", str(fork), *words)
    assert result.exit_code == (2 if as_file else 1), result.output
    assert f"not those of {release_of(str(fork)).title}: " in result.output


COMMANDS = {
    "replay": (*REFERENCE, *RESPONSES, "--wire", "00"),
    "nightly": (*REFERENCE, "--minutes", "1"),
    "prove": (),
    "bench hostile": (),
    "corpus build": ("--per-pair", "1", "--output", "corpus"),
    "bridge check": ("./harness",),
    "vectors build": ("--in-process", "--output", "tree"),
    "vectors check": (),
    "vectors run": REFERENCE,
    "specs show": ("NewThingRequest",),
}


@pytest.mark.parametrize(("command", "words"), COMMANDS.items(), ids=COMMANDS)
def test_unusable_folder_is_a_usage_error(apart: Path, command: str, words: tuple[str, ...]) -> None:
    folder = write(apart / "fork", RESPONSE | {"fields": [field(type="int24")]})
    error = error_of(invoke(*command.split(), "--release", str(folder), *words), 2)
    assert f" --release: {folder} is no release: " in error
    assert "'int24'" in error


def test_specs_show_takes_a_folder_and_names_the_release_of_its_headers(
    fork: Path, snapshot: SnapshotAssertion
) -> None:
    result = invoke("specs", "show", "NewThingRequest-v1", "--release", str(fork))
    assert result.exit_code == 0, result.output
    assert result.stdout == snapshot
    assert f" ResponseHeader in {release_of(str(fork)).name}" in result.stderr


def test_the_definitions_of_a_proposal_have_no_classes(snapshot: SnapshotAssertion) -> None:
    assert error_of(invoke("prove", "--release", "kip-625"), 2) == snapshot


def test_specs_list_names_the_proposals() -> None:
    assert "\nkip-625: 8 examples " in invoke("specs", "list").output


def test_vectors_of_a_folder_are_built_and_checked_and_run(fork: Path, apart: Path) -> None:
    release, tree = release_of(str(fork)), str(apart / "tree")
    built = invoke("vectors", "build", "--in-process", "--workers", "1", "--release", str(fork), "--output", tree)
    assert built.exit_code == 0, built.output
    index = json.loads((apart / "tree" / "index.json").read_text(encoding="utf-8"))
    assert (index["release"], index["releases"], index["proposals"]) == (release.name, [release.name], [])
    assert f"{release.name}/frames/NewThingRequest.json" in index["files"]
    options = ("--folder", tree, "--release", str(fork))
    assert invoke("vectors", "check", "--workers", "1", *options).stdout == f"{tree}: no problems\n"
    run = invoke("vectors", "run", *REFERENCE, *options, "--messages", "NewThing*")
    assert (run.exit_code, ": 0 fail, 0 not tried" in run.output) == (0, True), run.output


def test_vectors_of_one_release_are_not_built_among_those_of_all() -> None:
    result = invoke("vectors", "build", "--in-process", "--release", OLDEST)
    assert (result.exit_code, "--release needs --output" in result.output) == (2, True)


def test_every_pair_of_a_folder_has_vectors(fork: Path) -> None:
    names = (release_of(str(fork)).name,)
    bodies = [pair for pair in pairs.pairs(names) if pair[1].startswith("NewThing")]
    assert [(message, version) for _, message, version in bodies] == [
        (message, version) for message in ("NewThingRequest", "NewThingResponse") for version in range(3)
    ]
