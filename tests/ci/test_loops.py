"""Loops over codecs, servers, clients and consumers: what they choose, run, and leave out."""

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from conformance import adapters
from conformance.adapters.harnesses.libraries import ForeignLibrary
from reference import newest_release, releases
from tests.ci import codecs, programs
from tests.ci.codecs import KINDS, Codec
from tests.ci.loop import ROOT, Loop, chosen, chosen_releases
from tests.programs.clients import CLIENTS

NEWEST = newest_release()
OLDEST = next(release for release in releases() if release != NEWEST)
FRANZ_GO = codecs.foreign_codecs()["franz_go"]
NOWHERE = "a-tool-of-nobody"


def make(*words: str) -> subprocess.CompletedProcess[str]:
    """Run make with this Python in place of a new environment."""
    folder = Path(sys.executable).parent
    stamps = [option for stamp in (".python", ".adapters", ".dev") for option in ("--old-file", f".venv/{stamp}")]
    command = ["make", "--silent", *stamps, "VENV=.venv", f"BIN={folder}", *words]
    outside = {name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MAKEOVERRIDES"}}
    return subprocess.run(command, cwd=ROOT, env=outside, capture_output=True, text=True, check=False)  # noqa: S603  # a tool


@pytest.mark.parametrize(
    ("target", "choice", "problem"),
    [("foreign", "FOREIGN=", "no codec"), ("servers-test", "SERVERS=nobody", "server .* nobody")],
)
def test_make_refuses_an_empty_or_unknown_choice(target: str, choice: str, problem: str) -> None:
    done = make(target, choice)
    assert done.returncode != 0
    assert re.search(rf"{problem}\b.*; there are: ", done.stderr)


def test_make_without_a_choice_loops_over_everything() -> None:
    assert make("--dry-run", "foreign").stdout.split()[-4:] == ["codecs", "foreign", "-n", "2"]


def test_an_empty_list_of_everything_is_refused() -> None:
    with pytest.raises(click.UsageError, match=r"no codec\b.*: none"):
        chosen("codec", None, [])


def test_names_are_taken_in_the_given_order() -> None:
    assert chosen("codec", ["b", "a"], ["a", "b", "c"]) == ["b", "a"]


def test_the_newest_release_is_the_first() -> None:
    assert chosen_releases(None)[0] == NEWEST
    assert set(chosen_releases(None)) == set(releases())
    assert chosen_releases([OLDEST, "newest"]) == [NEWEST, OLDEST]


def test_foreign_codecs_are_those_of_the_registry() -> None:
    libraries = {name for name, each in vars(adapters).items() if isinstance(each, ForeignLibrary)}
    assert set(codecs.foreign_codecs()) == libraries


def test_python_codecs_are_the_packages_of_adapters() -> None:
    packages = {file.parent.name for file in codecs.PACKAGE.glob("*/__init__.py")} - {"harnesses"}
    assert set(codecs.python_codecs()) == packages


@pytest.mark.parametrize("kind", ["python", "foreign", "apache-kafka", "apache-kafka-records"])
def test_each_codec_has_a_file_of_known_failures(kind: str) -> None:
    assert all(codec.known_failures and codec.known_failures.is_file() for codec in KINDS[kind]().values())


def test_each_client_has_a_session_and_known_failures() -> None:
    assert {file.stem for file in programs.SESSIONS.glob("*.jsonl")} == set(CLIENTS)
    assert {file.stem for file in (programs.PROGRAMS / "clients" / "known_failures").iterdir()} == set(CLIENTS)


def test_each_consumer_is_a_folder() -> None:
    assert {folder.name for folder in programs.CONSUMERS.iterdir() if folder.is_dir()} == set(programs.EXAMPLES)


def test_run_of_an_older_release_leaves_equal_versions_to_the_newest() -> None:
    base = f"--base-release={NEWEST}"
    assert base in FRANZ_GO.command(OLDEST, based=True, workers=1)
    assert base not in FRANZ_GO.command(NEWEST, based=False, workers=1)


def test_apache_kafka_has_no_base_since_each_release_is_a_codec_of_its_own() -> None:
    command = KINDS["apache-kafka"]()["apache_kafka"].command(OLDEST, based=True, workers=1)
    assert not [word for word in command if word.startswith("--base-release")]
    assert any(word.endswith(f"apache_kafka {OLDEST}") for word in command)


def test_kio_draws_values_against_the_newest_release_alone() -> None:
    kio = codecs.python_codecs()["kio"]
    assert "not hypothesis" not in kio.command(NEWEST, based=False, workers=1)
    assert "not hypothesis" in kio.command(OLDEST, based=True, workers=1)


def test_reports_have_the_name_of_codec_and_release() -> None:
    assert f"--report={ROOT}/build/reports/franz_go-{NEWEST}.jsonl" in FRANZ_GO.command(NEWEST, based=False, workers=1)
    assert not Codec("a", "b").reported


def test_a_missing_tool_is_skipped_by_name(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    loop = Loop()
    assert not loop.can_run("kafkajs", (NOWHERE,))
    assert re.fullmatch(rf"skipped: kafkajs\b.* {NOWHERE}\n", capsys.readouterr().out)
    loop.end()


def test_a_missing_tool_is_an_error_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    loop = Loop()
    loop.can_run("kafkajs", (NOWHERE,))
    with pytest.raises(click.ClickException, match=f"kafkajs \\(needs {NOWHERE}\\)"):
        loop.end()


def test_a_loop_goes_on_after_a_failure_and_names_it_at_its_end(tmp_path: Path) -> None:
    loop = Loop()
    text = tmp_path / "new" / "run.txt"
    assert not loop.run("first", [sys.executable, "-c", "raise SystemExit(1)"])
    assert loop.run("second", [sys.executable, "-c", "print(1)"], text=text)
    assert text.read_text(encoding="utf-8") == "1\n"
    with pytest.raises(click.ClickException, match="failed: first"):
        loop.end()


def test_a_site_of_no_reports_is_refused(tmp_path: Path) -> None:
    with pytest.raises(click.UsageError, match="no report"):
        programs.report_site(tmp_path, None)
