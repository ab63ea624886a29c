"""Folders on this machine or in another file system, with files written as a whole.

pyarrow's file systems open the others. A file on this machine is written as every file of the suite, and without
pyarrow. An object store shows an object after all of it was put. If that fails, the caller tries again, or the file is
missing. Readers never see half of it.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from conformance.system.folders import SCHEME, inside
from conformance.system.whole_files import explained, is_unfinished, write_bytes
from reference.errors import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

T = TypeVar("T")


PROBLEMS = (OSError, ValueError, RuntimeError)
"""Exceptions of the operating system and of pyarrow's file systems."""


class StorageFailed(ConformanceError):
    """A folder that cannot be reached, read or written.

    The text names it, with the reason.
    """


PAUSES = (1, 2, 4, 8, 16)
"""Seconds between attempts to reach storage, in all half a minute."""


def patiently(work: Callable[[], T]) -> T:
    """Return the result of some work with a storage, with retries.

    If the storage is unreachable, the work is done again after each pause. Errors are those of the last time.
    """
    for pause in PAUSES:
        try:
            return work()
        except StorageFailed:
            time.sleep(pause)
    return work()


@dataclass(frozen=True)
class Storage:
    """One folder.

    Args:
        uri: a path on this machine, or a URI such as `s3://bucket/folder`, `gs://bucket/folder` or
            `hdfs://host/folder`.
    """

    uri: str

    @classmethod
    def named(cls, name: str) -> Storage:
        """Return the folder that a user names.

        A path becomes absolute, to be the same one in any current folder.
        """
        return cls(name if SCHEME in name else str(Path(name).absolute()))

    def __str__(self) -> str:
        return self.uri

    def within(self, name: str) -> Storage:
        """Return a folder in this one.

        The query of a URI stays at its end.
        """
        path, mark, query = (self.uri, "", "") if self.is_local else self.uri.partition("?")
        return Storage(f"{path}/{name}{mark}{query}")

    @property
    def is_local(self) -> bool:
        """Whether it is a path on this machine."""
        return SCHEME not in self.uri

    def read(self, name: str) -> bytes | None:
        """Return the content of a file, or None if it is missing.

        Raises:
            NotOurs: the name leads out of the folder.
            StorageFailed: it cannot be read.
        """
        inside(Path("/"), name)  # names in manifests are not trusted
        path = Path(self.uri, name)
        if self.is_local and path.exists() and not path.is_file():
            raise StorageFailed(f"{self.within(name)} is not a regular file")
        with suppress(FileNotFoundError), self._explained(name, "read"):
            return path.read_bytes() if self.is_local else self._opened().read(name)
        return None

    def write(self, name: str, content: bytes) -> None:
        """Write a file as a whole, with its folders.

        Raises:
            NotWritten: it cannot be written on this machine; an earlier file is still there.
            StorageFailed: it cannot be written elsewhere.
        """
        if self.is_local:
            path = Path(self.uri, name)
            with explained(path):
                path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(path, content)
            return
        with self._explained(name, "written"):
            self._opened().write(name, content)

    def remove(self, name: str) -> None:
        """Delete a file, if it exists.

        Raises:
            StorageFailed: it cannot be deleted.
        """
        with suppress(FileNotFoundError), self._explained(name, "deleted"):
            Path(self.uri, name).unlink() if self.is_local else self._opened().remove(name)

    def remove_folder(self, name: str) -> None:
        """Delete an empty folder of this machine.

        An object store has no folders without files.

        Raises:
            StorageFailed: it cannot be deleted.
        """
        path = Path(self.uri, name)
        with self._explained(name, "deleted"):
            if self.is_local and path.is_dir() and not any(path.iterdir()):
                path.rmdir()

    def sizes(self, folder: str = "") -> dict[str, int]:
        """Return the size in bytes of each file in a folder, by name.

        Unfinished files are left out.

        Raises:
            StorageFailed: it cannot be listed.
        """
        with self._explained(folder, "listed"):
            found = dict(_sizes(Path(self.uri, folder)) if self.is_local else self._opened().sizes(folder))
        return {name: size for name, size in found.items() if not name.startswith(".")}

    def names(self) -> set[str]:
        """Return the names of everything in the folder, without those that begin with a dot.

        Raises:
            StorageFailed: it cannot be listed.
        """
        if not self.is_local:
            return set(self.sizes())
        with suppress(FileNotFoundError), self._explained("", "listed"):
            return {path.name for path in Path(self.uri).iterdir() if not path.name.startswith(".")}
        return set()

    def forget_unfinished(self, folder: str) -> None:
        """Delete the files of interrupted writers in a folder.

        An object store has none.

        Raises:
            NotWritten: the system refuses to delete it.
        """
        left = Path(self.uri, folder).glob(".*") if self.is_local else ()
        for unfinished in left:
            if is_unfinished(unfinished.name) and unfinished.is_file():
                with explained(unfinished):
                    unfinished.unlink(missing_ok=True)

    def files(self, folder: str, suffix: str) -> Iterator[tuple[str, bytes]]:
        """Yield name and content of each file of a folder with a suffix, by name.

        Raises the errors of `read`.
        """
        for name in sorted(self.sizes(folder)):
            content = self.read(f"{folder}/{name}".lstrip("/")) if name.endswith(suffix) else None
            if content is not None:
                yield name, content

    @contextmanager
    def _explained(self, name: str, done: str) -> Iterator[None]:
        """Raise errors of file systems as errors about a file."""
        try:
            yield
        except FileNotFoundError:
            raise
        except PROBLEMS as error:
            raise StorageFailed(f"{self.within(name)} cannot be {done}: {error}") from error

    def _opened(self) -> Remote:
        try:
            return Remote.opened(self.uri)
        except PROBLEMS as error:
            raise StorageFailed(
                f"{self.uri} cannot be opened: {error}. Name a folder, or a URI that pyarrow's file systems open."
            ) from error


