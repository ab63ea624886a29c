"""Fetch the published jars of a release with Maven, which applies the user's mirrors, proxies and checksums."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import zipfile
from pathlib import Path

from conformance.definitions.sources import ImportFailedError, NoSuchArtifactError
from conformance.processes.run import run

GROUP = "org.apache.kafka"
CLIENTS = "kafka-clients"
CORE = "kafka_2.13"
ARTIFACTS = (
    CLIENTS,
    "kafka-group-coordinator",
    "kafka-metadata",
    "kafka-raft",
    "kafka-storage",
    "kafka-share-coordinator",
    "kafka-transaction-coordinator",
    "kafka-streams",
    CORE,
)
"""Every artifact with definitions. Releases before 4.0.0 lack some; all have `CLIENTS`. The core has had no definitions
since the coordinators are modules of their own."""

PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
SECONDS = 600
"""The time limit for one artifact."""


def coordinates(artifact: str, release: str) -> str:
    """Return the coordinates of an artifact of Kafka in Maven's form."""
    return f"{GROUP}:{artifact}:{release}"


def fetch(artifact: str, release: str, cache: Path) -> Path:
    """Return the jar of one artifact, from the cache if possible.

    Raises:
        NoSuchArtifactError: that release does not have the artifact.
        ImportFailedError: Maven or Java are missing, or Maven cannot fetch it.
    """
    jar = cache / release / f"{artifact}-{release}.jar"
    if not (jar.is_file() and zipfile.is_zipfile(jar)):  # an empty or cut one is fetched again
        jar.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=jar.parent) as folder:
            _copy(artifact, release, Path(folder))
            (Path(folder) / jar.name).replace(jar)
    return jar


def _copy(artifact: str, release: str, folder: Path) -> None:
    """Let Maven copy the jar into an empty folder; it also runs there, so that it finds no project."""
    name = coordinates(artifact, release)
    command = (_maven(), "-B", "-q", "-U", "-Dstyle.color=never", f"{PLUGIN}:copy", f"-Dartifact={name}")
    done = run((*command, f"-DoutputDirectory={folder}"), folder=folder, seconds=SECONDS)
    if done.bound:
        raise ImportFailedError(f"Maven did not fetch {name}: {done.bound}; try again later")
    if done.status != 0:
        raise _failure(artifact, release, done.text)


def _maven() -> str:
    maven = shutil.which("mvn")
    if maven is None:
        raise ImportFailedError(_missing("Maven (mvn)"))
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise ImportFailedError(_missing("Java (java)"))
    return maven


def _missing(tool: str) -> str:
    return f"{tool} is not on the path; Maven and Java are needed to fetch a release: install it, or use --from PATH"


def _failure(artifact: str, release: str, output: str) -> ImportFailedError:
    """Return an error that distinguishes a missing artifact from a repository that does not answer."""
    name = coordinates(artifact, release)
    jar = re.escape(f"{GROUP}:{artifact}:jar:{release}")
    if re.search(f"(?:Could not find artifact|Failure to find) {jar}|{jar} was not found in", output):
        return NoSuchArtifactError(f"there is no {name}")
    message = next((line for line in output.splitlines() if line.startswith("[ERROR]")), output.strip()[:500])
    return ImportFailedError(
        f"Maven could not fetch {name}; check its connection and settings, or import a jar with --from PATH.\n"
        f"Its message: {message or 'none'}"
    )
