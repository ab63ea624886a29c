"""The section `[tool.kafka-conformance]` of a user's pyproject.toml."""

import os
import random
import re
from contextlib import suppress
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.suite.project_options import REPOSITORY, BadProjectOption, ProjectOptions, project_options
from tests.helpers.releases import NEWEST, OLDEST
from tests.helpers.runs import command, invoke, kafka_conformance, replay_lines
from tests.installation.environments import write_codecs


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_codecs(tmp_path)


def section(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(f"[tool.kafka-conformance]\n{text}\n")


OPTIONS = {
    "module": ("impl = 'mine.adapter'", {"impl": "mine.adapter"}),
    "file": ("impl = 'codecs/mine.py:Codec'", {"impl": "./codecs/mine.py:Codec"}),
    "file of this folder": ("impl = 'mine.py'", {"impl": "./mine.py"}),
    "harness": ("impl = 'stdio:./harness --fast'", {"impl": "stdio:./harness --fast"}),
    "program on the path": ("impl = 'stdio:java -jar x.jar'", {"impl": "stdio:java -jar x.jar"}),
    "one glob": ("messages = 'Fetch*'", {"messages": ("Fetch*",)}),
    "several globs": ("messages = ['Fetch*', 'Vote*']", {"messages": ("Fetch*", "Vote*")}),
    "workers": ("workers = 2", {"workers": 2}),
    "paths": (
        "report = 'r.jsonl'\nknown-failures = 'k.toml'",
        {"report": Path("r.jsonl"), "known-failures": Path("k.toml")},
    ),
    "release": (f"release = '{OLDEST}'", {"release": OLDEST}),
}


@pytest.mark.parametrize(("text", "values"), OPTIONS.values(), ids=OPTIONS)
def test_options_are_read(folder: Path, text: str, values: dict[str, object]) -> None:
    section(folder, text)
    assert project_options(folder).values == values


def test_paths_are_relative_to_the_folder_of_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section(folder, "impl = 'mine.py'\nreport = 'r.jsonl'\nrelease = 'specs/mine'")
    (folder / "deep").mkdir()
    monkeypatch.chdir(folder / "deep")
    values = {"impl": "../mine.py", "report": Path("../r.jsonl"), "release": "../specs/mine"}
    assert project_options(folder / "deep").values == values


def test_the_nearest_file_counts(folder: Path) -> None:
    section(folder, f"release = '{OLDEST}'")
    (folder / "deep").mkdir()
    (folder / "deep" / "pyproject.toml").write_text("[project]\n")
    assert project_options(folder / "deep").values == {}


@pytest.mark.parametrize("mark", REPOSITORY)
def test_the_search_ends_at_the_top_of_a_repository(folder: Path, mark: str) -> None:
    section(folder, f"release = '{OLDEST}'")
    (folder / "clone" / "src").mkdir(parents=True)
    (folder / "clone" / mark).touch()  # a file in a worktree of git
    assert project_options(folder / "clone" / "src") == ProjectOptions()


def test_the_file_at_the_top_of_a_repository_counts(folder: Path) -> None:
    section(folder, f"release = '{OLDEST}'")
    (folder / ".git").mkdir()
    (folder / "src").mkdir()
    assert project_options(folder / "src").values == {"release": OLDEST}


def test_the_search_ends_at_the_home_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section(folder, f"release = '{OLDEST}'")
    (folder / "home" / "project").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder / "home"))
    assert project_options(folder / "home" / "project") == ProjectOptions()


def test_a_file_of_another_user_is_named_and_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    section(folder, "nonsense = 1")
    (folder / "src").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: folder.stat().st_uid + 1)
    options = project_options(folder / "src")
    assert (options.values, options.file) == ({}, folder / "pyproject.toml")
    assert options.taken(["impl"]) == snapshot


def test_a_file_of_the_user_above_one_of_another_is_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    section(folder, f"release = '{OLDEST}'")
    (folder / "src").mkdir()
    foreign = folder / "src" / "pyproject.toml"
    foreign.touch()
    monkeypatch.setattr("conformance.suite.project_options._is_of_this_user", lambda file: file != foreign)
    assert project_options(folder / "src").values == {}


MISTAKES = {
    "misspelt": "implementation = 'x'",
    "underscore": "known_failures = 'x'",
    "type": "workers = 'two'",
    "boolean": "workers = true",
    "list": "messages = [1]",
    "path": "report = 1",
    "broken": "x = ",
    "many workers": "workers = 99999999999999999999999",
    "negative workers": "workers = -1",
    "open quote": 'impl = "stdio:\'open"',
    "no command": "impl = 'stdio:'",
    "NUL": r'report = "a\u0000b"',
    "NUL in a list": r'messages = ["a\u0000b"]',
    "long": f"workers = '{'x' * 5_000}'",
}


