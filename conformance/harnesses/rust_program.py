"""Builds the programs in `rust/`, which drive libraries of Rust, into the user's cache; names what runs them.

The cache is keyed by the sources, `Cargo.toml` among them, which pins the libraries, by the generator of the dispatch,
and by the version of Rust. Cargo works in a folder of its own, which goes when the programs are there.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from importlib import resources
from pathlib import Path

import click

from conformance.bridge.errors import HarnessStartError
from conformance.harnesses.building import built_once, cache_folder, digest, run_tool, tool
from conformance.harnesses.rust_dispatch import generate, kafrust

NEEDS = "the harness of Rust libraries needs Rust 1.87 or later (https://rustup.rs)"
SOURCES = ("rust/Cargo.toml", "rust/rustfmt.toml", "rust/bridge/*.rs", "rust/kaf*/*.rs", "rust_dispatch/*.py")
GENERATED = "generated.rs"
PROGRAMS = ("kafka-protocol", "kafka-wire-protocol", "kafrust-protocol")
CRATES = {
    "kafka-protocol": ("kafka_protocol", generate.kafka_protocol),
    "kafka_wire_protocol": ("kafka_wire_protocol", generate.kafka_wire_protocol),
    "kafrust-protocol": ("kafrust_protocol", kafrust.kafrust_protocol),
}
"""The crates that are driven: the folder of each, and what generates its dispatch."""


def rust_command(library: str) -> tuple[str, ...]:
    """Return the command of the harness for a library, one of `PROGRAMS`, built if need be.

    Raises:
        HarnessStartError: cargo is missing, or the build failed.
    """
    return (str(build_rust() / library),)


def build_rust() -> Path:
    """Return the folder of the programs, built if it is not in the cache; it appears there only when it is complete.

    Raises:
        HarnessStartError: cargo is missing, or the build failed.
    """
    cargo = tool("cargo", NEEDS)
    with resources.as_file(resources.files("conformance.harnesses")) as here:
        key = digest(here, SOURCES, _version(cargo))
        finished = cache_folder() / f"rust-{key}"
        return built_once("rust", finished, lambda: _build(cargo, here / "rust", finished))


def _version(cargo: str) -> str:
    return _run((cargo, "--version"), Path.cwd()).strip()


def _build(cargo: str, sources: Path, finished: Path) -> None:
    click.echo("building the harness of Rust libraries, in about three minutes", err=True)
    with tempfile.TemporaryDirectory(dir=finished.parent, prefix="building-") as scratch:
        project, product = Path(scratch) / "project", Path(scratch) / "product"
        shutil.copytree(sources, project, ignore=shutil.ignore_patterns("target", "template"))
        write_dispatch(cargo, project)
        _run((cargo, "build", "--release", "--quiet"), project)
        product.mkdir()
        for program in PROGRAMS:
            shutil.copy2(project / "target" / "release" / program, product)
        product.replace(finished)


def write_dispatch(cargo: str, project: Path) -> None:
    """Generate the dispatch of each crate from its sources, into the copy of the harness in a folder.

    Raises:
        HarnessStartError: cargo cannot fetch the crates, or their sources are not those of the pinned version.
    """
    packages = json.loads(_run((cargo, "metadata", "--format-version", "1", "--quiet"), project))["packages"]
    for package in packages:
        folder, write = CRATES.get(package["name"], ("", None))
        if write is not None:
            sources = Path(package["manifest_path"]).parent
            try:
                text = write(sources, package["version"])
            except generate.UnreadableCrateError as error:
                raise HarnessStartError(f"{package['name']} {package['version']}: {error}") from error
            (project / folder / GENERATED).write_text(text, encoding="utf-8")


def _run(command: tuple[str, ...], folder: Path) -> str:
    return run_tool(command, folder, "cargo could not build the harness")


if __name__ == "__main__":
    try:
        click.echo(build_rust())
    except HarnessStartError as error:
        sys.exit(str(error))
