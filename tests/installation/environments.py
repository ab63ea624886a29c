"""Fresh environments with this project's dependencies, and with those parts of the project that a test installs."""

import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from shutil import copytree, ignore_patterns
from typing import NamedTuple

from tests.helpers.runs import ROOT, Finished

PACKAGES = ("conformance", "reference", "specs")
DATA = "vectors"
CONSUMERS = "consumers"
"""What the wheel has none of: programs in other languages."""
ABOUT = ("LICENSE", "NOTICE", "README.md", "pyproject.toml")
OURS = ("kafka_wire_conformance", "_kafka_wire_conformance", "__editable__", *PACKAGES, DATA)

CODEC = """\
import reference

name, version = "mine", "1"
rejections = (reference.Malformed, reference.Unencodable)


def supported():
    return {"HeartbeatResponse": [0], "ApiVersionsRequest": [3]}


def encode(schema, value):
    return reference.encode(schema, value)


def decode(schema, data):
    return reference.decode(schema, data).value
"""
"""An adapter of somebody's, right in all things that it offers."""

WRONG_CODEC = CODEC.replace("reference.encode(schema, value)", "reference.encode(schema, value)[::-1]")


def write_codecs(folder: Path) -> Path:
    """Write a codec with its adapter, and a second one with reversed bytes."""
    (folder / "my_codec.py").write_text(CODEC)
    (folder / "my_wrong_codec.py").write_text(WRONG_CODEC)
    return folder


def number_of_cases(done: Finished) -> int:
    """Return the number of cases of a run without findings."""
    found = re.search(r"no findings; ([\d,]+) cases", done.text)
    assert found is not None, done.text
    return int(found[1].replace(",", ""))


class Environment(NamedTuple):
    """A virtual environment."""

    folder: Path

    def run(self, *words: str, cwd: Path) -> Finished:
        """Run one of its programs in a folder, with nothing of this process's settings for Python and pytest."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "PIP_"))}
        done = subprocess.run(  # noqa: S603  # the words are those of a test
            [str(self.folder / "bin" / words[0]), *words[1:]],
            cwd=cwd,
            env={**kept, "COLUMNS": "200"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        )
        return Finished(done.returncode, done.stdout)

    def pytest(self, *options: str, cwd: Path) -> Finished:
        """Run pytest as the command `pytest`, without the current folder on the import path."""
        return self.run("python", "-P", "-m", "pytest", *options, cwd=cwd)

    def suite(self, *options: str, cwd: Path) -> Finished:
        """Run `kafka-conformance run`."""
        return self.run("kafka-conformance", "run", *options, cwd=cwd)

    def install(self, *words: str) -> None:
        """Install without dependencies, and leave compilation to imports, since a test imports less than half of it."""
        options = ("--no-compile", "--no-deps", "--no-build-isolation")
        pip("install", *options, *words, python=self.folder / "bin" / "python")


def make_environment(folder: Path) -> Environment:
    """Return an environment with the dependencies, but without this project, however it may be installed here."""
    venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
    dependencies = folder / "dependencies"
    dependencies.mkdir()
    for here in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        for entry in Path(here).iterdir():
            if not entry.name.startswith(OURS) and entry.suffix != ".pth":
                (dependencies / entry.name).symlink_to(entry)
    [packages] = folder.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(f"{dependencies}\n")
    return Environment(folder)


def pip(*words: str, python: Path) -> str:
    """Run this process's pip for another Python, and return its output.

    Raises:
        RuntimeError: it fails.
    """
    command = [sys.executable, "-m", "pip", "--python", str(python), "--quiet", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)  # noqa: S603
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")
    return done.stdout


def copy_checkout(folder: Path) -> Path:
    ignored = ignore_patterns("__pycache__", "target", "*.class")
    for package in PACKAGES:
        copytree(ROOT / package, folder / package, ignore=ignored)
    copytree(ROOT / DATA, folder / DATA, ignore=ignore_patterns("node_modules", "target"))
    for name in ABOUT:
        (folder / name).write_bytes((ROOT / name).read_bytes())
    return folder


def build_wheel(checkout: Path, folder: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=checkout, check=True, capture_output=True, timeout=120)  # noqa: S603
    [wheel] = folder.glob("*.whl")
    return wheel
