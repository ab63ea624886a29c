"""Servers and clients of others, fetched and built into the cache, started, asked, and stopped.

Everything listens on 127.0.0.1. docs/builders/programs.md has a list of them with the needs of each.
"""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING

from conformance.adapters.harnesses.toolchains import java_product

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SOURCES = resources.files("tests.programs")


def java_program(
    name: str, profile: str, *words: str, finish: Callable[[Path], None] | None = None, **versions: str
) -> Path:
    """Return the folder of a program of `java/`, with its jars in `libs`.

    Args:
        name: the product's, part of its folder's name.
        profile: the part of the project to build.
        words: further dependencies of `finish`, beside the project.
        finish: adds to the product before it appears.
        versions: of artifacts, other than those of the pom.xml: `kafka="3.9.1"`.

    Raises:
        HarnessStartError: java or mvn is missing, or the build failed.
    """
    settings = ("-P", profile, *(f"-D{artifact}.version={version}" for artifact, version in versions.items()))
    patterns = ("pom.xml", "src/**/Tethered.java", f"src/**/{profile}/*.java")
    return java_product(name, SOURCES / "java", *settings, patterns=patterns, words=words, finish=finish)