def _sizes(folder: Path) -> Iterator[tuple[str, int]]:
    """Yield name and size of each file of a folder of this machine.

    The folder need not exist.
    """
    for path in folder.iterdir() if folder.exists() else ():
        with suppress(FileNotFoundError):  # it was renamed meanwhile
            if path.is_file():
                yield path.name, path.stat().st_size


class Remote(NamedTuple):
    """A folder in a file system of pyarrow."""

    system: Any
    root: str

    @classmethod
    def opened(cls, uri: str) -> Remote:
        """Return the file system of a URI, opened once by each process."""
        return _opened(uri, os.getpid())

    def read(self, name: str) -> bytes:
        """Return the content of a file."""
        with self.system.open_input_stream(f"{self.root}/{name}") as stream:
            return bytes(stream.read())

    def write(self, name: str, content: bytes) -> None:
        """Put a file as a whole."""
        with self.system.open_output_stream(f"{self.root}/{name}") as stream:
            stream.write(content)

    def remove(self, name: str) -> None:
        """Delete a file."""
        self.system.delete_file(f"{self.root}/{name}")

    def sizes(self, folder: str) -> Iterator[tuple[str, int]]:
        """Yield name and size of each file of a folder."""
        from pyarrow import fs  # noqa: PLC0415  # an extra

        where = fs.FileSelector(f"{self.root}/{folder}".rstrip("/"), allow_not_found=True)
        for entry in self.system.get_file_info(where):
            if entry.type is fs.FileType.File:
                yield entry.base_name, entry.size


@lru_cache(maxsize=64)
def _opened(uri: str, _process: int) -> Remote:
    """Open a file system for a process.

    A forked child needs its own, since S3's does not work in it any more.
    """
    try:
        from pyarrow import fs  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise StorageFailed(f"{uri} needs pyarrow: install 'kafka-wire-conformance[spark]'") from error

    if uri.startswith("s3://"):
        with suppress(ValueError):  # pyarrow before 17 does not know the parameter, or what is wrong is said below
            return _remote(*fs.FileSystem.from_uri(f"{uri}{'&' if '?' in uri else '?'}{SINGLE_PUT}"))
    return _remote(*fs.FileSystem.from_uri(uri))


SINGLE_PUT = "allow_delayed_open=true"
"""Puts a small object in one request, instead of the three of an upload in parts."""


def _remote(system: Any, root: str) -> Remote:
    return Remote(system, root.rstrip("/"))


def keep_parameters(
    folder: Storage, name: str, expected: Mapping[str, Any], noun: str, refusal: type[ConformanceError]
) -> None:
    """Write the parameters of a new folder, or check those of an old one.

    Args:
        folder: a new folder, or one with all or parts of the expected content.
        name: the file of the parameters.
        expected: the expected parameters.
        noun: the noun for the content in errors.
        refusal: the error for a folder with something else; that folder is unchanged.

    Raises:
        StorageFailed: the folder cannot be read or written.
    """
    present, text = folder.read(name), (json.dumps(expected, indent=2) + "\n").encode()
    if present is None and folder.names():
        raise refusal(f"{folder} holds something that is no {noun}. Name a new or empty folder.")
    if present is None or (present != text and text.startswith(present)):  # there is none, or it was cut
        folder.write(name, text)
        return
    try:
        kept = dict.fromkeys(expected) | parse_json(present, name)  # a missing parameter counts as None
    except (TypeError, ValueError, BadInput) as error:
        problem = f"{folder.within(name)} has no parameters of a {noun}: {error}"
        raise refusal(f"{problem}. Name another folder.") from error
    differing = [f"{key} {kept[key]!r}, not {value!r}" for key, value in _plain(expected).items() if kept[key] != value]
    if differing:
        problem = f"{folder} holds a {noun} of {'; '.join(differing)}"
        raise refusal(f"{problem}. Name another folder, or ask for the same.")


def _plain(expected: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as JSON has them, with lists for tuples."""
    plain: dict[str, Any] = json.loads(json.dumps(expected))
    return plain
