"""Folders of files that are written whole or not at all: on this machine, or wherever a file system of pyarrow reaches.

A file on this machine is written as every file of the suite. An object store shows an object once it was put as a
whole. Where that fails half way, the caller tries again, or the file is missing: its readers see no half of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pyarrow import fs

from conformance.files.folders import SCHEME, inside
from conformance.files.writing import explained, is_unfinished, write_bytes
from reference.errors import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class StorageFailed(ConformanceError):
    """A folder that cannot be reached, read or written; the text says which, and why."""


@dataclass(frozen=True)
class Storage:
    """One folder.

    Args:
        uri: a path on this machine, or a URI such as `s3://bucket/folder`, `gs://bucket/folder` or `hdfs://host/folder`.
    """

    uri: str

    @classmethod
    def named(cls, name: str) -> Storage:
        """Return the folder that a user names: a path is the same one then in whichever folder a process is."""
        return cls(name if SCHEME in name else str(Path(name).absolute()))

    def __str__(self) -> str:
        return self.uri

    def within(self, name: str) -> Storage:
        """Return a folder in this one; what is behind the path of a URI stays behind it."""
        path, mark, query = (self.uri, "", "") if self.is_local else self.uri.partition("?")
        return Storage(f"{path}/{name}{mark}{query}")

    @property
    def is_local(self) -> bool:
        """Whether it is a path on this machine."""
        return SCHEME not in self.uri

    def read(self, name: str) -> bytes | None:
        """Return the content of a file; None if there is none.

        Raises:
            NotOurs: the name leads out of the folder.
            StorageFailed: it cannot be read.
        """
        inside(Path("/"), name)
        system, root = self._opened()
        if self.is_local and Path(root, name).exists() and not Path(root, name).is_file():
            raise StorageFailed(f"{self.within(name)} is not a regular file")
        try:
            with system.open_input_stream(f"{root}/{name}") as stream:
                return bytes(stream.read())
        except FileNotFoundError:
            return None
        except (OSError, pa.ArrowException) as error:
            raise StorageFailed(f"{self.within(name)} cannot be read: {error}") from error

    def write(self, name: str, content: bytes) -> None:
        """Write a file as a whole, with its folders.

        Raises:
            NotWritten: it cannot be written on this machine; what was there before is still there.
            StorageFailed: it cannot be written elsewhere.
        """
        if self.is_local:
            path = Path(self.uri, name)
            with explained(path):
                path.parent.mkdir(parents=True, exist_ok=True)
            write_bytes(path, content)
            return
        system, root = self._opened()
        try:
            with system.open_output_stream(f"{root}/{name}") as stream:
                stream.write(content)
        except (OSError, pa.ArrowException) as error:
            raise StorageFailed(f"{self.within(name)} cannot be written: {error}") from error

    def remove(self, name: str) -> None:
        """Delete a file, if it is there.

        Raises:
            StorageFailed: it cannot be deleted.
        """
        system, root = self._opened()
        try:
            system.delete_file(f"{root}/{name}")
        except FileNotFoundError:
            return
        except (OSError, pa.ArrowException) as error:
            raise StorageFailed(f"{self.within(name)} cannot be deleted: {error}") from error

    def sizes(self, folder: str = "") -> dict[str, int]:
        """Return the size in bytes of each file in a folder, by name; without those that are being written.

        Raises:
            StorageFailed: it cannot be listed.
        """
        system, root = self._opened()
        where = fs.FileSelector(f"{root}/{folder}".rstrip("/"), allow_not_found=True)
        try:
            return {entry.base_name: entry.size for entry in system.get_file_info(where) if _is_shown(entry)}
        except (OSError, pa.ArrowException) as error:
            raise StorageFailed(f"{self.within(folder)} cannot be listed: {error}") from error

    def forget_unfinished(self, folder: str) -> None:
        """Delete what writers that came to no end have left in a folder; an object store has nothing of them.

        Raises:
            NotWritten: the system refuses to delete it.
        """
        left = Path(self.uri, folder).glob(".*") if self.is_local else ()
        for unfinished in left:
            if is_unfinished(unfinished.name) and unfinished.is_file():
                with explained(unfinished):
                    unfinished.unlink(missing_ok=True)

    def files(self, folder: str, suffix: str) -> Iterator[tuple[str, bytes]]:
        """Yield name and content of each file of a folder with that suffix, by name. Errors are as of `read`."""
        for name in sorted(self.sizes(folder)):
            content = self.read(f"{folder}/{name}".lstrip("/")) if name.endswith(suffix) else None
            if content is not None:
                yield name, content

    def _opened(self) -> tuple[Any, str]:
        """Return the file system, and the path of the folder in it."""
        if self.is_local:
            return fs.LocalFileSystem(), str(Path(self.uri).absolute())
        try:
            system, root = fs.FileSystem.from_uri(self.uri)
        except (OSError, ValueError, pa.ArrowException) as error:
            raise StorageFailed(
                f"{self.uri} cannot be opened: {error}. Name a folder, or a URI that pyarrow's file systems open."
            ) from error
        return system, root.rstrip("/")


def _is_shown(entry: Any) -> bool:
    return entry.type is fs.FileType.File and not entry.base_name.startswith(".")


def keep_parameters(
    folder: Storage, name: str, wanted: Mapping[str, Any], noun: str, refusal: type[ConformanceError]
) -> None:
    """Write the parameters of what a new folder will hold, or check that those of an old one are the same.

    Args:
        folder: new, or one that holds what is wanted, perhaps in parts.
        name: the file of the parameters.
        wanted: the parameters.
        noun: what they are parameters of.
        refusal: the error where the folder holds something else, which is not changed.

    Raises:
        StorageFailed: the folder cannot be read or written.
    """
    present, text = folder.read(name), (json.dumps(wanted, indent=2) + "\n").encode()
    if present is None and folder.sizes():
        raise refusal(f"{folder} holds something that is no {noun}. Name a new or empty folder.")
    if present is None or (present != text and text.startswith(present)):  # there is none, or it was cut
        folder.write(name, text)
        return
    try:
        kept = dict.fromkeys(wanted) | parse_json(present, name)
    except (TypeError, ValueError, BadInput) as error:
        problem = f"{folder.within(name)} has no parameters of a {noun}: {error}"
        raise refusal(f"{problem}. Name another folder.") from error
    differing = [f"{key} {kept[key]!r}, not {value!r}" for key, value in _plain(wanted).items() if kept[key] != value]
    if differing:
        problem = f"{folder} holds a {noun} of {'; '.join(differing)}"
        raise refusal(f"{problem}. Name another folder, or ask for the same.")


def _plain(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as JSON has them, where a tuple is a list."""
    plain: dict[str, Any] = json.loads(json.dumps(wanted))
    return plain
