"""Captures, files of the frames of connections.

docs/how-to/captures.md has the format.

{"capture": 1, "suite": "0.1.0", "redacted": "no"}
{"connection": 1, "from": "client", "at": 0.012, "frame": "0012000000000007000261fa"}
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from conformance import __version__
from conformance.system.file_kinds import CAPTURE
from conformance.system.whole_files import NotWritten, PendingFile, explained
from reference import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.json_text import read_json_lines
from reference.inputs.schemas import conform, packaged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from io import FileIO
    from pathlib import Path
    from types import TracebackType

FORMAT = 1
SCHEMA = "capture.schema.json"

Side = Literal["client", "server"]
SIDES: tuple[Side, ...] = get_args(Side)

Redaction = Literal["no", "drop", "hash"]
"""The redaction of record contents: none, zero bytes in their place, or a keyed hash."""


class BadCapture(ConformanceError):
    """A file that is no capture, with the line and the reason."""


@dataclass(frozen=True)
class CaptureHeader:
    """The first line of a capture.

    Attributes:
        cap_versions: the number by which maximum versions in responses to ApiVersions were lowered for the client.
        suite: the version of the suite, as writer of the file.
    """

    redacted: Redaction = "no"
    cap_versions: int = 0
    suite: str = __version__

    def as_json(self) -> dict[str, Any]:
        """Return the line."""
        line = {"capture": FORMAT, "suite": self.suite, "redacted": self.redacted}
        return line | ({"capVersions": self.cap_versions} if self.cap_versions else {})


@dataclass(frozen=True)
class CapturedFrame:
    """One frame of a connection, or the bytes left at the end of a stream.

    Attributes:
        connection: the number of the connection, from 1.
        at: seconds since the capture began.
        payload: its bytes without the size; of a rest, all remaining bytes of the stream.
        cut: the number of bytes dropped from its end, where the ones to redact cannot be found.
        emptied: the fields that redaction emptied, each with the number of bytes that were sent.
        is_rest: whether the stream ended, or became unreadable, before the frame was whole.
        number: its place in the file, from 1.
    """

    connection: int
    sender: Side
    at: float
    payload: bytes = field(repr=False)
    cut: int = 0
    is_rest: bool = False
    number: int = field(default=0, compare=False)
    emptied: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the line."""
        line: dict[str, Any] = {"connection": self.connection, "from": self.sender, "at": round(self.at, 3)}
        line["rest" if self.is_rest else "frame"] = self.payload.hex()
        more = {"cut": self.cut, "emptied": dict(self.emptied)}
        return line | {name: value for name, value in more.items() if value}


@dataclass(frozen=True)
class Capture:
    """A capture being read, with its frames in the order of the file."""

    header: CaptureHeader
    frames: Iterator[CapturedFrame]


class CaptureWriter:
    """Writes a capture in place of an earlier one, under a temporary name until `close`, also after an error.

    Raises:
        NotWritten: it cannot be written.
    """

    def __init__(self, path: Path, header: CaptureHeader) -> None:
        self._replacement = PendingFile(path, CAPTURE)
        self._file = self._replacement.temporary.open("wb", buffering=0)
        self.frames = 0
        try:
            self._put(header.as_json())
        except NotWritten:
            self._file.close()
            self._replacement.discard()
            raise

    def write(self, frame: CapturedFrame) -> None:
        """Write one frame into the file, without a buffer.

        Raises:
            NotWritten: the system refuses it, for example for want of room. The frames before it are in the file.
        """
        self._put(frame.as_json())
        self.frames += 1

    def close(self) -> None:
        """Give the file its name.

        Raises:
            NotWritten: it cannot be renamed; the text names the file with the frames.
        """
        if self._file.closed:
            return
        self._file.close()
        try:
            self._replacement.finish()
        except NotWritten as error:
            raise NotWritten(error.path, error.reason, error.hint, str(self._replacement.temporary)) from error

    def _put(self, line: dict[str, Any]) -> None:
        """Write a whole line or nothing."""
        with explained(self._replacement.path):
            size = self._file.tell()
            try:
                _write_all(self._file, (json.dumps(line) + "\n").encode())
            except OSError:
                self._file.truncate(size)
                self._file.seek(size)
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _write_all(file: FileIO, data: bytes) -> None:
    """Write all bytes, in several parts where the system takes only a part."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def write_capture(path: Path, header: CaptureHeader, frames: Iterable[CapturedFrame]) -> int:
    """Write a whole capture, or the frames before an error, and return the number of its frames."""
    with CaptureWriter(path, header) as writer:
        for frame in frames:
            writer.write(frame)
    return writer.frames


def read_capture(path: Path) -> Capture:
    """Open a capture, whose frames are read one by one.

    Raises:
        BadCapture: it cannot be read, or has no header. The frames raise it for a wrong line.
    """
    lines = _lines(path)
    first = next(lines, None)
    if first is None:
        raise BadCapture(f"{path} is empty: the first line of a capture is its header")
    _, document = first
    if "capture" in document and document["capture"] != FORMAT:
        raise BadCapture(f"{path}, line 1: format {document['capture']!r}; this version reads format {FORMAT}")
    _check(path, 1, "header", document)
    header = CaptureHeader(document["redacted"], document.get("capVersions", 0), document["suite"])
    return Capture(header, _frames(path, lines))


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        for number, document in read_json_lines(path):
            if not isinstance(document, dict):
                raise BadCapture(f"{path}, line {number} is not an object")
            yield number, document
    except OSError as error:
        raise BadCapture(f"{path} cannot be read as a capture: {error.strerror}") from error
    except BadInput as error:
        raise BadCapture(str(error)) from error


def _frames(path: Path, lines: Iterator[tuple[int, dict[str, Any]]]) -> Iterator[CapturedFrame]:
    for number, (line, document) in enumerate(lines, start=1):
        _check(path, line, "frame", document)
        is_rest = "rest" in document
        payload = bytes.fromhex(document["rest" if is_rest else "frame"])
        more = document.get("cut", 0), is_rest, number, document.get("emptied", {})
        yield CapturedFrame(document["connection"], document["from"], document["at"], payload, *more)


def _check(path: Path, number: int, name: str, document: dict[str, Any]) -> None:
    try:
        conform(document, packaged("conformance.live.capture", SCHEMA, name), str(path), number)
    except BadInput as error:
        raise BadCapture(f"{path}, line {number} is no {name}: {error.path}: {error.problem}") from error
