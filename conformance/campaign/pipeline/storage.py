"""Folders of documents, on this machine or in a file system of Spark.

A file on this machine is written as every file of the suite, and needs neither Spark nor pyarrow. Elsewhere Hadoop's
file systems of the active session read and write, with the session's settings.
"""

from __future__ import annotations

import json
import shutil
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.campaign.pipeline.errors import SparkUnavailable
from conformance.campaign.pipeline.spark_session import active_session, is_connect, reason_in
from conformance.system.folders import SCHEME, inside
from conformance.system.whole_files import explained, write_bytes
from reference.errors import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.files import read_bytes
from reference.inputs.json_text import parse_json
from reference.inputs.schemas import conform, packaged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class StorageFailed(ConformanceError):
    """A folder that cannot be reached, read or written, with the reason."""


@dataclass(frozen=True)
class Storage:
    """One folder, a path on this machine or a URI of Spark's, such as `s3a://bucket/folder` or `hdfs://host/folder`."""

    uri: str

    @classmethod
    def named(cls, name: str) -> Storage:
        """Return the folder that a user names. A path becomes absolute, to be the same one in any current folder."""
        return cls(name if SCHEME in name else str(Path(name).absolute()))

    def __str__(self) -> str:
        return self.uri

    def within(self, name: str) -> Storage:
        """Return a folder in this one."""
        return Storage(f"{self.uri.rstrip('/')}/{name}")

    @property
    def is_local(self) -> bool:
        """Whether it is a path on this machine."""
        return SCHEME not in self.uri

    def read(self, name: str) -> bytes | None:
        """Return the content of a file, or None if it is missing.

        Raises:
            BadInput: it is no regular file.
            NotOurs: the name leads out of the folder.
            StorageFailed: it cannot be read.
        """
        inside(Path("/"), name)
        with suppress(FileNotFoundError), self._explained(name, "read"):
            if self.is_local:
                return read_bytes(Path(self.uri, name))
            system, path = self._remote(name)
            if system.exists(path):
                with closing(system.open(path)) as stream:
                    return bytes(stream.readAllBytes())
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
            system, remote = self._remote(name)
            with closing(system.create(remote, True)) as stream:  # noqa: FBT003  # over an older one
                stream.write(content)

    def remove(self, name: str) -> None:
        """Delete a file, or a folder with everything in it, if it exists, or raise StorageFailed."""
        with self._explained(name, "deleted"), suppress(FileNotFoundError):
            if not self.is_local:
                system, remote = self._remote(name)
                system.delete(remote, True)  # noqa: FBT003  # with everything in it
                return
            path = inside(Path(self.uri), name)
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()

    def names(self) -> set[str]:
        """Return the names of everything in the folder, without those that begin with a dot, or raise StorageFailed."""
        found: list[str] = []
        with suppress(FileNotFoundError), self._explained("", "listed"):
            if self.is_local:
                found = [path.name for path in Path(self.uri).iterdir()]
            else:
                system, remote = self._remote("")
                there = system.listStatus(remote) if system.exists(remote) else ()
                found = [each.getPath().getName() for each in there]
        return {name for name in found if not name.startswith(".")}

    def files(self, suffix: str) -> Iterator[tuple[str, bytes]]:
        """Yield name and content of each file with a suffix, by name, with the errors of `read`."""
        for name in sorted(self.names()):
            content = self.read(name) if name.endswith(suffix) else None
            if content is not None:
                yield name, content

    def _remote(self, name: str) -> tuple[Any, Any]:
        """Return Hadoop's file system, by the settings of the active session, and the path of a file in it."""
        place, session = self.within(name), active_session()
        if session is None or is_connect(session):
            raise SparkUnavailable(f"{place} is reached by a Spark session alone, and not by one of Spark Connect")
        context: Any = session.sparkContext
        path = context._jvm.org.apache.hadoop.fs.Path(str(place))  # noqa: SLF001  # PySpark has no public way to files
        return path.getFileSystem(context._jsc.hadoopConfiguration()), path  # noqa: SLF001  # PySpark has no public way to files

    @contextmanager
    def _explained(self, name: str, done: str) -> Iterator[None]:
        try:
            yield
        except (FileNotFoundError, ConformanceError):
            raise
        except Exception as error:  # of the operating system, or any of Java
            problem = reason_in(error).partition("\n")[0]
            raise StorageFailed(f"{self.within(name)} cannot be {done}: {problem}") from error


def manifest_in(folder: Storage, name: str, package: str, noun: str, refusal: type[ConformanceError]) -> dict[str, Any]:
    """Return the manifest of a finished work, by the schema in a package, or raise a `refusal` with its noun."""
    content = folder.read(name)
    if content is None:
        raise refusal(f"{folder} holds no finished {noun}: it has no {name}")
    try:
        manifest: dict[str, Any] = parse_json(content, name)
        conform(manifest, packaged(package, "manifest.schema.json"), name)
    except BadInput as error:
        raise refusal(f"{folder} holds no finished {noun}: {error}") from error
    return manifest


def keep_parameters(
    folder: Storage, name: str, expected: Mapping[str, Any], noun: str, refusal: type[ConformanceError]
) -> None:
    """Write the parameters of a new folder, or check those of an old one.

    A folder with something else is a `refusal`, whose text names the content by its noun, and stays unchanged.

    Raises:
        StorageFailed: the folder cannot be read or written.
    """
    present, text = folder.read(name), (json.dumps(expected, indent=2) + "\n").encode()
    if present is None and folder.names():
        raise refusal(f"{folder} holds something that is no {noun}. Name a new or empty folder.")
    if text.startswith(present or b""):  # there is none, it was cut, or it is the same
        if present != text:
            folder.write(name, text)
        return
    try:
        kept = dict.fromkeys(expected) | parse_json(present or b"", name)  # a missing parameter counts as None
    except (TypeError, BadInput) as error:
        problem = f"{folder.within(name)} has no parameters of a {noun}: {error}"
        raise refusal(f"{problem}. Name another folder.") from error
    plain = json.loads(json.dumps(expected))  # with lists for tuples
    differing = [f"{key} {kept[key]!r}, not {value!r}" for key, value in plain.items() if kept[key] != value]
    if differing:
        problem = f"{folder} holds a {noun} of {'; '.join(differing)}"
        raise refusal(f"{problem}. Name another folder, or ask for the same.")
