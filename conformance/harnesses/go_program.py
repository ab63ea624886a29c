"""Builds the program in `go/`, which drives libraries of Go, into the user's cache; names the command that runs it.

The cache is keyed by the sources, `go.mod` and `go.sum` among them, which pin the libraries, and by the version of Go.
"""

from __future__ import annotations

import sys
import tempfile
from importlib import resources
from pathlib import Path

import click

from conformance.bridge.errors import HarnessStartError
from conformance.harnesses.building import built_once, cache_folder, digest, run_tool, tool

NEEDS = "the harness of Go libraries needs Go 1.26 or later (https://go.dev/dl)"
PROGRAM = "harness"


def go_command(library: str) -> tuple[str, ...]:
    """Return the command that runs the harness for a library, `franz-go` or `kafka-go`, built if need be.

    Raises:
        HarnessStartError: go is missing, or the build failed.
    """
    return str(build_go()), library


def build_go() -> Path:
    """Return the program, built if it is not in the cache; it appears there only when it is complete.

    Raises:
        HarnessStartError: go is missing, or the build failed.
    """
    go = tool("go", NEEDS)
    with resources.as_file(resources.files("conformance.harnesses") / "go") as sources:
        version = run_tool((go, "env", "GOVERSION"), sources, "go does not tell its version")
        key = digest(sources, ("go.mod", "go.sum", "**/*.go"), version.strip())
        finished = cache_folder() / f"go-{key}"
        return built_once("go", finished, lambda: _build(go, sources, finished))


def _build(go: str, sources: Path, finished: Path) -> None:
    click.echo("building the harness of Go libraries, in about half a minute", err=True)
    with tempfile.TemporaryDirectory(dir=finished.parent, prefix="building-") as scratch:
        product = Path(scratch) / PROGRAM
        command = (go, "build", "-trimpath", "-mod=readonly", "-o", str(product), ".")
        run_tool(command, sources, "go could not build the harness", GOWORK="off")
        product.replace(finished)


if __name__ == "__main__":
    try:
        click.echo(build_go())
    except HarnessStartError as error:
        sys.exit(str(error))
