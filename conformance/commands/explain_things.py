"""What `explain THING` is given: a file of some kind, a folder, or a text of bytes."""

from __future__ import annotations

import gzip
import json
import os
import stat
import sys
from codecs import BOM_UTF8
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from conformance.commands.explain_captures import FrameChoice, explain_capture
from conformance.commands.explain_guesses import (
    FILE_MARK,
    STANDARD_INPUT,
    GivenBytes,
    NotKafka,
    bytes_given,
    content_given,
    explanations_of,
    is_of_bytes,
    no_such_thing,
)
from conformance.commands.explain_logs import LogChoice, LogPrinter, is_log
from conformance.live.capture.packet_files import is_of_packets
from conformance.report.explain.data_folder import LOGS, DataFile, kind_of, report_of
from conformance.report.explain.segments import LogSegment
from conformance.report.files.words import counted
from conformance.system.terminal import echo
from reference.explained.explanation import explanation_as_json
from reference.inputs.errors import BadInput
from reference.inputs.files import LARGEST, opened, read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.definitions.defining_releases import Definitions
    from reference.explained.explanation import Explanation

HEAD = 4_096
"""The number of first bytes by which a file without a known name is told."""


@dataclass(frozen=True)
class Things:
    """Explains things.

    Attributes:
        definitions: the known versions of messages.
        frames: the choice of frames, of a capture.
        log: the choice of batches, of a log.
        form: tree, dump or json.
        show: prints one explanation as a tree or a dump.
    """

    definitions: Definitions
    frames: FrameChoice
    log: LogChoice
    form: str
    show: Callable[[Explanation], None]

    def explain(self, words: tuple[str, ...]) -> None:
        """Explain a thing named by one word, or the bytes in several.

        Raises:
            click.UsageError: the words name nothing.
            NotKafka: nothing in the thing can be explained.
            BadInput, OSError: a file cannot be read.
        """
        word = " ".join(words)
        path = Path(word.removeprefix(FILE_MARK))
        if word == STANDARD_INPUT:
            self._content(sys.stdin.buffer.read(), "standard input")
        elif path.exists() or word.startswith(FILE_MARK):
            self._note(word)
            self._path(path)
        else:
            self._word(word)

    def _note(self, word: str) -> None:
        """Say that a file has the name of a message."""
        if word in self.definitions.among[0].messages:
            echo(f"note: taken for the file {word}; the message is explained by {word} VERSION BYTES", err=True)

    def _word(self, word: str) -> None:
        names = self.definitions.among[0].messages
        is_name = word.lower() in {name.lower() for name in names}
        try:
            given = bytes_given(word)
        except ValueError as error:
            text = no_such_thing(word, names)
            raise click.UsageError(f"{text} ({error})" if "neither" in text else text) from error
        if is_name or not (is_of_bytes(word) or len(word) >= SHORTEST_BASE64):
            raise click.UsageError(no_such_thing(word, names))
        self._given(given)

    def _path(self, path: Path) -> None:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            self._folder(path)
        elif not stat.S_ISREG(mode):
            self._content(_piped(path), str(path))
        elif (kind := kind_of(path.name)) is not None:
            self._kafka_file(path, kind)
        else:
            self._file(path)

    def _file(self, path: Path) -> None:
        """Explain a file whose name says nothing, by its first bytes."""
        with opened(path) as file:
            head = file.read(HEAD)
        if not head:
            raise NotKafka(f"{path} is empty")
        if is_of_packets(path) or _is_capture(head):
            explain_capture(self.definitions, path, self.frames, self.form, self.show)
        elif is_log(path):
            self._kafka_file(path, DataFile.SEGMENT)
        else:
            self._content(read_bytes(path), str(path))

    def _kafka_file(self, path: Path, kind: DataFile) -> None:
        if path.stat().st_size == 0:
            echo(f"{path}: {kind}, empty")
        elif kind in LOGS:
            self._log(path)
        else:
            report = report_of(path, kind, self.definitions.among[0])
            size = counted(path.stat().st_size, "byte")
            echo(f"{path}: {kind}, {size}; no bytes of the wire protocol, so no verdict\n")
            for line in (*report.lines, *(f"wrong: {trouble}" for trouble in report.troubles)):
                echo(line)
            if report.troubles:
                raise SystemExit(1)

    def _log(self, path: Path) -> None:
        printer = LogPrinter(path, self.definitions.among[0], self.log, self.form)
        if not self.log.is_of_batch:
            printer.show()
        for explanation in printer.explanations() if self.log.is_of_batch else ():
            self._show(explanation)

    def _folder(self, path: Path) -> None:
        """List the files of a partition or of a data folder."""
        found = [(each, kind) for each in sorted(path.rglob("*")) if each.is_file() and (kind := kind_of(each.name))]
        if not found:
            raise NotKafka(f"{path} is a folder without a file of Kafka's: name a file")
        for each, kind in found:
            echo(f"{each}: {kind}, {self._summary(each, kind)}")

    def _summary(self, path: Path, kind: DataFile) -> str:
        size = counted(path.stat().st_size, "byte")
        if kind in LOGS:
            with opened(path) as file:
                entries = list(LogSegment(file).entries())
            bad = sum(entry.is_bad for entry in entries)
            return f"{size}, {sum(bool(each.number) for each in entries):,} batches" + (f", {bad} bad" if bad else "")
        troubles = report_of(path, kind, self.definitions.among[0]).troubles if path.stat().st_size else []
        return size + (f", wrong: {'; '.join(troubles[:3])}" if troubles else "")

    def _content(self, content: bytes, name: str) -> None:
        """Explain the content of a file or of a pipe."""
        if content.startswith(GZIP):
            content = _unpacked(content, name)
        if not content:
            raise NotKafka(f"{name} is empty")
        try:
            self._given(content_given(content, name))
        except ValueError as error:
            raise NotKafka(str(error)) from error

    def _given(self, given: GivenBytes) -> None:
        for explanation in explanations_of(self.definitions, given, partial(echo, err=self.form == "json")):
            self._show(explanation)

    def _show(self, explanation: Explanation) -> None:
        if self.form == "json":
            echo(json.dumps(explanation_as_json(explanation)))
        else:
            self.show(explanation)


def _piped(path: Path) -> bytes:
    """Return what is written into a pipe, up to its end; nothing if nobody has opened it for writing."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    os.set_blocking(descriptor, True)
    with os.fdopen(descriptor, "rb") as pipe:
        return pipe.read(LARGEST)


SHORTEST_BASE64 = 12
GZIP = b"\x1f\x8b"


def _unpacked(content: bytes, name: str) -> bytes:
    """Return the content of a gzip file.

    Raises:
        BadInput: it is damaged, or larger than files may be.
    """
    try:
        with gzip.open(BytesIO(content)) as file:
            unpacked: bytes = file.read(LARGEST + 1)
    except (OSError, EOFError) as error:
        raise BadInput(name, f"a damaged gzip file: {error}") from error
    if len(unpacked) > LARGEST:
        raise BadInput(name, f"unpacked, larger than {LARGEST:,} bytes: unpack it first")
    return unpacked


def _is_capture(head: bytes) -> bool:
    return head.removeprefix(BOM_UTF8).lstrip().startswith(b'{"capture"')
