"""Fetch the published jars of a release with Maven, which applies the user's mirrors, proxies and checksums.

One run of Maven fetches all artifacts of a release. Each is a project of its own, so an artifact missing from a release
fails alone.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from conformance.definitions.sources import GROUP, ImportFailedError
from conformance.system.folders import replacing_folder
from conformance.system.program_runs import run
from conformance.system.terminal import echo
from conformance.system.whole_files import explained
from reference.inputs.sums import SUMS, misfit, sums_in

if TYPE_CHECKING:
    from conformance.system.program_runs import Finished

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
"""Every artifact with definitions.

Releases before 4.0.0 lack some; all have `CLIENTS`. The core has had no definitions since the coordinators are modules
of their own.
"""

POM = "<project><modelVersion>4.0.0</modelVersion>{}<packaging>pom</packaging></project>"
COORDINATES = "<groupId>conformance</groupId><artifactId>{}</artifactId><version>1</version>"
COPY = """<properties><artifact>{}</artifact></properties><build><plugins><plugin>
<groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId><version>3.8.1</version>
<executions><execution><phase>validate</phase><goals><goal>copy</goal></goals></execution></executions>
</plugin></plugins></build>"""
"""The part of a POM for copying an artifact into the folder `outputDirectory`."""

NO_VERSION = "<parent><groupId>{}</groupId><artifactId>{}</artifactId><version>[999,)</version><relativePath/></parent>"
"""A parent in a nonexistent version. Maven fetches the list of the existing versions, and ends."""

SECONDS = 600
"""The time limit for one run."""


def coordinates(artifact: str, release: str) -> str:
    """Return the coordinates of an artifact of Kafka in Maven's form."""
    return f"{GROUP}:{artifact}:{release}"


def fetch(release: str, cache: Path) -> dict[str, Path]:
    """Return the jars of a release by artifact, from the cache if possible.

    Artifacts missing from the release are left out. Damaged jars are fetched again, with a line on standard error.

    Raises:
        ImportFailedError: there is no such release, Maven or Java are missing, or Maven cannot fetch it.
        NotWritten: the cache cannot be written.
    """
    folder = cache / release
    damage = misfit(folder)
    if damage:
        echo(f"{folder} is damaged ({damage}): fetching its jars again", err=True)
    if damage or not folder.is_dir():
        with explained(cache):
            cache.mkdir(parents=True, exist_ok=True)
        with replacing_folder(folder, lambda: None) as new:
            _copy(release, new)
            (new / SUMS).write_text(sums_in(new), encoding="utf-8")
    jars = {artifact: _jar(folder, artifact, release) for artifact in ARTIFACTS}
    return {artifact: jar for artifact, jar in jars.items() if jar.is_file()}


def _jar(folder: Path, artifact: str, release: str) -> Path:
    return folder / f"{artifact}-{release}.jar"


def _copy(release: str, to: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        for artifact in ARTIFACTS:
            (project / artifact).mkdir()
            pom = COORDINATES.format(artifact) + COPY.format(coordinates(artifact, release))
            (project / artifact / "pom.xml").write_text(POM.format(pom), encoding="utf-8")
        modules = "".join(f"<module>{artifact}</module>" for artifact in ARTIFACTS)
        pom = f"{COORDINATES.format('all')}<modules>{modules}</modules>"
        (project / "pom.xml").write_text(POM.format(pom), encoding="utf-8")
        # -U asks again for artifacts whose absence Maven remembers.
        done = _run(project, "-U", "--fail-at-end", "-T", "4", f"-DoutputDirectory={to}")
    if done.bound:
        raise ImportFailedError(f"Maven did not fetch Kafka {release}: {done.bound}; try again later")
    for artifact in ARTIFACTS:
        if not _jar(to, artifact, release).is_file():
            _check_absent(artifact, release, done.text)


def _check_absent(artifact: str, release: str, output: str) -> None:
    """Raise an error unless a release may lack an artifact, and Maven reports its absence."""
    name, jar = coordinates(artifact, release), re.escape(f"{GROUP}:{artifact}:jar:{release}")
    if not re.search(f"(?:Could not find artifact|Failure to find) {jar}|{jar} was not found in", output):
        raise _failure(name, output, f"jar:{release}")
    if artifact == CLIENTS:
        advice = "`kafka-conformance specs releases` lists those that there are"
        raise ImportFailedError(f"there is no release {release} of Apache Kafka: there is no {name}; {advice}")


def published_versions() -> tuple[str, ...]:
    """Return the versions of `CLIENTS` in the order of the repository, or raise `ImportFailedError` without a list."""
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        pom = NO_VERSION.format(GROUP, CLIENTS) + "<artifactId>list</artifactId>"
        (project / "pom.xml").write_text(POM.format(pom), encoding="utf-8")
        # In a local repository of its own Maven fetches the list anew, and leaves its file here.
        done = _run(project, f"-Dmaven.repo.local={project / 'repository'}")
        lists = sorted((project / "repository").rglob("maven-metadata*.xml"))
        try:
            elements = (ET.parse(file).iter("version") for file in lists)  # noqa: S314  # the user's repository
            versions = dict.fromkeys(element.text or "" for each in elements for element in each)
        except ET.ParseError:
            versions = {}
    if not versions:
        raise _failure(f"the list of versions of {GROUP}:{CLIENTS}", done.text, "metadata")
    return tuple(versions)


def _run(project: Path, *words: str) -> Finished:
    """Run Maven in a folder of its own, without another project."""
    command = (_maven(), "-B", "-q", "-Dstyle.color=never", *words, "validate")
    return run(command, folder=project, seconds=SECONDS)


def _maven() -> str:
    maven = shutil.which("mvn")
    if maven is None:
        raise ImportFailedError(_missing("Maven (mvn)"))
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        raise ImportFailedError(_missing("Java (java)"))
    return maven


def _missing(tool: str) -> str:
    return (
        f"{tool} is not on the path; Maven and Java are needed to fetch a release: install it, or import jars or a "
        "checkout by `kafka-conformance specs import --from PATH`"
    )


def _failure(name: str, output: str, hint: str) -> ImportFailedError:
    """Return an error with the line of Maven's output containing the hint, or with the first error."""
    errors = [line for line in output.splitlines() if line.startswith(("[ERROR]", "[FATAL]"))]
    message = next((line for line in errors if hint in line), errors[0] if errors else output.strip()[:500])
    return ImportFailedError(
        f"Maven could not fetch {name}; check its connection and settings, or import jars or a checkout by "
        f"`kafka-conformance specs import --from PATH`.\nIts message: {message or 'none'}"
    )
