"""Which lines of a codec run: Python 3.12 and later can tell."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from conformance.bridge.isolation import IsolatedDecoder
from conformance.bridge.lines import CAN_TELL, Lines, own_folders
from conformance.implementation.targets import Body
from reference import load_release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

CODEC = """
def read(wire):
    if wire:
        return wire[0]
    return None
"""
HEARTBEAT = Body(load_release("4.4.0").schema("HeartbeatResponse", 0))
SOUND = b"\x00\x00\x00\x00\x00\x00"
LIARS = "tests.fakes.faulty_codecs:Honest"

can_tell = pytest.mark.skipif(not CAN_TELL, reason="Python 3.12 or later tells which lines run")


@pytest.fixture
def lines() -> Iterator[Lines]:
    watched = Lines(own_folders())
    yield watched
    watched.close()


@pytest.fixture
def read(tmp_path: Path) -> Callable[[bytes], Any]:
    """A codec of its own file."""
    names: dict[str, Any] = {}
    exec(compile(CODEC, str(tmp_path / "codec.py"), "exec"), names)  # noqa: S102  # the code of this test
    found: Callable[[bytes], Any] = names["read"]
    return found


@can_tell
def test_another_branch_is_another_line(lines: Lines, read: Callable[[bytes], Any]) -> None:
    _, one = lines.of(lambda: read(b"a"))
    _, other = lines.of(lambda: read(b""))
    assert len(set(one) - set(other)) == len(set(other) - set(one)) == 1


@can_tell
def test_the_same_call_has_the_same_lines(lines: Lines, read: Callable[[bytes], Any]) -> None:
    assert lines.of(lambda: read(b"a")) == lines.of(lambda: read(b"a"))


@can_tell
def test_nothing_is_told_of_this_project_and_of_what_it_imports(lines: Lines) -> None:
    _, ran = lines.of(lambda: load_release("4.4.0").schema("FetchRequest", 12))
    assert ran == []


@can_tell
def test_the_child_process_tells_the_lines_of_an_adapter() -> None:
    with IsolatedDecoder(LIARS, "4.4.0", lines=True) as decoder:
        read, refused = (decoder.decode(HEARTBEAT, wire) for wire in (SOUND, b""))
    assert read.lines
    assert refused.lines


def test_nobody_is_told_who_did_not_ask() -> None:
    with IsolatedDecoder(LIARS, "4.4.0") as decoder:
        assert decoder.decode(HEARTBEAT, SOUND).lines == frozenset()


@pytest.mark.skipif(CAN_TELL, reason="an older Python than 3.12")
def test_an_older_python_tells_nothing() -> None:
    with IsolatedDecoder(LIARS, "4.4.0", lines=True) as decoder:
        assert decoder.decode(HEARTBEAT, SOUND).lines == frozenset()


def test_an_own_folder_is_that_of_a_package() -> None:
    """Of each package that is loaded, in a process that has loaded nothing else."""
    asked = "import reference; from conformance.bridge.lines import own_folders; print(*own_folders())"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.split()  # noqa: S603
    assert {folder.rpartition("/")[2] for folder in told} >= {"reference", "conformance"}
