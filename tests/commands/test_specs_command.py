import json
import os
import re
from pathlib import Path

import pytest
from click.testing import Result
from syrupy.assertion import SnapshotAssertion

from conformance.definitions import maven, published
from reference.release import FURTHER
from tests.commands.test_specs_diff import NO_CHANGES, counts
from tests.definitions.conftest import MakeJar
from tests.helpers.runs import error_of, invoke

COPY = """
for argument; do case "$argument" in
    -DoutputDirectory=*) output=${argument#-DoutputDirectory=} ;;
esac; done
for pom in */pom.xml; do name=${pom%/pom.xml}
"""
"""What every fake Maven begins with: the folder for jars, and for each project the name of its artifact."""

ABSENT = 'echo "[ERROR] Unable to find. Could not find artifact org.apache.kafka:$name:jar:1.0.0 in somewhere"; done\n'
KNOWN_ABSENT = 'echo "[ERROR] org.apache.kafka:$name:jar:1.0.0 was not found in somewhere before"; done\n'
NO_PLUGIN = 'echo "[ERROR] Could not find artifact org.apache.maven.plugins:maven-dependency-plugin:jar:1"; done\n'
NO_NETWORK = 'echo "[ERROR] Could not transfer artifact org.apache.kafka:$name:jar:1.0.0: Unknown host"; done\n'


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of programs before all others, beside the cache of fetched files."""
    folder = tmp_path / "tools"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}/usr/bin{os.pathsep}/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv(FURTHER, "")
    install(folder, "java", "")
    return folder


def install(tools: Path, name: str, script: str) -> None:
    (tools / name).write_text(f"#!/bin/sh\n{script}")
    (tools / name).chmod(0o755)


def run(*arguments: str | Path) -> Result:
    return invoke("specs", *map(str, arguments))


def serve(tools: Path, jar: Path, otherwise: str) -> None:
    install(tools, "mvn", f'{COPY}if [ "$name" = kafka-clients ]; then cp "{jar}" "$output"; continue; fi\n{otherwise}')


def test_import_from_a_jar_counts_its_definitions_and_names_their_folder(
    make_jar: MakeJar, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    result = run("import", "--release", "1.0.0", "--from", make_jar("kafka-a-1.jar", "A"), "--output", tmp_path / "out")
    assert result.output.replace(str(tmp_path), "…") == snapshot


def test_list_shows_the_committed_releases() -> None:
    [line] = [line for line in run("list").output.splitlines() if line.startswith("4.3.0: ")]
    assert re.findall(r"\b\d+\b(?!\.)", line.partition(": ")[2]) == ["281", "273", "739", "430"]


@pytest.mark.parametrize("otherwise", [ABSENT, KNOWN_ABSENT])
def test_artifact_missing_in_a_release_is_left_out(
    tools: Path, make_jar: MakeJar, tmp_path: Path, otherwise: str
) -> None:
    serve(tools, make_jar("kafka-clients-1.0.0.jar", "A"), otherwise)
    result = run("import", "--release", "1.0.0", "--output", tmp_path / "out")
    assert result.exit_code == 0
    assert result.stderr.partition(": ")[2] == f"{', '.join(maven.ARTIFACTS[1:])}\n"


def test_jar_is_fetched_once(tools: Path, make_jar: MakeJar, tmp_path: Path) -> None:
    serve(
        tools, make_jar("kafka-clients-1.0.0.jar", "A"), f'cp "{make_jar("empty.jar")}" "$output/$name-1.0.0.jar"; done'
    )
    assert run("import", "--release", "1.0.0", "--output", tmp_path / "out").exit_code == 0
    install(tools, "mvn", NO_NETWORK)
    assert run("import", "--release", "1.0.0", "--output", tmp_path / "out").exit_code == 0


def test_artifact_without_definitions_is_no_source(tools: Path, make_jar: MakeJar, tmp_path: Path) -> None:
    serve(
        tools, make_jar("kafka-clients-1.0.0.jar", "A"), f'cp "{make_jar("empty.jar")}" "$output/$name-1.0.0.jar"; done'
    )
    assert run("import", "--release", "1.0.0", "--output", tmp_path / "out").exit_code == 0
    manifest = json.loads((tmp_path / "out" / "1.0.0" / "release.json").read_text())
    assert [each["source"] for each in manifest["sources"]] == ["kafka-clients"]


def test_missing_release_is_fetched_and_compared(tools: Path, make_jar: MakeJar, tmp_path: Path) -> None:
    serve(tools, make_jar("kafka-clients-5.0.0.jar", "A"), ABSENT.replace("1.0.0", "5.0.0"))
    result = run("diff", "5.0.0", make_jar("kafka-clients-2.0.0.jar", "A", "B"))
    assert result.exit_code == 0
    assert counts(result.stdout) == {**NO_CHANGES, "compatible": 1}
    assert (tmp_path / "cache" / "kafka-wire-conformance" / "releases-1" / "5.0.0" / "A.json").is_file()


def test_an_unknown_release_is_distinguished_from_a_missing_artifact(
    tools: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    install(tools, "mvn", COPY + ABSENT)
    result = run("import", "--release", "1.0.0", "--output", tmp_path / "out")
    assert error_of(result, 1) == snapshot


@pytest.mark.parametrize("trouble", [NO_PLUGIN, NO_NETWORK], ids=["plugin", "network"])
def test_trouble_of_maven_is_not_taken_for_an_unknown_release(
    tools: Path, tmp_path: Path, trouble: str, snapshot: SnapshotAssertion
) -> None:
    install(tools, "mvn", COPY + trouble)
    result = run("import", "--release", "1.0.0", "--output", tmp_path / "out")
    assert error_of(result, 1).replace(str(tmp_path), "…") == snapshot


def test_trouble_with_a_later_artifact_stops_the_import(tools: Path, make_jar: MakeJar, tmp_path: Path) -> None:
    """No release is imported in part because the network failed."""
    serve(tools, make_jar("kafka-clients-1.0.0.jar", "A"), NO_NETWORK)
    result = run("import", "--release", "1.0.0", "--output", tmp_path / "out")
    assert result.exit_code == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("present", "missing"), [("java", "Maven (mvn)"), ("mvn", "Java (java)")])
def test_missing_tool_is_named(
    tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, present: str, missing: str
) -> None:
    (tools / "java").unlink()
    install(tools, present, "")
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    result = run("import", "--release", "1.0.0", "--output", tmp_path / "out")
    assert error_of(result, 1).startswith(f"{missing} is not ")


def test_broken_definition_is_shown_and_not_a_traceback(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    text = '{ "type": "data", "name": "A", "validVersions": "0+", "flexibleVersions": "none" }'
    (tmp_path / "A.json").write_text(text)
    result = run("import", "--release", "1.0.0", "--from", tmp_path, "--output", tmp_path / "out")
    assert error_of(result, 1) == snapshot


def test_release_has_to_be_named() -> None:
    """Wrong usage has the exit status 2."""
    assert run("import").exit_code == 2


def test_an_installation_imports_into_the_users_cache(
    make_jar: MakeJar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installation may be read-only, and goes with the next upgrade."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv(FURTHER, "")
    monkeypatch.setattr(published, "checkout", lambda: None)
    result = run("import", "--release", "1.0.0", "--from", make_jar("kafka-a-1.jar", "A"))
    assert f"written to {tmp_path / 'cache' / 'kafka-wire-conformance' / 'releases-1' / '1.0.0'}" in result.output
    assert run("show", "A", "1", "--release", "1.0.0").exit_code == 0
