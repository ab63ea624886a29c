"""Builds of programs in other languages into the user's cache, once for their sources, pins and toolchain.

A product is a folder that appears when it is complete. The sources pin everything fetched by exact versions.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from conformance.codec.bridge.harness_errors import HarnessStartError
from conformance.system.printable import printable_lines
from conformance.system.program_runs import run
from conformance.system.terminal import echo
from reference.inputs.sums import SUMS, misfit, sums_in

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.resources.abc import Traversable

LOCK = "package-lock.json"
"""The packages by version and checksum, without the addresses of a registry: npm uses the configured one."""

INSTALL = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--omit=dev")
BESIDE = shutil.ignore_patterns("node_modules", "target", "template")
"""Folders beside the sources of a program that are no part of it."""


def go_product(
    name: str, sources: Traversable, packages: str = "./...", edit: Callable[[Path], None] | None = None
) -> Path:
    """Return a folder with the programs of a Go module, copied and edited, or raise `HarnessStartError`."""
    go = tool("go", f"{name} needs Go 1.26 or later (https://go.dev/dl)")
    version = run_tool((go, "env", "GOVERSION"), Path.cwd(), "go does not tell its version").strip()

    def build(folder: Path, product: Path) -> None:
        command = (go, "build", "-trimpath", "-mod=readonly", "-o", f"{product}/", packages)
        run_tool(command, copied(folder, product, edit), f"go could not build {name}", GOWORK="off")
        (product / SUMS).write_text(sums_in(product), encoding="utf-8")

    return build_product("go", name, sources, ("go.mod", "go.sum", "**/*.go"), build, version)


def node_product(name: str, sources: Traversable) -> Path:
    """Return a folder with the programs and dependencies of an npm package, or raise `HarnessStartError`."""
    needs = f"{name} needs Node 20 or later and npm (https://nodejs.org)"
    version = run_tool((tool("node", needs), "--version"), Path.cwd(), "node does not tell its version").strip()
    npm = tool("npm", needs)

    def build(folder: Path, product: Path) -> None:
        shutil.copytree(folder, product, ignore=BESIDE, dirs_exist_ok=True)
        run_tool((npm, *INSTALL, "--loglevel=error"), product, f"npm could not install the packages of {name}")

    return build_product("javascript", name, sources, ("package.json", LOCK, "**/*.mjs"), build, version)


def java_product(  # noqa: PLR0913  # what a build consists of
    name: str,
    sources: Traversable,
    *settings: str,
    patterns: Sequence[str] = ("pom.xml", "src/**/*.java"),
    words: Sequence[str] = (),
    edit: Callable[[Path], None] | None = None,
    finish: Callable[[Path], None] | None = None,
) -> Path:
    """Return a folder with a program in Java and its jars, in `libs`, or raise `HarnessStartError`.

    The sources are a Maven project that writes `target/libs`, and `settings` are arguments of Maven. The key of the
    product has the files of `patterns` and the `words`, for `edit` and `finish`. `edit` changes the copy of the project
    for the build, `finish` adds to the product before it appears.
    """
    needs = f"{name} needs Java 17 or later and Maven"
    tool("java", needs)
    maven = tool("mvn", needs)

    def build(folder: Path, product: Path) -> None:
        project = copied(folder, product, edit)
        run_tool((maven, "--batch-mode", "--quiet", *settings, "package"), project, f"Maven could not build {name}")
        (project / "target" / "libs").rename(product / "libs")
        if finish is not None:
            finish(product)

    # one at a time: Maven's local repository does not support concurrent downloads
    return build_product("java", name, sources, patterns, build, *settings, *words)


def python_environment(name: str, sources: Traversable) -> Path:
    """Return the interpreter of a virtual environment with the pins of `NAME.txt`, or raise `HarnessStartError`."""

    def build(folder: Path, product: Path) -> None:
        run_tool((sys.executable, "-m", "venv", str(product)), folder, "there can be no virtual environment")
        install = (str(product / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-deps", "-r", f"{name}.txt")
        # the constraints of a checkout are not those of this environment
        run_tool(install, folder, f"pip could not install {name}", PIP_CONSTRAINT="")

    return build_product(f"python-{name}", name, sources, (f"{name}.txt",), build, sys.version) / "bin" / "python"


def build_product(  # what a build consists of
    lock: str,
    name: str,
    sources: Traversable,
    patterns: Sequence[str],
    build: Callable[[Path, Path], None],
    *words: str,
) -> Path:
    """Return the folder of a product, built if it is not in the cache, or if the hashes of its files show a damage.

    Builds with the same `lock` wait for each other. `name`, with hyphens for spaces, is part of the folder's name. The
    key of the product has the files of `patterns` and further `words`. `build` gets the folder of the sources and the
    empty one of the product.
    """
    with resources.as_file(sources) as folder:
        finished = cache_folder() / f"{name.replace(' ', '-')}-{digest(folder, patterns, *words)}"

        def build_aside() -> None:
            echo(f"fetching and building {name}", err=True)
            shutil.rmtree(finished, ignore_errors=True)
            with tempfile.TemporaryDirectory(dir=finished.parent, prefix="building-") as scratch:
                product = Path(scratch) / "product"
                product.mkdir()
                build(folder, product)
                product.rename(finished)

        return built_once(lock, finished, build_aside, _damage)


def copied(folder: Path, product: Path, edit: Callable[[Path], None] | None) -> Path:
    """Return a copy of a project, beside the product, after changes by `edit`."""
    project = product.parent / "project"
    shutil.copytree(folder, project, ignore=BESIDE)
    if edit is not None:
        edit(project)
    return project


def cache_folder() -> Path:
    """Return the folder of built programs."""
    folder = Path(platformdirs.user_cache_dir("kafka-wire-conformance")) / "harnesses"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def digest(sources: Path, patterns: Sequence[str], *words: str) -> str:
    """Return a hash of names and contents of files, and of further words, the key of a build."""
    files = sorted(file for pattern in patterns for file in sources.glob(pattern))
    content_hash = hashlib.sha256(f"{' '.join(words)}\n".encode())
    for file in files:
        content = file.read_bytes()
        content_hash.update(f"{file.relative_to(sources).as_posix()} {len(content)}\n".encode() + content)
    return content_hash.hexdigest()[:16]


def _damage(finished: Path) -> str:
    return misfit(finished) if (finished / SUMS).is_file() else ""


def built_once(
    lock: str, finished: Path, build: Callable[[], None], damage_of: Callable[[Path], str] = lambda _: ""
) -> Path:
    """Return a file or folder of the cache, built if missing or damaged. Builds with the same lock wait."""
    if not finished.exists() or damage_of(finished):
        with (cache_folder() / lock).with_suffix(".lock").open("w") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            damage = damage_of(finished)
            if damage:
                echo(f"{finished} is damaged ({damage})", err=True)
            if damage or not finished.exists():  # another process may have built it while this one waited
                build()
    return finished


def run_tool(command: Sequence[str], folder: Path, failure: str, **environment: str) -> str:
    """Run a program in a folder, and return its output, or raise `HarnessStartError` with `failure` and the output."""
    try:
        done = run(command, folder=folder, environment={**os.environ, **environment})
    except OSError as error:
        raise HarnessStartError(f"{failure}: {command[0]} cannot be run: {error.strerror}") from error
    if done.status != 0:
        raise HarnessStartError(f"{failure}:\n{printable_lines(done.text)}")
    return done.output.decode(errors="replace")


def tool(name: str, needs: str = "the Apache Kafka harness needs Java 17 or later and Maven") -> str:
    """Return the path of a program, or raise `HarnessStartError` with the hint `needs` if it is not on the PATH."""
    path = shutil.which(name)
    if path is None:
        raise HarnessStartError(f"{name} is not on the PATH ({os.environ.get('PATH', '')}): {needs}")
    return path
