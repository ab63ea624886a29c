"""Each skeleton of `new harness` is built, checked and tested as its author would."""

from __future__ import annotations

import re
import shlex
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.adapters.harnesses.skeletons import Skeleton, languages, write_skeleton
from conformance.codec.bridge.protocol import hello_request
from conformance.codec.bridge.transport import JsonLinesProcess, program
from conformance.commands.main import main
from reference import load_release, newest_release
from tests.helpers import requirements
from tests.helpers.endings import on_a_full_disk
from tests.helpers.runs import WITHOUT_SEARCH, invoke, kafka_conformance, suite
from tests.helpers.sweeps import swept_one

ROOT = Path(__file__).parents[3]

NEEDS = {
    "cpp": (requirements.cpp, pytest.mark.slow),
    "csharp": (requirements.dotnet, pytest.mark.slow),
    "go": (requirements.go, pytest.mark.go),
    "java": (requirements.java_and_maven, pytest.mark.java),
    "javascript": (requirements.node, pytest.mark.node),
    "rust": (requirements.cargo, pytest.mark.rust),
}
"""What a test of each language needs, and its marker."""


@pytest.mark.parametrize("language", [pytest.param(name, marks=NEEDS[name][1]) for name in swept_one(languages())])
def test_a_new_skeleton_is_built_and_green(language: str, tmp_path: Path) -> None:
    """It passes `bridge check` and the first run named in its README."""
    need, _ = NEEDS[language]
    need()
    folder = tmp_path / "mine"
    chosen = write_skeleton(language, folder)
    if chosen.build:
        build = subprocess.run(shlex.split(chosen.build), cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603
        assert build.returncode == 0, build.stdout + build.stderr
    words = [str(folder / word) if is_path(folder, word) else word for word in shlex.split(chosen.run)]
    checked = kafka_conformance("bridge", "check", "--", *words)
    assert checked.status == 0, checked.text
    assert "look at it" not in checked.text
    first = suite(f"--impl=stdio:{shlex.join(words)}", *WITHOUT_SEARCH)
    assert "no findings" in first.ended(0)


def is_path(folder: Path, word: str) -> bool:
    """Tell whether a word of a command is about the skeleton's folder, as `target/harness/*` and `main.mjs` are."""
    return "/" in word or (folder / word).is_file()


@pytest.mark.node
def test_an_error_of_the_mapping_is_no_refusal_in_javascript(tmp_path: Path) -> None:
    """It has its place."""
    requirements.node()
    chosen = write_skeleton("javascript", tmp_path / "mine")
    place = tmp_path / "mine" / chosen.place
    own = "import { HarnessError } from './bridge/outcomes.mjs'\n" + place.read_text(encoding="utf-8")
    fails = "function writeHeartbeat({ GroupId, GenerationId, MemberId }) {\n"
    assert own.count(fails) == 1
    place.write_text(own.replace(fails, f"{fails}  throw new HarnessError('refused')\n"), encoding="utf-8")
    release = load_release(newest_release())
    with closing(JsonLinesProcess(program(("node", str(place.with_name("main.mjs")))))) as process:
        value = {"GroupId": "", "GenerationId": 0, "MemberId": ""}
        request = {"op": "encode", "message": "HeartbeatRequest", "version": 0, "value": value}
        reply = process.exchange([hello_request(release), request])[1]
    assert reply["outcome"] == "harness-error"
    assert "writeHeartbeat" in reply["text"]
    assert re.fullmatch(r"refused, .*\(library\.mjs:\d+:\d+\)", reply["text"])


@pytest.mark.parametrize("language", languages())
def test_a_skeleton_has_a_marked_place_and_its_commands(language: str, tmp_path: Path) -> None:
    chosen = write_skeleton(language, tmp_path / "mine")
    readme = (tmp_path / "mine" / "README.md").read_text(encoding="utf-8")
    assert "YOUR CODEC" in (tmp_path / "mine" / chosen.place).read_text(encoding="utf-8")
    assert [words for words in wanted(chosen) if words not in readme] == []


def wanted(chosen: Skeleton) -> list[str]:
    return [
        chosen.build,
        "kafka-conformance bridge check -- ",
        'kafka-conformance run -m "not hypothesis" --impl "stdio:',
    ]


def test_a_skeleton_has_no_products_of_a_tool_chain(tmp_path: Path) -> None:
    for language in languages():
        write_skeleton(language, tmp_path / language)
    names = {file.name for file in tmp_path.rglob("*")}
    assert not names & {"target", "node_modules", "bin", "obj", "Cargo.lock", "package-lock.json", "bridge.toml"}
    assert [name for name in names if name.endswith(".template")] == []


def test_the_languages_are_those_of_the_folders_with_a_description() -> None:
    assert set(languages()) == NEEDS.keys()


SPOKEN = {"C++": "cpp", "C#": "csharp"}
"""Languages whose name is no word."""


@pytest.mark.parametrize("document", ["README.md", "docs/tutorials/another-language.md"])
def test_documentation_names_the_languages_of_the_option(document: str) -> None:
    text = " ".join((ROOT / document).read_text(encoding="utf-8").split())
    lists = re.findall(r"\bin (C\+\+, [^.;]*? or \w+)", text)
    named = [re.split(r", | or ", words) for words in lists]
    assert [sorted(SPOKEN.get(name, name.lower()) for name in names) for names in named] == [languages()] * len(named)
    assert named


@pytest.mark.parametrize("language", languages())
def test_a_newcomer_reads_600_words_before_the_first_run(language: str, tmp_path: Path) -> None:
    """The tutorial up to its last section, and the skeleton's own page up to the table of outcomes."""
    write_skeleton(language, tmp_path / "mine")
    section = (ROOT / "docs/tutorials/another-language.md").read_text(encoding="utf-8").partition("## Go on")[0]
    own = (tmp_path / "mine" / "README.md").read_text(encoding="utf-8").partition("## Which outcome")[0]
    assert len(f"{section} {own}".split()) <= 600


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """Nothing is written there."""
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    result = invoke("new", "harness", "--language", "cpp", str(tmp_path))
    assert result.exit_code == 1
    assert result.output.replace(str(tmp_path), "…") == snapshot
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    result = invoke("new", "harness", "--language", "cpp", str(tmp_path / "mine"))
    assert result.exit_code == 1
    assert result.output.replace(str(tmp_path), "…") == snapshot


def test_the_next_steps_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke("new", "harness", "--language", "cpp", "mine")
    assert result.exit_code == 0
    assert result.output == snapshot


@pytest.mark.parametrize("name", ["mine", "missing/mine", "empty"])
def test_a_full_disk_leaves_nothing_of_a_skeleton(tmp_path: Path, name: str) -> None:
    """So the same command succeeds later."""
    (tmp_path / "empty").mkdir()
    words = ("new", "harness", "--language", "go", str(tmp_path / name))
    done = on_a_full_disk(lambda: main(words), 1000)
    assert "make room there" in done.ended(1)
    assert [path.name for path in tmp_path.rglob("*")] == ["empty"]
    assert invoke(*words).exit_code == 0


def test_a_folder_with_a_dash_at_its_beginning_is_no_option_of_the_next_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke("new", "harness", "--language", "cpp", "--", "-mine it")
    assert "    cd './-mine it'\n" in result.output
