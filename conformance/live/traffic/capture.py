"""Captures: files of the frames that went over connections. README.md here has the format.

{"capture": 1, "suite": "0.1.0", "redacted": "no"}
{"connection": 1, "from": "client", "at": 0.012, "frame": "0012000000000007000261fa"}
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from conformance.__about__ import __version__
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType
    from typing import TextIO

FORMAT = 1
SCHEMA = "capture.schema.json"

Side = Literal["client", "server"]
SIDES: tuple[Side, ...] = get_args(Side)

Redaction = Literal["no", "drop", "hash"]
"""What was done to the contents of records: nothing, bytes of 0 in their place, or a keyed hash."""


class BadCapture(ConformanceError):
    """A file is no capture; the text names the line and says why."""


@dataclass(frozen=True)
class Header:
    """The first line of a capture.

    Attributes:
        redacted: what was done to the contents of records.
        cap_versions: by how much the maximum versions in responses to ApiVersions were lowered for the client.
        suite: the version of the suite that wrote the file.
    """

    redacted: Redaction = "no"
    cap_versions: int = 0
    suite: str = __version__

    def as_json(self) -> dict[str, Any]:
        """Return the line."""
        line = {"capture": FORMAT, "suite": self.suite, "redacted": self.redacted}
        return line | ({"capVersions": self.cap_versions} if self.cap_versions else {})


@dataclass(frozen=True)
class Frame:
    """One frame as it went over a connection, or the bytes at the end of a stream that are none.

    Attributes:
        connection: the number of the connection, from 1.
        sender: client or server.
        at: seconds since the capture began.
        payload: its bytes without the size; of a rest, all that is left of the stream.
        cut: how many bytes were dropped from its end, as nobody could tell which of them to redact.
        is_rest: whether the stream ended, or could not be read on, before the frame was whole.
        number: its place in the file, from 1.
    """

    connection: int
    sender: Side
    at: float
    payload: bytes = field(repr=False)
    cut: int = 0
    is_rest: bool = False
    number: int = field(default=0, compare=False)

    def as_json(self) -> dict[str, Any]:
        """Return the line."""
        line: dict[str, Any] = {"connection": self.connection, "from": self.sender, "at": round(self.at, 3)}
        line["rest" if self.is_rest else "frame"] = self.payload.hex()
        return line | ({"cut": self.cut} if self.cut else {})


@dataclass(frozen=True)
class Capture:
    """A capture that is being read: its header, and its frames in the order of the file."""

    header: Header
    frames: Iterator[Frame]


class CaptureWriter:
    """Writes a capture: under a temporary name, which is renamed at the end, however that comes.

    Args:
        path: the file; an existing one is replaced at the end.
        header: its first line.

    Raises:
        OSError: the folder is missing or not writable.
    """

    def __init__(self, path: Path, header: Header) -> None:
        self._path = path
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        self._temporary = Path(name)
        self._file: TextIO = os.fdopen(handle, "w", encoding="utf-8", newline="\n", buffering=1)
        self.frames = 0
        self._put(header.as_json())

    def write(self, frame: Frame) -> None:
        """Write one frame; it is in the file when this returns."""
        self._put(frame.as_json())
        self.frames += 1

    def close(self) -> None:
        """Give the file its name."""
        if not self._file.closed:
            self._file.close()
            self._temporary.chmod(0o644)
            self._temporary.replace(self._path)

    def _put(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line) + "\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def write_capture(path: Path, header: Header, frames: Iterable[Frame]) -> int:
    """Write a whole capture; return the number of its frames. What was written is kept if an error ends it."""
    with CaptureWriter(path, header) as writer:
        for frame in frames:
            writer.write(frame)
    return writer.frames


def read_capture(path: Path) -> Capture:
    """Open a capture; its frames are read as they are asked for.

    Raises:
        BadCapture: it cannot be read, or has no header. The frames raise it for the line that is wrong.
    """
    lines = _lines(path)
    first = next(lines, None)
    if first is None:
        raise BadCapture(f"{path} is empty: the first line of a capture is its header")
    document = _document(path, 1, first)
    if "capture" in document and document["capture"] != FORMAT:
        raise BadCapture(f"{path}, line 1: format {document['capture']!r}; this version reads format {FORMAT}")
    _check(path, 1, "header", document)
    header = Header(document["redacted"], document.get("capVersions", 0), document["suite"])
    return Capture(header, _frames(path, lines))


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8") as file:
            yield from file
    except (OSError, UnicodeDecodeError) as error:
        raise BadCapture(f"{path} cannot be read as a capture: {error}") from error


def _frames(path: Path, lines: Iterator[str]) -> Iterator[Frame]:
    for number, line in enumerate(lines, start=1):
        document = _document(path, number + 1, line)
        _check(path, number + 1, "frame", document)
        is_rest = "rest" in document
        payload = bytes.fromhex(document["rest" if is_rest else "frame"])
        cut = document.get("cut", 0)
        yield Frame(document["connection"], document["from"], document["at"], payload, cut, is_rest, number)


def _document(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        document = json.loads(line)
    except ValueError as error:
        raise BadCapture(f"{path}, line {number} is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise BadCapture(f"{path}, line {number} is not an object")
    return document


def _check(path: Path, number: int, name: str, document: dict[str, Any]) -> None:
    validator = _validator(name)
    if validator.is_valid(document):
        return
    error = best_match(validator.iter_errors(document))
    place = ".".join(map(str, error.absolute_path))
    raise BadCapture(f"{path}, line {number} is no {name}{place and f': {place}'}: {error.message}")


@cache
def _validator(name: str) -> Draft202012Validator:
    document = json.loads((files(__package__) / SCHEMA).read_text(encoding="utf-8"))
    return Draft202012Validator({**document, "$ref": f"#/$defs/{name}"})
