"""Builds of projects in Rust, with their crates pinned by a list of names, versions and checksums.

Cargo's own lock file has the address of a registry in each entry, so it is not kept. Cargo.checksums is kept instead,
with a crate in each line. Cargo makes its lock file anew and is brought to the versions of the list; both are compared:

    anyhow 1.0.104 330a5ed07fa54e4702c9d6c4174f74427fc0ef6e214bbd677ae50a5099946470

`python -m conformance.adapters.harnesses crates FOLDER` does so for a project; with `--renew` it writes the list of
today.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from conformance.adapters.harnesses.toolchains import build_product, copied, run_tool, tool
from conformance.codec.bridge.harness_errors import HarnessStartError
from conformance.system.whole_files import write_text
from reference.inputs.files import read_text
from reference.inputs.sums import SUMS, sums_in
from reference.inputs.toml_text import read_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.resources.abc import Traversable

LIST = "Cargo.checksums"
LOCK = "Cargo.lock"
HINT = f"`make locks` writes {LIST} anew: look at what it changes"


class Crate(NamedTuple):
    """One crate."""

    name: str
    version: str
    checksum: str

    def __str__(self) -> str:
        return " ".join(self)


def cargo_product(
    name: str, sources: Traversable, project: str, patterns: Sequence[str], complete: Callable[[Path, Path], None]
) -> Path:
    """Return a folder with the programs of a project, a folder of the sources in Rust, or raise `HarnessStartError`.

    `complete` gets the sources and the copy of the project for the build, with its lock file.
    """
    cargo = tool("cargo", f"{name} needs Rust 1.87 or later (https://rustup.rs)")

    def build(folder: Path, product: Path) -> None:
        copy = copied(folder / project, product, lambda copy: lock_crates(cargo, copy))
        complete(folder, copy)
        run_tool((cargo, "build", "--release", "--locked", "--quiet"), copy, f"cargo could not build {name}")
        for binary in read_toml(copy / "Cargo.toml")["bin"]:
            shutil.copy2(copy / "target" / "release" / binary["name"], product)
        (product / SUMS).write_text(sums_in(product), encoding="utf-8")

    version = run_tool((cargo, "--version"), Path.cwd(), "cargo does not tell its version").strip()
    return build_product("rust", name, sources, patterns, build, version)


def lock_crates(cargo: str, project: Path) -> None:
    """Make the lock file of a project, or raise `HarnessStartError` if cargo cannot, or chooses unlisted crates."""
    _run(cargo, project, "generate-lockfile")
    listed = _listed(project)
    for crate in sorted(listed - _locked(project)):
        _choose(cargo, project, crate, listed)
    _compare(listed, _locked(project))


def _choose(cargo: str, project: Path, crate: Crate, listed: set[Crate]) -> None:
    """Have cargo replace an unlisted version of a crate by the listed one."""
    others = [other for other in sorted(_locked(project) - listed) if other.name == crate.name]
    others = [other for other in others if other.version != crate.version]  # another checksum is no other version
    near = [other for other in others if _major(other.version) == _major(crate.version)] or others
    if near:
        _run(cargo, project, "update", "--package", f"{near[0].name}@{near[0].version}", "--precise", crate.version)


def _major(version: str) -> tuple[str, ...]:
    """Return the compatible part of a version, as 1 of 1.2.3, and 0.2 of 0.2.3."""
    parts = version.split(".")
    return tuple(parts[:1] if parts[0] != "0" else parts[:2])


def _compare(listed: set[Crate], locked: set[Crate]) -> None:
    if listed != locked:
        more, fewer = sorted(map(str, locked - listed)), sorted(map(str, listed - locked))
        problem = f"cargo chooses {', '.join(more) or 'no others'}, and not {', '.join(fewer) or 'fewer'}"
        raise HarnessStartError(f"the crates are not those of {LIST}: {problem}. {HINT}")


def _listed(project: Path) -> set[Crate]:
    lines = read_text(project / LIST).splitlines()
    return {Crate(*words) for line in lines if len(words := line.split()) == len(Crate._fields)}


def _locked(project: Path) -> set[Crate]:
    # A crate without a checksum is part of the project.
    packages = read_toml(project / LOCK).get("package", [])
    return {Crate(each["name"], each["version"], each["checksum"]) for each in packages if "checksum" in each}


def renew_list(cargo: str, project: Path) -> None:
    """Choose the crates of a project anew, and write their list, or raise `HarnessStartError`."""
    _run(cargo, project, "generate-lockfile")
    write_text(project / LIST, "".join(f"{crate}\n" for crate in sorted(_locked(project))))


def _run(cargo: str, project: Path, *words: str) -> None:
    run_tool((cargo, *words, "--quiet"), project, "cargo could not choose the crates")
