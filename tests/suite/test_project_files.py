import ast
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from reference import releases

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def test_ci_runs_every_python_of_the_classifiers() -> None:
    matrix = re.search(r"python: \[(.*)\]", read(".github/workflows/ci.yml"))
    assert matrix is not None
    tested = re.findall(r'"(3\.\d+)"', matrix[1])
    prefix = "Programming Language :: Python :: 3."
    classifiers = [line.removeprefix(prefix) for line in PYPROJECT["project"]["classifiers"] if line.startswith(prefix)]
    assert tested == [f"3.{minor}" for minor in classifiers]
    assert PYPROJECT["project"]["requires-python"] == f">={tested[0]}"


def test_hooks_run_the_tools_of_make_lint() -> None:
    lint = re.search(r"^lint:.*\n((?:\t.*\n)+)", read("Makefile"), re.MULTILINE)
    assert lint is not None
    hooks = re.findall(r"entry: \.venv/bin/([a-z-]+)", read(".pre-commit-config.yaml"))
    assert hooks == re.findall(r"\$\(BIN\)/([a-z-]+)", lint[1])


def test_the_night_searches_in_every_codec_in_python() -> None:
    [codecs] = re.findall(r"implementation: \[(.*)\]", read(".github/workflows/nightly.yml"))
    files = (ROOT / "conformance" / "adapters").glob("*/known_failures.toml")
    assert codecs.split(", ") == [*sorted(file.parent.name for file in files), "reference"]


def test_every_installed_tool_is_pinned() -> None:
    pinned = {line.partition("==")[0].lower() for line in read("constraints.txt").splitlines() if "==" in line}
    needed = [entry for group in PYPROJECT["dependency-groups"].values() for entry in group if isinstance(entry, str)]
    names = {re.split(r"[<>=]", entry)[0].lower() for entry in needed}
    assert names <= pinned


@pytest.mark.parametrize("name", ["adapters", "dev", "docs"])
def test_installed_packages_are_locked_by_version_and_checksum_without_addresses(name: str) -> None:
    text = read(f".ci/requirements/{name}.txt")
    pinned = {line.lower().replace("_", "-") for line in read("constraints.txt").splitlines() if "==" in line}
    entries = [entry.splitlines() for entry in re.split(r"^(?=\w)", text, flags=re.MULTILINE) if entry.strip()]
    tested = [head for head, *_ in entries if "'win32'" not in head]
    assert {re.split(r"[ ;]", head)[0].lower() for head in tested} <= pinned
    assert all(re.fullmatch(r" +--hash=sha256:[0-9a-f]{64}( \\)?", line) for _, *lines in entries for line in lines)
    assert all(lines for _, *lines in entries)
    assert "http" not in text


CODE = re.compile(r"\.(py|mjs|go|java|rs|yml)$|^Makefile$|^\.ci/run$")
TAG_OF_ACTION = re.compile(r"@[0-9a-f]{40} # v[\d.]+")
ABOUT_A_RELEASE = {
    "adapters/test_reference.py": "ControlledShutdown has header 0 in 3.9.1 alone",
    "adapters/test_refusals.py": "a response in which 3.9.1 has two fields in another order",
    "codec/bridge/test_readme.py": "the output in a README",
    "commands/test_release.py": "changes since the release before one",
    "commands/test_specs_command.py": "the counts of a release",
    "commands/test_specs_diff.py": "changes between two releases",
    "commands/test_specs_show.py": "the newest version of a message in a release",
    "report/explain/test_readme.py": "the output in a README",
    "judge/findings/test_ratchet.py": "LeaderAndIsrRequest is gone from 4.3.0",
    "judge/findings/test_ratchet_update.py": "StopReplicaRequest is gone from 4.3.0",
    "vectors/conftest.py": "ids of vectors, which have the name of a release",
    "vectors/test_archive.py": "ids of vectors, which have the name of a release",
    "vectors/test_enumeration.py": "the depth of pairs of a release",
    "vectors/test_files.py": "ids of vectors, which have the name of a release",
    "vectors/test_releases.py": "what a release takes of the vectors of another",
    "adapters/harnesses/conftest.py": "facts of the jars of a release",
    "adapters/harnesses/test_apache_kafka.py": "facts of the jars of a release",
    "adapters/harnesses/test_apache_kafka_facts.py": "facts of the jars of a release",
    "adapters/harnesses/test_go.py": "StopReplicaRequest is gone from 4.3.0",
    "adapters/harnesses/test_rust.py": "what the definitions of a crate have of a release",
    "helpers/limits.py": "the first release with limits, and the last without",
    "old_releases/test_comparison.py": "a library of its time",
    "reference/evolution/test_bytes.py": "changes between two releases",
    "reference/records/test_compression.py": "what readers of a release do",
    "reference/records/test_records.py": "what readers of a release do",
    "reference/test_error_codes.py": "the number of error codes of a release",
    "reference/test_frames.py": "ControlledShutdown has header 0 in 3.9.1 alone",
    "reference/test_headers.py": "APIs that 3.9.1 lacks",
    "reference/test_prefixed.py": "keys that have their version in front in 3.9.1",
    "specs/citations.py": "the number of a release that could be one of a rule",
    "specs/release_examples.py": "the tables of the book, which count in one release",
    "specs/test_citations.py": "the number of a release that could be one of a rule",
    "suite/test_base_release.py": "what three releases share",
}
"""The tests that are about facts of one release, each with these."""


def texts_of(path: str) -> Iterator[str]:
    """Yield the texts of a file of code, of Python its strings without docstrings, else its lines."""
    if not path.endswith(".py"):
        yield from TAG_OF_ACTION.sub("", read(path)).splitlines()
        return
    nodes = list(ast.walk(ast.parse(read(path))))
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def test_the_number_of_a_release_stands_in_data_alone() -> None:
    """Programs and tests ask for the newest, or take a constant of `tests.helpers.releases`."""
    names = re.compile(rf"(?<![\d.])({'|'.join(map(re.escape, releases()))})(?![\d.]*\d)")
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    tracked = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()  # noqa: S603
    code = [path for path in tracked if CODE.search(path) and (ROOT / path).is_file()]
    naming = {path for path in code if any(map(names.search, texts_of(path)))} - {"tests/suite/test_project_files.py"}
    assert naming == {f"tests/{path}" for path in ABOUT_A_RELEASE}
