"""Installs the program in `javascript/` and the libraries that it drives into the user's cache; names its command.

The cache is keyed by the sources, `package.json` among them, which pins the libraries, and by the version of Node.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from importlib import resources
from pathlib import Path

import click

from conformance.bridge.errors import HarnessStartError
from conformance.harnesses.building import built_once, cache_folder, digest, run_tool, tool

NEEDS = "the harness of JavaScript libraries needs Node 20 or later (https://nodejs.org)"
INSTALL = (
    "install",
    "--ignore-scripts",
    "--no-package-lock",
    "--no-audit",
    "--no-fund",
    "--omit=dev",
    "--loglevel=error",
)
SOURCES = ("package.json", "*.mjs", "bridge/*.mjs", "libraries/*.mjs", "traced/*.mjs")
HEAP = "--max-old-space-size=1024"


def javascript_command(library: str) -> tuple[str, ...]:
    """Return the command that runs the harness for a library, `platformatic` or `kafkajs`, installed if need be.

    Raises:
        HarnessStartError: node or npm is missing, or the installation failed.
    """
    return tool("node", NEEDS), HEAP, str(build_javascript() / "main.mjs"), library


def build_javascript() -> Path:
    """Return the program's folder, installed if it is not in the cache; it appears there only when it is complete.

    Raises:
        HarnessStartError: node or npm is missing, or the installation failed.
    """
    node = tool("node", NEEDS)
    with resources.as_file(resources.files("conformance.harnesses") / "javascript") as sources:
        version = run_tool((node, "--version"), sources, "node does not tell its version")
        key = digest(sources, SOURCES, version.strip())
        finished = cache_folder() / f"javascript-{key}"
        return built_once("javascript", finished, lambda: _install(sources, finished))


def _install(sources: Path, finished: Path) -> None:
    npm = tool("npm", NEEDS)
    click.echo("installing the harness of JavaScript libraries, in about ten seconds", err=True)
    with tempfile.TemporaryDirectory(dir=finished.parent, prefix="building-") as scratch:
        product = Path(scratch) / "product"
        shutil.copytree(sources, product, ignore=shutil.ignore_patterns("node_modules", "template"))
        run_tool((npm, *INSTALL), product, "npm could not install the libraries")
        product.replace(finished)


if __name__ == "__main__":
    try:
        click.echo(build_javascript())
    except HarnessStartError as error:
        sys.exit(str(error))
