"""What `explain THING` is given: a file of some kind, a folder, or a text of bytes."""

from __future__ import annotations

import gzip
import json
import os
import re
import stat
import sys
import zlib
from codecs import BOM_UTF8
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, cast

import click

from conformance.commands.explain_captures import FrameChoice, explain_capture
from conformance.commands.explain_guesses import (
    BYTES,
    FILE_MARK,
    STANDARD_INPUT,
    GivenBytes,
    NotKafka,
    bytes_given,
    content_given,
    explanations_of,
    guess_of,
    is_of_bytes,
    no_such_thing,
)
from conformance.commands.explain_logs import LogChoice, LogPrinter, LogSums, batches_text, is_log, of_unknown_log
from conformance.live.capture.packet_files import is_of_packets
from conformance.live.capture.packet_segments import GZIP
from conformance.report.explain.data_folder import LOGS, DataFile, kind_of, report_of
from conformance.report.explain.segments import LogSegment
from conformance.report.words import counted
from conformance.system.terminal import echo
from reference.explained.explanation import explanation_as_json
from reference.explained.records import TITLE
from reference.inputs.errors import BadInput
from reference.inputs.files import LARGEST, opened, read_bytes, without_waiting

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.definitions.defining_releases import Definitions
    from reference.explained.explanation import Explanation

HEAD = 4_096
"""The number of first bytes that tell the kind of a file without a known name."""


