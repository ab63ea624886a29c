"""Installing and driving the old releases, each at one version, by the ordinary client of its language.

Fetched files are in the user's cache, as are the other libraries driven by the suite. A missing toolchain is a
HarnessStartError with its name. This installs one, runs the suite on it, and prints the differences of the report from
the causes counted by hand:

    python -m tests.old_releases.libraries kafka-python report.jsonl
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from conformance.adapters.harnesses.crates import cargo_product
from conformance.adapters.harnesses.toolchains import go_product, python_environment
from conformance.codec.bridge.harness_errors import HarnessStartError
from tests.old_releases.comparison import differences, load_libraries, mixed_findings

HERE = resources.files("tests.old_releases")
ROOT = Path(__file__).parents[2]
GO_HARNESS = ROOT / "conformance" / "adapters" / "harnesses" / "go"
KAFKA_GO = re.compile(r"(segmentio/kafka-go) v[\d.]+")
RSKAFKA, RUST_BRIDGE = "tests/old_releases/rskafka", "conformance/adapters/harnesses/rust/bridge"
FIRST_WITHOUT_SIX = (3, 12)
"""The version of Python that cannot import the copy of six in kafka-python 2.0.2."""


@dataclass(frozen=True)
class Subject:
    """The argument of `--impl` for a run of the suite, and variables of its environment."""

    impl: str
    environment: dict[str, str] = field(default_factory=dict)


def kafka_python() -> Subject:
    """Install kafka-python into an environment of its own, imported by the suite's own interpreter.

    Raises:
        HarnessStartError: this Python is too new for it, or it cannot be fetched.
    """
    if sys.version_info >= FIRST_WITHOUT_SIX:
        raise HarnessStartError("kafka-python 2.0.2 needs Python 3.11: later ones cannot import its copy of six")
    return _imported("kafka-python-2.0.2", "kafka_python")


def kafka_protocol() -> Subject:
    """Install kafka-protocol in the same way.

    Raises:
        HarnessStartError: it cannot be fetched.
    """
    return _imported("kafka-protocol-0.1", "kafka_protocol")


def _imported(pins: str, adapter: str) -> Subject:
    [packages] = python_environment(pins, HERE).parents[1].glob("lib/python*/site-packages")
    return Subject(f"tests.old_releases.{adapter}", {"PYTHONPATH": os.pathsep.join((str(packages), str(ROOT)))})


def kafkajs() -> Subject:
    """Name the adapter of KafkaJS, which drives this version."""
    return Subject("conformance.adapters.kafkajs")


def rskafka() -> Subject:
    """Build a harness of rskafka.

    Raises:
        HarnessStartError: cargo is missing, or the build failed.
    """

    def add_bridge(root: Path, project: Path) -> None:
        shutil.copytree(root / RUST_BRIDGE, project / "bridge")

    sources = (f"{RSKAFKA}/*", f"{RUST_BRIDGE}/*.rs")
    folder = cargo_product("rskafka 0.6.0", ROOT, RSKAFKA, sources, add_bridge)
    return Subject(f"stdio:{folder / 'harness'}")


def kafka_go() -> Subject:
    """Build the harness of kafka-go with the old version of it.

    Raises:
        HarnessStartError: go is missing, or the build failed.
    """

    def choose_old_version(project: Path) -> None:
        module = project / "go.mod"
        module.write_text(KAFKA_GO.sub(r"\1 v0.4.47", module.read_text(encoding="utf-8")), encoding="utf-8")
        with (project / "go.sum").open("a", encoding="utf-8") as sums:
            sums.write((HERE / "kafka-go-0.4.47.sum").read_text(encoding="utf-8"))

    folder = go_product("kafka-go 0.4.47", GO_HARNESS, ".", choose_old_version)
    return Subject(f"stdio:{folder / 'harness'} kafka-go")


SUBJECTS: dict[str, Callable[[], Subject]] = {
    "kafka-python": kafka_python,
    "kafka-protocol": kafka_protocol,
    "kafkajs": kafkajs,
    "rskafka": rskafka,
    "kafka-go": kafka_go,
}
"""The libraries by their names in causes.toml."""


def run_suite(name: str, report: Path) -> None:
    """Install a library, and run the suite on it without random search and without known failures.

    Raises:
        HarnessStartError: the library cannot be installed here.
    """
    subject, release = SUBJECTS[name](), load_libraries()[name].release
    words = (
        "--impl",
        subject.impl,
        "--release",
        release,
        "-m",
        "not hypothesis",
        "-n0",
        "--report",
        str(report.resolve()),
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **subject.environment}
    command = [sys.executable, "-m", "conformance", "run", *words]
    with tempfile.TemporaryDirectory() as folder:  # a current folder that is on the path would stand behind all else
        subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=False)  # noqa: S603


def main(name: str, report: str) -> None:
    """Write the report of a library and print how it differs."""
    path, library = Path(report), load_libraries()[name]
    run_suite(name, path)
    lines = path.read_text(encoding="utf-8").splitlines()
    for text in (*differences(library, lines), *mixed_findings(library, lines)):
        print(text)  # noqa: T201  # what the command is for


if __name__ == "__main__":
    main(*sys.argv[1:])
