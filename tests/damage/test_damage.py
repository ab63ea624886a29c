"""Each format of files, with random damage: never a traceback, a hang, or a character that a terminal obeys.

A check that knows the right content, by checksums or by a new build, finds each damage.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from reference import ConformanceError
from tests.damage.formats import FORMATS, without_network
from tests.damage.running import Unwanted
from tests.damage.trying import findings_of

AT_EVERY_CHANGE = 60
EACH_NIGHT = 2_000


def _findings(name: str, first: int, number: int, folder: Path) -> list[str]:
    numbers = range(first, first + max(1, round(number * FORMATS[name].share)))
    return list(findings_of(name, numbers, folder))


@pytest.fixture(autouse=True)
def _offline() -> Iterator[None]:
    with without_network():
        yield


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (form.share < 1)) for name, form in FORMATS.items()]
)
def test_a_damaged_file_ends_in_a_clear_error(name: str, tmp_path: Path) -> None:
    assert _findings(name, 0, AT_EVERY_CHANGE, tmp_path) == []


@pytest.mark.nightly
@pytest.mark.parametrize("name", FORMATS)
def test_a_file_of_many_damages_ends_in_a_clear_error(name: str, tmp_path: Path) -> None:
    assert _findings(name, AT_EVERY_CHANGE, EACH_NIGHT, tmp_path) == []


WITHOUT_MARK = ("vectors", "cached", "replies")
"""The first words of formats whose bytes have a checksum, or come from a program."""

TEXTS = [name for name, form in FORMATS.items() if form.document and not name.startswith(WITHOUT_MARK)]


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_with_a_byte_order_mark_is_read_as_without(name: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    path = form.make(tmp_path)
    sound = form.read(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert form.read(path) == sound


@pytest.mark.parametrize("name", [name for name in FORMATS if not name.startswith("replies")])
def test_a_fifo_in_the_place_of_a_file_is_refused_and_not_waited_for(name: str, tmp_path: Path) -> None:
    form = FORMATS[name]
    path = form.make(tmp_path)
    sound = form.read(path)
    path.unlink()
    os.mkfifo(path)
    try:
        read = form.read(path)
    except Unwanted:
        raise
    except (ConformanceError, OSError):
        return
    assert read != sound