@dataclass(frozen=True)
class Things:
    """Explains things, in the `form` tree, dump or json. `show` prints one explanation as a tree or a dump.

    `spooled` names the source of a temporary file, and is "" for a file of the user.
    """

    definitions: Definitions
    frames: FrameChoice
    log: LogChoice
    form: str
    show: Callable[[Explanation], None]
    spooled: str = ""

    def explain(self, words: tuple[str, ...]) -> None:
        """Explain a thing named by one word, or the bytes in several.

        No name raises `click.UsageError`, an unexplained thing `NotKafka`, an unreadable file `BadInput` or `OSError`.
        """
        word = " ".join(words)
        path = Path(word.removeprefix(FILE_MARK))
        if word == STANDARD_INPUT:
            self._spooled(sys.stdin.buffer, "standard-input", STANDARD_INPUT)
        elif path.exists() or word.startswith(FILE_MARK):
            self._note(word)
            self._path(path)
        else:
            self._word(word)

    def _note(self, word: str) -> None:
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
        if is_name or not (is_of_bytes(given) or guess_of(self.definitions, given).found):
            raise click.UsageError(no_such_thing(word, names))
        self._given(given)

    def _path(self, path: Path) -> None:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            self._folder(path)
        elif not stat.S_ISREG(mode):
            with _opened_pipe(path) as pipe:
                self._spooled(pipe, path.name, self._name(path))
        elif (kind := kind_of(path.name)) is not None:
            self._kafka_file(path, kind)
        else:
            self._file(path)

    def _file(self, path: Path) -> None:
        with opened(path) as file:
            head = file.read(HEAD)
        if not head:
            raise NotKafka(f"{self._name(path)} is empty")
        has_packets = is_of_packets(path)
        if head.startswith(GZIP) and not has_packets:
            with gzip.open(path) as packed:
                self._spooled(cast("IO[bytes]", packed), path.name.removesuffix(".gz"), self._name(path))
        elif has_packets or _is_capture(head):
            self._refuse(self.log != LogChoice(), "a capture", "--offset, --batch, --contents, --key, --judge, --topic")
            explain_capture(self.definitions, path, self.frames, self.form, self.show)
        elif is_log(path):
            self._kafka_file(path, DataFile.SEGMENT)
        else:
            self._content(path)

    def _name(self, path: Path) -> str:
        return self.spooled or str(path)

    def _spooled(self, content: IO[bytes], file: str, name: str) -> None:
        """Explain a pipe, or the content of gzip, as a file. `file` may tell its kind, `name` is for the user."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / file
            try:
                data = content.read(LARGEST + 1)
            except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                raise BadInput(name, f"a damaged gzip file: {error}") from error
            if len(data) > LARGEST:
                raise BadInput(name, f"larger than {LARGEST:,} bytes, the most that is read from a pipe or out of gzip")
            if not data:
                raise NotKafka(f"{name} is empty")
            path.write_bytes(data)
            replace(self, spooled=name)._path(path)  # noqa: SLF001  # of this class

    def _refuse(self, is_given: bool, what: str, options: str) -> None:  # noqa: FBT001  # a condition
        if is_given:
            raise click.UsageError(f"this is {what}, of which {options} choose nothing")

    def _kafka_file(self, path: Path, kind: DataFile) -> None:
        self._refuse(self.frames != FrameChoice(), str(kind), OF_FRAMES)
        if path.stat().st_size == 0:
            echo(f"{self._name(path)}: {kind}, empty")
        elif kind in LOGS:
            self._log(path)
        else:
            self._refuse(self.log != LogChoice() or self.form != "tree", str(kind), f"{OF_LOGS} and --json")
            report = report_of(path, kind, self.definitions.among[0])
            size = counted(path.stat().st_size, "byte")
            echo(f"{self._name(path)}: {kind}, {size}; no bytes of the wire protocol, so no verdict\n")
            for line in (*report.lines, *(f"wrong: {trouble}" for trouble in report.troubles)):
                echo(line)
            if report.troubles:
                raise SystemExit(1)

    def _log(self, path: Path) -> None:
        is_list = not self.log.is_of_batch
        self._refuse(is_list and self.form == "dump", "a log", "--dump without --offset or --batch")
        self._refuse(
            not is_list and (self.log.contents or self.log.key is not None), "one batch", "--contents and --key"
        )
        printer = LogPrinter(path, self.definitions.among[0], self.log, self.form, self._name(path))
        if is_list:
            printer.show()
        else:
            self._show(printer.explanation())

    def _folder(self, path: Path) -> None:
        """List the files of a partition or of a data folder. The exit status is 1 if one does not fit its log."""
        is_chosen = (self.frames, self.log, self.form) != (FrameChoice(), LogChoice(), "tree")
        self._refuse(is_chosen, "a folder", f"{OF_FRAMES}, {OF_LOGS} and --json")
        found = [(each, kind) for each in sorted(path.rglob("*")) if each.is_file() and (kind := kind_of(each.name))]
        if not found:
            raise NotKafka(f"{path} is a folder without a file of Kafka's: name a file")
        summaries = [(f"{each}: {kind}", self._summary(each, kind)) for each, kind in found]
        for name, summary in summaries:
            echo(f"{name}, {summary}")
        if any(WRONG in summary for _, summary in summaries):
            raise SystemExit(1)

    def _summary(self, path: Path, kind: DataFile) -> str:
        size = counted(path.stat().st_size, "byte")
        if kind in LOGS:
            with opened(path) as file:
                sums = LogSums()
                for entry in LogSegment(file).entries():
                    sums.add(entry)
            return f"{size}, {batches_text(sums.batches)}" + (
                f"{WRONG}{sums.bad} that cannot be read" if sums.bad else ""
            )
        troubles = report_of(path, kind, self.definitions.among[0]).troubles if path.stat().st_size else []
        return size + (f"{WRONG}{'; '.join(troubles[:3])}" if troubles else "")

    def _content(self, path: Path) -> None:
        name = self._name(path)
        of_pipe = name if name == STANDARD_INPUT else BYTES
        try:
            self._given(content_given(read_bytes(path), name, of_pipe if self.spooled else f"{FILE_MARK}{path}"))
        except ValueError as error:
            raise NotKafka(str(error)) from error

    def _given(self, given: GivenBytes) -> None:
        is_chosen = (self.frames, self.log) != (FrameChoice(), LogChoice())
        self._refuse(is_chosen, "neither a capture nor a log", f"{OF_FRAMES} and {OF_LOGS}")
        for explanation in explanations_of(self.definitions, given, partial(echo, err=self.form == "json")):
            is_of_records = explanation.title == TITLE
            self._show(of_unknown_log(explanation, self.definitions.among[0]) if is_of_records else explanation)

    def _show(self, explanation: Explanation) -> None:
        if self.form == "json":
            echo(json.dumps(explanation_as_json(explanation)))
        else:
            self.show(explanation)


def _opened_pipe(path: Path) -> IO[bytes]:
    """Return a pipe, open for reading, and at its end if nobody has opened it for writing."""
    pipe = open(path, "rb", opener=without_waiting)  # noqa: SIM115  # Path.open takes no opener; the caller closes it
    os.set_blocking(pipe.fileno(), True)
    return pipe


OF_FRAMES = "--number, --correlation-id, --connection, --from, --api, --broken and --port"
OF_LOGS = "--offset, --batch, --contents, --key, --judge, --topic and --secrets"
WRONG = ", wrong: "


def _is_capture(head: bytes) -> bool:
    return re.match(rb'\s*\{[^\n]*"capture"\s*:', head.removeprefix(BOM_UTF8)) is not None
