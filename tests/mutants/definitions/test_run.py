"""Runs of one message, with a table that explains its survivors and with one that does not."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from reference import load_release
from tests.helpers.releases import BASE
from tests.mutants.definitions.__main__ import SAMPLES, main, rows
from tests.mutants.definitions.mutants import MutantKind
from tests.mutants.definitions.runner import READING, WRITING, Count, UnsoundVectors, VectorRun, results_of_message
from tests.mutants.definitions.table import TABLE, Entry, contradicted, kinds_of
from tests.mutants.definitions.vectors import SchemaCodec
from tests.mutants.kit.known import EQUIVALENT, OPEN

MESSAGE = "HeartbeatRequest"
PAIRS = [(BASE, load_release(BASE).schema(MESSAGE, 4))]
MAP_KEY = MutantKind("map key", "gained", "plain")
IGNORABLE = MutantKind("ignorable", "gained", "plain")


@pytest.fixture(scope="module")
def results() -> VectorRun:
    return results_of_message(PAIRS)


def test_every_mutant_of_a_message_is_killed_or_explained() -> None:
    """The run ends well, and counts them in each direction and by each reader."""
    done = CliRunner().invoke(main, ["--messages", MESSAGE, "--workers", "1"])
    assert done.exit_code == 0, done.output
    for line in ("reading, strict: ", "reading, stream: ", "writing: ", "both, strict: ", "both, stream: "):
        assert line in done.output


def test_a_survivor_without_an_entry_is_reported(results: VectorRun) -> None:
    """It is new, and open until somebody has looked at it."""
    table = [entry for entry in TABLE.read() if entry.kind != IGNORABLE]
    result = kinds_of(table, results.counts(), is_whole=False)
    assert {entry.key for entry in result.new} == {(IGNORABLE, READING), (IGNORABLE, WRITING)}
    assert {entry.verdict for entry in result.new} == {OPEN}


def test_killed_kind_is_stale_in_a_whole_run(results: VectorRun) -> None:
    """An entry with other numbers of survivors is stale, too."""
    counts = results.counts()
    killed = Entry(MAP_KEY, READING, 1, 1, 1)
    other = replace(Entry(IGNORABLE, READING, *counts[IGNORABLE, READING]), tried=99)
    assert kinds_of([killed, other], counts, is_whole=True).stale == (killed, other)
    assert kinds_of([killed, other], counts, is_whole=False).stale == ()


def test_change_killed_by_a_vector_is_not_equivalent() -> None:
    """Its entry is contradicted, whatever else survives."""
    entry = Entry(MAP_KEY, READING, 2, 2, 2, EQUIVALENT, "reason")
    result = kinds_of([entry], {entry.key: Count(2, 2, 1)}, is_whole=False)
    assert [each.key for each in contradicted(result)] == [entry.key]


def test_change_equivalent_on_one_side_is_open_on_the_other(results: VectorRun) -> None:
    """A codec with the fault in both directions is equivalent if both sides are."""
    lines = list(rows(results, {(IGNORABLE, READING)}))
    of_both = list(rows(results, {(IGNORABLE, READING), (IGNORABLE, WRITING)}))
    number = results.tried[IGNORABLE]
    assert f", {number} equivalent" in lines[0]
    assert ", 0 equivalent" in lines[3]
    assert f", {number} equivalent" in of_both[3]


def test_vectors_broken_by_the_sound_codec_end_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = SchemaCodec.of(load_release(BASE).schema(MESSAGE, 3))
    monkeypatch.setattr(SchemaCodec, "of", lambda _: wrong)
    with pytest.raises(UnsoundVectors):
        results_of_message(PAIRS)


def test_no_entry_of_the_table_is_contradicted() -> None:
    """The numbers are those of the entries."""
    assert not [entry for entry in TABLE.read() if entry.is_contradicted]


def test_the_table_is_updated_by_whole_runs_alone() -> None:
    """A run of some messages has other numbers."""
    done = CliRunner().invoke(main, ["--messages", MESSAGE, "--update"])
    assert done.exit_code == 2


def test_survivor_without_an_entry_fails_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = replace(TABLE, path=tmp_path / "survivors.toml")
    table.path.touch()
    table.write(entry for entry in TABLE.read() if entry.kind != IGNORABLE)
    monkeypatch.setattr("tests.mutants.definitions.__main__.TABLE", table)
    done = CliRunner().invoke(main, ["--messages", MESSAGE, "--workers", "1"])
    assert done.exit_code == 1
    assert f"survives: {IGNORABLE}" in done.output


def test_every_trial_of_a_sample_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SAMPLES, "drawn", lambda trials: list(trials)[:3])
    done = CliRunner().invoke(main, ["--messages", MESSAGE, "--suite", "drawn"])
    assert sum(map(int, re.findall(r": (\d+) mutants: ", done.output))) == 3
