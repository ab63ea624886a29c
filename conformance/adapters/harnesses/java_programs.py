"""The Java programs of this folder, with their builds for a release and their fast starts.

Most of the time of a start is the loading of classes from jars. An archive has the classes in the JVM's own form, which
Java calls class data sharing. A run of the suite starts two JVMs for each worker.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from conformance.adapters.harnesses.toolchains import built_once, java_product
from conformance.system.program_runs import run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HERE = resources.files("conformance.adapters.harnesses")
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
"""A harness lives for seconds, in which the second compiler takes more processor time than its code saves."""

QUIET = ("-Xlog:disable", "-Xlog:all=error:stderr")
"""Standard output belongs to the protocol, and a JVM would warn there of an archive that it cannot use."""

DEADLINE = 120.0
"""Seconds for the run that makes an archive; it takes two."""


def build_java(program: str, release: str, modules: Sequence[str] = ()) -> Path:
    """Return a folder with a program and all its jars, built if it is not in the cache.

    `program` is a folder beside this file. `modules` are artifacts of the release for the class path, besides those of
    the program's pom.xml. Without java or mvn, or after a failed build, it raises `HarnessStartError`.
    """

    def add_modules(project: Path) -> None:
        _add_modules(project / "pom.xml", modules)

    name, words = f"{program}-{release}", sorted(modules)
    return java_product(name, HERE / program, f"-Dkafka.version={release}", words=words, edit=add_modules) / "libs"


def newest_built(program: str) -> str:
    """Return the release in the program's pom.xml, the newest that it can be built with."""
    pom = (HERE / program / "pom.xml").read_text(encoding="utf-8")
    release = re.search(r"<kafka\.version>(.+?)</kafka\.version>", pom)
    if release is None:
        raise RuntimeError(f"{program}/pom.xml has no kafka.version")
    return release[1]


def _add_modules(pom: Path, modules: Sequence[str]) -> None:
    """Add the modules of Kafka missing in the pom.xml, without their dependencies."""
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


def archive_options(
    java: str, harness: Path, program: Sequence[str], standard_input: Callable[[], str]
) -> tuple[str, ...]:
    """Return the options of a JVM to take the classes of a program from an archive, made if there is none.

    Each JVM has an archive of its own, beside the built program. Where it makes none, or cannot use it, the program
    loads its classes from the jars. The run that makes the archive reads `standard_input`, and loads the classes in it.
    """

    def make(archive: Path) -> None:
        command = (java, *QUIET, *JVM_OPTIONS, f"-XX:ArchiveClassesAtExit={archive}", *program)
        if run(command, stdin=standard_input().encode(), seconds=DEADLINE).status != 0:
            archive.unlink(missing_ok=True)

    jvm = Path(java).resolve()
    version = hashlib.sha256(f"{jvm} {jvm.stat().st_mtime_ns}".encode()).hexdigest()[:8]
    option = class_archive(Path(f"{harness}-{version}.jsa"), make)
    return (*QUIET, *option) if option else ()


def class_archive(archive: Path, make: Callable[[Path], None]) -> tuple[str, ...]:
    """Return the option of a JVM to take its classes from an archive, made if there is none.

    An archive belongs to jars in one place, so it is made after these. `make` runs a JVM to write it. If the JVM writes
    none, an empty file is left and not used.
    """

    def make_aside() -> None:
        with tempfile.TemporaryDirectory(dir=archive.parent, prefix="building-") as scratch:
            made = Path(scratch) / archive.name
            make(made)
            made.touch()
            made.replace(archive)

    built_once("java", archive, make_aside)
    return (f"-XX:SharedArchiveFile={archive}",) if archive.stat().st_size else ()
