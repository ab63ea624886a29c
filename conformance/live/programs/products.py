"""Builds programs of other languages into the user's cache, each once for its sources, pins and toolchain.

A product is a folder that appears when it is complete. Nothing of it is in the repository: the sources here pin what is
fetched by exact versions.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import click

from conformance.harnesses.building import built_once, cache_folder, digest, run_tool, tool
from conformance.harnesses.javascript_program import INSTALL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GO_SOURCES = ("go.mod", "go.sum", "**/*.go")
NODE_SOURCES = ("package.json", "*.mjs")


def java_product(
    name: str, profile: str, *words: str, finish: Callable[[Path], None] | None = None, **versions: str
) -> Path:
    """Return a folder with the jars of a profile of `java/pom.xml` in `libs`.

    Args:
        name: the product's, part of its folder's name.
        profile: what of the project is built.
        words: what `finish` depends on besides the project.
        finish: adds to the product before it appears.
        versions: of artifacts, other than those of the pom.xml: `kafka="3.9.1"`.

    Raises:
        HarnessStartError: java or mvn is missing, or the build failed.
    """
    needs = f"{name} needs Java 17 or later and Maven"
    tool("java", needs)
    maven = tool("mvn", needs)
    settings = ["-P", profile, *(f"-D{artifact}.version={version}" for artifact, version in versions.items())]

    def build(sources: Path, product: Path) -> None:
        project = product.parent / "project"
        shutil.copytree(sources, project, ignore=shutil.ignore_patterns("target"))
        run_tool((maven, "--batch-mode", "--quiet", *settings, "package"), project, f"Maven could not build {name}")
        (project / "target" / "libs").rename(product / "libs")
        if finish is not None:
            finish(product)

    # one at a time: Maven's local repository does not support concurrent downloads
    patterns = ("pom.xml", "src/**/Tethered.java", f"src/**/{profile}/*.java")
    return _product("java", name, "java", patterns, build, *settings, *words)


def go_product(name: str, folder: str) -> Path:
    """Return a folder with the programs of a Go module.

    Raises:
        HarnessStartError: go is missing, or the build failed.
    """
    go = tool("go", f"{name} needs Go 1.26 or later (https://go.dev/dl)")
    version = run_tool((go, "env", "GOVERSION"), Path.cwd(), "go does not tell its version").strip()

    def build(sources: Path, product: Path) -> None:
        command = (go, "build", "-trimpath", "-mod=readonly", "-o", f"{product}/", "./...")
        run_tool(command, sources, f"go could not build {name}", GOWORK="off")

    return _product("go", name, folder, GO_SOURCES, build, version)


def node_product(name: str, folder: str) -> Path:
    """Return a folder with the programs of an npm package, and the packages that they need.

    Raises:
        HarnessStartError: node or npm is missing, or the installation failed.
    """
    needs = f"{name} needs Node 20 or later and npm (https://nodejs.org)"
    version = run_tool((tool("node", needs), "--version"), Path.cwd(), "node does not tell its version").strip()
    npm = tool("npm", needs)

    def build(sources: Path, product: Path) -> None:
        shutil.copytree(sources, product, ignore=shutil.ignore_patterns("node_modules"), dirs_exist_ok=True)
        run_tool((npm, *INSTALL), product, f"npm could not install the packages of {name}")

    return _product("javascript", name, folder, NODE_SOURCES, build, version)


def python_environment(name: str, folder: str) -> Path:
    """Return the interpreter of a virtual environment that has what `NAME.txt` in a folder pins.

    Raises:
        HarnessStartError: the installation failed.
    """

    def build(sources: Path, product: Path) -> None:
        run_tool((sys.executable, "-m", "venv", str(product)), sources, "there can be no virtual environment")
        install = (str(product / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-deps", "-r", f"{name}.txt")
        # the constraints of a checkout are not those of this environment
        run_tool(install, sources, f"pip could not install {name}", PIP_CONSTRAINT="")

    return _product(f"python-{name}", name, folder, (f"{name}.txt",), build, sys.version) / "bin" / "python"


@contextmanager
def sources_in(folder: str) -> Iterator[Path]:
    """Give a folder below this file's as files on the disk."""
    with resources.as_file(resources.files("conformance.live.programs") / folder) as sources:
        yield sources


def _product(  # what a build consists of
    lock: str,
    name: str,
    folder: str,
    patterns: tuple[str, ...],
    build: Callable[[Path, Path], None],
    *words: str,
) -> Path:
    with sources_in(folder) as sources:
        finished = cache_folder() / f"{name}-{digest(sources, patterns, *words)}"

        def build_aside() -> None:
            click.echo(f"fetching and building {name}", err=True)
            with tempfile.TemporaryDirectory(dir=finished.parent, prefix="building-") as scratch:
                product = Path(scratch) / "product"
                product.mkdir()
                build(sources, product)
                product.rename(finished)

        return built_once(lock, finished, build_aside)