@pytest.mark.parametrize("text", MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named_with_its_file(folder: Path, text: str, snapshot: SnapshotAssertion) -> None:
    section(folder, text)
    with pytest.raises(BadProjectOption) as caught:
        project_options(folder)
    assert re.sub("(?<=not TOML: ).*", "…", str(caught.value).replace(str(folder), "…")) == snapshot


@pytest.mark.parametrize(
    ("text", "problem"),
    [('tool = "x"', "tool is 'x', not a table"), ("[tool]\nkafka-conformance = 3", "it is 3, not a table")],
)
def test_section_of_another_type_than_a_table_is_named(folder: Path, text: str, problem: str) -> None:
    (folder / "pyproject.toml").write_text(text)
    with pytest.raises(BadProjectOption, match=rf"\[tool\.kafka-conformance\]: {problem}"):
        project_options(folder)


SOUND = """[tool.kafka-conformance]
impl = "stdio:./harness --fast 'a b'"
known-failures = "known.toml"
release = "specs/mine"
messages = ["Fetch*", "Vote*"]
report = "build/report.jsonl"
workers = 2
"""
VALUES = (
    *["0", "-1", "1e400", "nan", "true", "[]", "{}", "[[1]]", "1979-05-27"],
    '"""',
    "'stdio:\"'",
    r'"\u001b[31m"',
    r'"\u0000"',
)
KEYS = ("impl", "known-failures", "release", "messages", "report", "workers", "tool", "[tool]", "a.b.c")
DAMAGED = 200


def damaged(seed: int) -> bytes:
    """Return a section after some damage, cut, with other bytes, or with values of other types."""
    chance = random.Random(seed)  # noqa: S311  # the damage is the same in each run
    if seed % 3 == 0:
        lines = [f"{chance.choice(KEYS)} = {chance.choice(VALUES)}" for _ in range(chance.randrange(1, 4))]
        return "\n".join([chance.choice(("", "[tool.kafka-conformance]")), *lines]).encode()
    content = bytearray(SOUND.encode())
    for _ in range(chance.randrange(1, 5)):
        content[chance.randrange(len(content))] = chance.randrange(256)
    return bytes(content[: chance.randrange(len(content))] if seed % 3 == 1 else content)


def test_a_damaged_file_is_an_error_with_its_place_or_sound(folder: Path) -> None:
    file = folder / "pyproject.toml"
    for seed in range(DAMAGED):
        file.write_bytes(damaged(seed))
        with suppress(BadProjectOption):
            project_options(folder)


def test_the_first_line_of_a_run_names_the_options(folder: Path) -> None:
    """A run that ends before its first test has the line, too."""
    section(folder, "impl = 'stdio:./nothing'")
    first, *_ = kafka_conformance("run", "-q", folder=folder).ended(4).splitlines()
    assert first.endswith("pyproject.toml: impl")


def test_a_run_without_an_implementation_names_the_options_too(folder: Path) -> None:
    section(folder, f"release = '{OLDEST}'")
    first, *_ = kafka_conformance("run", folder=folder).ended(4).splitlines()
    assert first.endswith("pyproject.toml: release")


def test_report_named_in_the_project_replaces_no_other_file(folder: Path) -> None:
    section(folder, "impl = 'my_codec.py'\nreport = 'victim.txt'")
    (folder / "victim.txt").write_text("precious")
    text = kafka_conformance("run", "--collect-only", folder=folder).ended(4)
    assert re.search(r"\.txt .*not a report; ", text)
    assert (folder / "victim.txt").read_text() == "precious"


def test_run_uses_and_prints_project_options(folder: Path) -> None:
    section(folder, f"impl = 'my_codec.py'\nmessages = 'HeartbeatResponse'\nrelease = '{OLDEST}'")
    done = kafka_conformance("run", "-k", "edge", folder=folder)
    [line] = [line for line in done.ended(0).splitlines() if line.startswith("options from ")]
    assert line.endswith(": impl, messages, release")
    assert f"mine 1 against Kafka {OLDEST}, 1 message version" in done.text


def test_the_command_line_wins(folder: Path) -> None:
    section(folder, "impl = 'no_such_file.py'\nmessages = 'Nope'")
    done = kafka_conformance("run", "--impl=./my_codec.py", "--messages=HeartbeatResponse", "-k", "edge", folder=folder)
    assert "options from" not in done.ended(0)


def test_they_can_be_ignored(folder: Path) -> None:
    section(folder, "messages = 'Nope'")
    kafka_conformance("run", "--ignore-project", "--impl=./my_codec.py", "-k", "edge", folder=folder).ended(0)


def test_workers_have_them_too(folder: Path) -> None:
    section(folder, "impl = 'my_codec.py'\nworkers = 1")
    assert "1 worker" in kafka_conformance("run", "-k", "edge", folder=folder).ended(0)


def test_replay_uses_and_prints_project_options(folder: Path) -> None:
    section(folder, f"impl = 'my_codec.py'\nrelease = '{OLDEST}'")
    case = ("--message", "HeartbeatResponse", "--version", "0", "--wire", "000000000000")
    done = kafka_conformance("replay", *case, folder=folder)
    [line] = [line for line in done.ended(0).splitlines() if line.startswith("options from ")]
    assert line.endswith(": impl, release")
    assert "mine decodes" in done.text


def test_replay_lines_name_the_release(folder: Path) -> None:
    """The replay would otherwise take the file's release."""
    section(folder, f"impl = 'my_wrong_codec.py'\nrelease = '{OLDEST}'")
    done = kafka_conformance("run", f"--release={NEWEST}", "-k", "edge", folder=folder)
    lines = replay_lines(done.ended(1))
    assert lines
    assert all("./my_wrong_codec.py" in line and f"--release {NEWEST}" in line for line in lines)


def test_commands_without_tests_read_no_options(folder: Path) -> None:
    section(folder, "nonsense = 1")
    (folder / "my_codec.py").write_text("raise RuntimeError('imported')")
    for words in (("rules",), ("replay", "--help"), ("explain", "HeartbeatResponse", "0", "000000000000")):
        assert invoke(*words).exit_code == 0


def test_mistake_ends_a_command_with_tests(folder: Path) -> None:
    section(folder, "nonsense = 1")
    assert "no key 'nonsense'" in invoke("schema").output


def test_pytest_takes_them_for_the_suite_alone(folder: Path) -> None:
    section(folder, "impl = 'no_such_file.py'")
    (folder / "test_mine.py").write_text("def test_mine():\n    pass\n")
    done = command("-m", "pytest", "-p", "conformance.suite.plugin", str(folder / "test_mine.py"))
    assert "1 passed" in done.ended(0)
