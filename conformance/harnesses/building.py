"""Builds the Java programs of this folder with Maven, once for each release, into the user's cache."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import platformdirs

from conformance.bridge.errors import HarnessStartError
from conformance.implementation.plain_values import printable_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

POM = "http://maven.apache.org/POM/4.0.0"
MODULE = """
<dependency xmlns="{pom}">
  <groupId>org.apache.kafka</groupId>
  <artifactId>{module}</artifactId>
  <version>${{kafka.version}}</version>
  <scope>runtime</scope>
  <exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>
</dependency>
"""
JVM_OPTIONS = ("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
"""A harness lives for seconds, in which the second compiler takes more of the processor than its code gives back."""


def build_java(program: str, release: str, modules: Sequence[str] = ()) -> Path:
    """Return a folder with a program and all its jars, built by Maven if it is not in the cache.

    The cache is keyed by release, modules and sources, and a folder appears there only when it is complete.

    Args:
        program: the folder with its sources, beside this file.
        release: of Apache Kafka, whose jars it is built with.
        modules: artifacts of that release that belong on the class path besides those of the program's pom.xml.

    Raises:
        HarnessStartError: java or mvn is missing, or the build failed.
    """
    with resources.as_file(resources.files("conformance.harnesses") / program) as sources:
        key = digest(sources, ("pom.xml", "src/**/*.java"), *sorted(modules))
        finished = cache_folder() / f"{program}-{release}-{key}"
        # one at a time: Maven's local repository does not support concurrent downloads
        return built_once("java", finished, lambda: _build_into(finished, release, sources, modules))


def newest_built(program: str) -> str:
    """Return the release that the program's pom.xml builds with by default: the newest that it can be built with."""
    pom = (resources.files("conformance.harnesses") / program / "pom.xml").read_text(encoding="utf-8")
    release = re.search(r"<kafka\.version>(.+?)</kafka\.version>", pom)
    if release is None:
        raise RuntimeError(f"{program}/pom.xml has no kafka.version")
    return release[1]


def _build_into(finished: Path, release: str, sources: Path, modules: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory(dir=finished.parent, prefix="building-") as scratch:
        project = Path(scratch) / "project"
        shutil.copytree(sources, project, ignore=shutil.ignore_patterns("target"))
        _add_modules(project / "pom.xml", modules)
        command = (tool("mvn"), "--batch-mode", "--quiet", f"-Dkafka.version={release}", "package")
        run_tool(command, project, f"Maven could not build the Java harness for Apache Kafka {release}")
        (project / "target" / "harness").replace(finished)


def _add_modules(pom: Path, modules: Sequence[str]) -> None:
    """Add those modules of Kafka, without what they depend on, that the pom.xml does not have."""
    ET.register_namespace("", POM)
    tree = ET.parse(pom)  # noqa: S314  # our own file
    dependencies = tree.find(f"{{{POM}}}dependencies")
    if dependencies is None:
        raise RuntimeError(f"{pom} has no dependencies")
    present = {artifact.text for artifact in dependencies.iter(f"{{{POM}}}artifactId")}
    for module in modules:
        if module not in present:
            dependencies.append(ET.fromstring(MODULE.format(pom=POM, module=module)))  # noqa: S314  # our own
    tree.write(pom, encoding="UTF-8", xml_declaration=True)


def cache_folder() -> Path:
    """Return the folder of programs that have been built."""
    folder = Path(platformdirs.user_cache_dir("kafka-wire-conformance")) / "harnesses"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def digest(sources: Path, patterns: Sequence[str], *words: str) -> str:
    """Return a hash of what a build depends on: names and contents of files, and further words."""
    files = sorted(file for pattern in patterns for file in sources.glob(pattern))
    content_hash = hashlib.sha256(f"{' '.join(words)}\n".encode())
    for file in files:
        content = file.read_bytes()
        content_hash.update(f"{file.relative_to(sources).as_posix()} {len(content)}\n".encode() + content)
    return content_hash.hexdigest()[:16]


def built_once(name: str, finished: Path, build: Callable[[], None]) -> Path:
    """Return a file or folder of the cache, built if it is not there; other builds of that name wait meanwhile."""
    if not finished.exists():
        with only_one_build(name):
            if not finished.exists():
                build()
    return finished


def run_tool(command: Sequence[str], folder: Path, failure: str, **environment: str) -> str:
    """Run a program in a folder, with further variables in its environment, and return its standard output.

    Raises:
        HarnessStartError: it failed; the text is `failure` and what it wrote.
    """
    run = subprocess.run(  # noqa: S603  # our own command
        command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    if run.returncode != 0:
        raise HarnessStartError(f"{failure}:\n{printable_lines(run.stdout + run.stderr)}")
    return run.stdout


@contextmanager
def only_one_build(name: str) -> Iterator[None]:
    """Let one process at a time build what the lock of that name protects."""
    with (cache_folder() / name).with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def tool(name: str, needs: str = "the Apache Kafka harness needs Java 17 or later and Maven") -> str:
    """Return the path of a program; `needs` says what it is for.

    Raises:
        HarnessStartError: it is not on the PATH.
    """
    path = shutil.which(name)
    if path is None:
        raise HarnessStartError(f"{name} is not on the PATH ({os.environ.get('PATH', '')}): {needs}")
    return path
