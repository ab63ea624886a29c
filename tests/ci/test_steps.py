"""Which steps a change of some files runs."""

import re
import subprocess
from itertools import chain
from pathlib import Path

import pytest

from tests.ci.running import measured_steps
from tests.ci.steps import EVERYTHING, ROOT, STEPS, UnknownGroup, changed_paths, is_needed, needed, steps_of, table

CHANGE = steps_of("change")
CODECS = {"check-reference", "implementations", "foreign", "apache-kafka-records", "readme-check", "prove"}
REPORTING = ("implementations", "foreign", "servers", "sessions")
"""The steps that write reports for the site."""


def names(*paths: str) -> set[str]:
    return {step.name for step in needed(CHANGE, paths)}


def of(name: str) -> tuple[str, ...]:
    """Return the paths of a step of a change."""
    [step] = [step for step in CHANGE if step.name == name]
    return step.paths


ALL = {step.name for step in needed(CHANGE, None)}


def test_any_change_runs_every_step_but_the_part_of_another() -> None:
    assert {step.name for step in CHANGE} - {"test-docs"} == ALL


@pytest.mark.parametrize(
    "path", ["pyproject.toml", "reference/wire/tags.py", "specs/rules.toml", ".ci/run", "Makefile"]
)
def test_change_of_a_dependency_of_every_step_runs_everything(path: str) -> None:
    assert names(path) == ALL


@pytest.mark.parametrize(
    "path", ["LICENSE", "new/module.py", "conformance/new/module.py", "conformance/judge/oracle.py"]
)
def test_a_path_in_no_row_means_everything(path: str) -> None:
    assert names(path) == ALL


def test_one_unknown_path_among_known_ones_means_everything() -> None:
    assert names("docs/index.md", "new/module.py") == ALL


@pytest.mark.parametrize("path", ["docs/index.md", "docs/_ext/book.py", "README.md", "conformance/README.md"])
def test_pages_run_the_linters_and_the_documentation(path: str) -> None:
    assert names(path) == {"lint", "test-docs", "docs"}


def test_tests_of_pages_are_left_to_a_run_of_all_tests() -> None:
    assert names("docs/index.md", "tests/live/test_address.py") >= {"test", "docs"}
    assert "test-docs" not in names("docs/index.md", "tests/live/test_address.py")


def test_captures_and_connections_run_no_codec() -> None:
    run = names("conformance/live/address.py")
    assert not run & CODECS
    assert run >= {"lint", "test", "test-rest", "servers", "sessions", "site"}


def test_vectors_run_their_check_and_their_consumers() -> None:
    assert names("vectors/RELEASE/messages/FetchRequest.json") >= {"vectors-check", "consumers", "test"}
    assert not names("vectors/releases.json") & CODECS


def test_a_harness_in_go_runs_the_codec_in_go() -> None:
    assert names("conformance/adapters/harnesses/go/main.go") & CODECS == {"foreign"}
    assert not names("conformance/adapters/harnesses/rust/bridge/main.rs") & CODECS


def test_the_check_of_readme_runs_wherever_kio_does() -> None:
    assert of("readme-check") == of("implementations")


def test_the_site_runs_where_a_step_writes_reports_and_nowhere_else() -> None:
    assert set(of("site")) == set(chain.from_iterable(map(of, REPORTING)))


def test_chromium_is_installed_wherever_tests_need_it() -> None:
    assert of("browser") == of("test-rest")


def test_each_pattern_matches_a_file() -> None:
    files = tracked()
    patterns = {pattern for step in CHANGE for pattern in step.paths} | set(EVERYTHING)
    stale = [pattern for pattern in patterns if not any(_matches(file, pattern) for file in files)]
    assert not stale


def _matches(file: str, pattern: str) -> bool:
    return file.startswith(pattern) if pattern.endswith("/") else Path(file).match(pattern)


def tracked() -> list[str]:
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    return subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()  # noqa: S603


def test_each_code_file_runs_the_tests() -> None:
    """A change of code that no test sees could break anything; pages have tests of their own."""
    code = [file for file in tracked() if file.startswith(("conformance/", "tests/"))]
    assert code
    assert {name for file in code if not file.endswith(".md") for name in {"test", "test-rest"} - names(file)} == set()


def test_each_step_of_a_change_has_paths_and_a_name_of_its_own() -> None:
    assert all(step.paths for step in CHANGE)
    assert len({step.name for step in CHANGE}) == len(CHANGE)


def test_steps_of_an_unknown_group_are_refused() -> None:
    with pytest.raises(UnknownGroup, match=r"'codec'.* codecs, docs,"):
        steps_of("nightly", "codec")


def test_an_unknown_revision_means_everything() -> None:
    assert changed_paths("0" * 40) is None


def test_a_step_is_needed_without_a_revision_and_not_since_the_last_commit() -> None:
    assert is_needed("test", "")
    assert not is_needed("test", "HEAD")


def test_no_change_since_a_revision_has_no_paths() -> None:
    assert changed_paths("HEAD") == []


def test_the_durations_have_each_step_of_a_change_and_no_other() -> None:
    assert list(measured_steps()) == [step.name for step in CHANGE]


def test_table_has_a_line_for_each_step_with_its_commands() -> None:
    lines = table().splitlines()[2:]
    assert [line.split("|")[1].strip() for line in lines] == list(dict.fromkeys(step.name for step in STEPS))
    assert "| lint | `make lint` |  |" in lines


def test_steps_are_targets_of_make() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert {step.command.split()[1] for step in STEPS} <= targets
