"""The packages of other languages are chosen by name, version and checksum, without the address of a registry."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from conformance.adapters.harnesses.crates import LIST, lock_crates
from conformance.codec.bridge.harness_errors import HarnessStartError
from tests.helpers.runs import ROOT

CARGO = """#!{python}
import pathlib, sys
lock = pathlib.Path("Cargo.lock")
newest = [("one", "1.2.0", "12"), ("one", "2.0.0", "20"), ("other", "0.1.0", "01")]
if sys.argv[1] == "generate-lockfile":
    chosen = newest
else:
    assert sys.argv[1:4] == ["update", "--package", "one@1.2.0"] and sys.argv[4:6] == ["--precise", "1.1.0"], sys.argv
    chosen = [("one", "1.1.0", "11"), *newest[1:]]
entry = '[[package]]\\nname = "%s"\\nversion = "%s"\\nchecksum = "%s"\\n'
lock.write_text('[[package]]\\nname = "project"\\nversion = "1.0.0"\\n' + "".join(entry % each for each in chosen))
"""


def lock(folder: Path, *lines: str) -> None:
    cargo = folder / "cargo"
    cargo.write_text(CARGO.format(python=sys.executable))
    cargo.chmod(0o755)
    (folder / LIST).write_text("".join(f"{line}\n" for line in lines))
    lock_crates(str(cargo), folder)


def test_the_crates_of_the_list_are_chosen(tmp_path: Path) -> None:
    lock(tmp_path, "one 1.2.0 12", "one 2.0.0 20", "other 0.1.0 01")
    assert (tmp_path / "Cargo.lock").is_file()


def test_a_version_of_the_list_is_chosen_in_the_place_of_a_newer_one(tmp_path: Path) -> None:
    lock(tmp_path, "one 1.1.0 11", "one 2.0.0 20", "other 0.1.0 01")
    assert 'version = "1.1.0"' in (tmp_path / "Cargo.lock").read_text()


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (("one 1.2.0 12", "one 2.0.0 20"), "cargo chooses other 0.1.0 01, and not fewer"),
        (("one 1.2.0 12", "one 2.0.0 20", "other 0.1.0 99"), "cargo chooses other 0.1.0 01, and not other 0.1.0 99"),
    ],
    ids=["another crate", "another checksum"],
)
def test_crates_other_than_the_list_are_an_error(tmp_path: Path, lines: tuple[str, ...], error: str) -> None:
    with pytest.raises(HarnessStartError, match=error):
        lock(tmp_path, *lines)


PACKAGES = [
    "conformance/adapters/harnesses/javascript", "tests/programs/clients/javascript", "vectors/consumers/javascript",
]  # fmt: skip


@pytest.mark.parametrize("folder", PACKAGES)
def test_the_packages_of_javascript_are_locked_by_checksum_alone(folder: str) -> None:
    wanted = json.loads((ROOT / folder / "package.json").read_text(encoding="utf-8"))["dependencies"]
    packages = json.loads((ROOT / folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert packages.pop("")["dependencies"] == wanted
    assert all(package["integrity"].startswith("sha512-") for package in packages.values())
    assert not any("resolved" in package for package in packages.values())


@pytest.mark.parametrize("folder", ["conformance/adapters/harnesses/rust", "vectors/consumers/rust"])
def test_the_crates_of_rust_are_listed_with_their_checksums(folder: str) -> None:
    lines = (ROOT / folder / LIST).read_text(encoding="utf-8").splitlines()
    assert lines == sorted(lines)
    assert all(len(line.split()) == 3 and len(line.split()[2]) == 64 for line in lines)
