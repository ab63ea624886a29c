"""The libraries of other languages, with one harness for each language, built into the cache.

The cache is keyed by the sources, which pin the libraries, and by the version of the language. For Rust, which has no
reflection, the generator of the dispatch is part of the key as well. `python -m conformance.adapters.harnesses build
go` builds one.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from conformance.adapters.harnesses import kafrust_sources as kafrust
from conformance.adapters.harnesses import rust_generation as generate
from conformance.adapters.harnesses.crates import LIST, cargo_product
from conformance.adapters.harnesses.toolchains import go_product, node_product, run_tool, tool
from conformance.codec.bridge.harness_errors import HarnessStartError

HERE = resources.files("conformance.adapters.harnesses")
HEAP = "--max-old-space-size=1024"
RUST_SOURCES = (
    *("rust/Cargo.toml", f"rust/{LIST}", "rust/rustfmt.toml"),
    *("rust/bridge/*.rs", "rust/kaf*/*.rs", "rust_generation.py", "kafrust_sources.py"),
)
CRATES = {
    "kafka-protocol": ("kafka_protocol", generate.kafka_protocol),
    "kafka_wire_protocol": ("kafka_wire_protocol", generate.kafka_wire_protocol),
    "kafrust-protocol": ("kafrust_protocol", kafrust.kafrust_protocol),
}
"""The crates in the Rust harness, with the folder of each and the generator of its dispatch."""


@dataclass(frozen=True)
class ForeignLibrary:
    """A library as an adapter, by its language `go`, `javascript` or `rust`, and its name (see docs/builders/)."""

    language: str
    name: str

    def harness_command(self) -> tuple[str, ...]:
        """Return the command of the harness, built if need be, or raise `HarnessStartError`."""
        folder = BUILDERS[self.language]()
        if self.language == "javascript":
            return tool("node"), HEAP, str(folder / "main.mjs"), self.name
        return (str(folder / "harness"), self.name) if self.language == "go" else (str(folder / self.name),)


def write_dispatch(_folder: Path, project: Path) -> None:
    """Generate the dispatch of each crate from its sources, into the copy of the harness.

    If cargo cannot fetch the crates, or they are not those of the pinned version, it raises `HarnessStartError`.
    """
    command = (tool("cargo"), "metadata", "--format-version", "1", "--quiet")
    for package in json.loads(run_tool(command, project, "cargo could not build the harness"))["packages"]:
        folder, write = CRATES.get(package["name"], ("", None))
        if write is not None:
            sources = Path(package["manifest_path"]).parent
            try:
                text = write(sources, package["version"])
            except generate.UnreadableCrateError as error:
                raise HarnessStartError(f"{package['name']} {package['version']}: {error}") from error
            (project / folder / "generated.rs").write_text(text, encoding="utf-8")


BUILDERS = {
    "go": lambda: go_product("the harness of Go libraries", HERE / "go", "."),
    "javascript": lambda: node_product("the harness of JavaScript libraries", HERE / "javascript"),
    "rust": lambda: cargo_product("the harness of Rust libraries", HERE, "rust", RUST_SOURCES, write_dispatch),
}
"""The functions for the folder of a language's programs, built if need be."""
