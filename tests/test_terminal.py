"""No character of a text is obeyed on a pseudo-terminal, without which click and rich leave out some."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.progress import Progress, TextColumn
from rich.table import Table

from conformance.system.terminal import echo, new_console
from tests.helpers.cases import FOUND_CASE

HARMFUL = "\x1b]52;c;Y3VybA==\x07 \x1b]0;title\x07 \x1b[31mred \x9b2J \u202eright \r over \x08 \x00"
OWN = re.compile(r"\x1b\[[0-9;]*m|\x1b\[[0-9]*[AGK]|\x1b\[2K|\x1b\[\?25[hl]|\r(?=\n)|\r\x1b\[2K")
"""The sequences that rich writes by itself: styles, and the moves of progress bars."""


def on_terminal(work: Callable[[], object]) -> str:
    """Do work in a fork with a terminal as its output, and return its output."""
    process, terminal = os.forkpty()
    if process == 0:
        os.environ.update(TERM="xterm-256color", COLUMNS="200", PYTHONUNBUFFERED="1")
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
        try:
            work()
        except SystemExit:
            pass
        finally:
            sys.stdout.flush()
            os._exit(0)
    written = b""
    try:
        while part := os.read(terminal, 2**16):
            written += part
    except OSError:  # the end, on Linux
        pass
    os.waitpid(process, 0)
    os.close(terminal)
    return written.decode()


def obeyed(written: str) -> set[str]:
    """Return the characters of a text obeyed by a terminal, except rich's own."""
    return {character for character in OWN.sub("", written) if not character.isprintable()} - {"\n"}


def show_table() -> None:
    table = Table(title=HARMFUL)
    table.add_column(HARMFUL)
    table.add_row(HARMFUL, style="bold red")
    new_console().print(table)


def show_progress() -> None:
    with Progress(TextColumn("{task.description}"), console=new_console(stderr=True)) as progress:
        progress.add_task(HARMFUL)


@pytest.mark.parametrize(
    "work",
    [
        lambda: echo(HARMFUL),
        lambda: echo(HARMFUL, err=True),
        lambda: new_console().print(HARMFUL, style="red"),
        show_table,
        show_progress,
    ],
    ids=["echo", "error", "line", "table", "progress"],
)
def test_no_control_character_reaches_the_terminal(work: Callable[[], object]) -> None:
    written = on_terminal(work)
    assert r"\x1b]0;title" in OWN.sub("", written)
    assert not obeyed(written)


def test_styles_stay() -> None:
    assert "\x1b[31m" in on_terminal(lambda: new_console().print("text", style="red"))


def command(*words: str) -> str:
    from conformance.commands.main import main  # noqa: PLC0415  # takes long to import

    return on_terminal(lambda: main(list(words), prog_name="kafka-conformance"))


def found(folder: Path, **changes: object) -> Path:
    file = folder / "found.json"
    file.write_text(json.dumps({**FOUND_CASE, **changes}), encoding="utf-8")
    return file


REFERENCE = "--impl=conformance.adapters.reference"


def test_texts_of_a_found_case_are_printable(tmp_path: Path) -> None:
    file = found(tmp_path, path=HARMFUL, case=HARMFUL, kind="invalid-bytes", wire="00", rule="input.truncated")
    written = command("replay", REFERENCE, "--message", "HeartbeatResponse", "--version", "0", "--case", str(file))
    assert "HeartbeatResponse" in written
    assert not obeyed(written)


def test_texts_in_an_error_are_printable(tmp_path: Path) -> None:
    found(tmp_path, message=HARMFUL)
    written = command("replay", REFERENCE, str(tmp_path))
    assert "title" in written
    assert not obeyed(written)


def test_names_in_definitions_are_printable(tmp_path: Path) -> None:
    text = json.dumps({"type": "data", "name": HARMFUL, "validVersions": "0", "fields": [{HARMFUL: HARMFUL}]})
    (tmp_path / "Some.json").write_text(text, encoding="utf-8")
    (tmp_path / "Other\x1b]0;title\x07.json").write_text(text, encoding="utf-8")
    for words in (("specs", "validate", str(tmp_path)), ("rules", "--release", HARMFUL), (HARMFUL,)):
        written = command(*words)
        assert written
        assert not obeyed(written)


ROOT = Path(__file__).parents[1]
ELSEWHERE = re.compile(r"click\.s?echo\(|(?<![\w.])Console\(|(?<![\w.])print\(")


def test_nothing_else_writes_to_the_terminal() -> None:
    """The exceptions are programs of their own, and the functions by which pytest writes."""
    files = {file.relative_to(ROOT).as_posix(): file for file in (ROOT / "conformance").rglob("*.py")}
    found = {name for name, file in files.items() if ELSEWHERE.search(file.read_text(encoding="utf-8"))}
    assert found - {"conformance/system/terminal.py"} == set()
