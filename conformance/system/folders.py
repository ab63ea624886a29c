"""Folders written by the suite, which deletes its own files only, and locks of a folder for one process at a time."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import stat
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from conformance.system.whole_files import MARK, SHOWN_NAME, explained, is_unfinished, sync, write_text
from reference.errors import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.json_text import read_json

try:
    import fcntl
except ImportError:  # as on Windows: there nobody is kept from a folder
    fcntl = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

LOCK = ".lock"

SCHEME = "://"

SHOWN = 5


class NotOurs(ConformanceError):
    """A file or folder not written by the suite, and so left unchanged."""


def inside(folder: Path, name: str) -> Path:
    """Return the path of a file named by the index of a folder.

    Raises:
        NotOurs: the path is outside the folder: it is absolute, has `..`, or lies beyond a link to another place.
    """
    path = folder / name
    is_plain = name and not PurePosixPath(name).is_absolute() and ".." not in PurePosixPath(name).parts
    if not is_plain or not path.resolve().is_relative_to(folder.resolve()):
        raise NotOurs(f"{folder}: its index names {name!r}, which is not in that folder; see who has changed the index")
    return path


def remove_own(folder: Path, name: str, sha256: str | None) -> bool:
    """Delete a file named by the index of a folder, if its content has the hash of the index.

    Returns:
        Whether the file is gone. A file with other content, or without a hash, belongs to somebody else and stays.

    Raises:
        NotOurs: the file is not in the folder.
        NotWritten: the system refuses to delete the file.
    """
    path = inside(folder, name)
    if not os.path.lexists(path):
        return True
    if path.is_symlink() or not path.is_file() or sha256_of(path) != sha256:
        return False
    with explained(path):
        path.unlink()
    return True


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file's content, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def foreign(folder: Path, own: Mapping[str, str | None]) -> list[str]:
    """Return the names of everything in a folder besides the suite's own files, also of folders without one of these.

    `own` has the name of each of the suite's files with the hash of its content, or None for any content.
    """
    folders = {str(parent) for name in own for parent in PurePosixPath(name).parents}
    found = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_dir() and not path.is_symlink():
            is_own = name in folders
        else:
            is_own = name in own and not path.is_symlink() and own[name] in {None, sha256_of(path)}
        found += [] if is_own else [name]
    return found


def named(names: list[str]) -> str:
    """Return the first few names for an error, and the number of further ones."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{', '.join(names[:SHOWN])}{more}"


def document_in(path: Path) -> dict[str, Any]:
    """Return the JSON object in a marker, or an empty one if the marker has none."""
    try:
        document = read_json(path)
    except (OSError, BadInput):
        return {}
    return document if isinstance(document, dict) else {}


def claim(folder: Path, marker: str, content: Mapping[str, Any], noun: str) -> None:
    """Mark a folder as the suite's own, or check that it is.

    The file `marker` in it gets the JSON object `content`. Errors call the folder by `noun`.

    Raises:
        NotOurs: the folder has files, but no marker with this content.
        NotWritten: the folder cannot be written.
    """
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        present = [path.name for path in folder.iterdir() if not path.name.startswith(".")]
    path = folder / marker
    if document_in(path) == content:
        return
    text = json.dumps(content) + "\n"
    # An interrupted run may have left the beginning of the marker: such a folder is ours nevertheless.
    is_cut = path.is_file() and text.encode().startswith(path.read_bytes())
    if present and not is_cut:
        raise NotOurs(f"{folder} is not empty, and no {noun} ({marker} does not say so): name a new or empty folder")
    write_text(path, text)


@contextmanager
def made_folder(folder: Path) -> Iterator[None]:
    """Make a folder and its parents where they are missing. An error removes them again, unless they have content.

    Raises:
        NotWritten: the folder cannot be made.
    """
    missing = [path for path in (folder, *folder.parents) if not os.path.lexists(path)]
    try:
        with explained(folder):
            folder.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        with suppress(OSError):
            for path in missing:
                path.rmdir()
        raise


@contextmanager
def filling_folder(folder: Path) -> Iterator[Path]:
    """Yield a new folder inside of an empty one. Its content moves up at the end, or vanishes with an error.

    The empty folder is made if need be. It may be the current one, so it is not replaced itself.

    Raises:
        NotOurs: the folder has content, other than what an end by force has left.
        NotWritten: the folder cannot be written.
    """
    with made_folder(folder), explained(folder):
        if any(not is_unfinished(path.name) for path in folder.iterdir()):
            raise NotOurs(f"{folder} is not empty: name a folder that is, or one that does not exist")
        new = folder / f".new{MARK}{secrets.token_hex(4)}"
        new.mkdir()
        try:
            yield new
            _sync_all(new)
            _move_up(new)
        finally:
            shutil.rmtree(new, ignore_errors=True)


def _sync_all(folder: Path) -> None:
    for path in (*folder.rglob("*"), folder):
        sync(path)


def _move_up(folder: Path) -> None:
    with ExitStack() as undo:
        for path in list(folder.iterdir()):
            moved = path.rename(folder.parent / path.name)
            undo.callback(moved.rename, path)
        sync(folder.parent)
        undo.pop_all()


@contextmanager
def replacing_folder(folder: Path, check: Callable[[], object]) -> Iterator[Path]:
    """Yield a new folder beside another one. It takes the other one's place at the end, or vanishes with an error.

    Args:
        folder: the place of the new folder; an older folder there is deleted, but stays if anything fails.
        check: raises an error if the older folder has anything to keep; called last of all.

    Raises:
        NotWritten: the folder cannot be written.
    """
    with explained(folder):
        temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name[:SHOWN_NAME]}{MARK}"))
        new, old = temporary / "new", temporary / "old"
        new.mkdir()
        try:
            yield new
            _sync_all(new)
            check()
            _swap(folder, new, old)
            sync(folder.parent)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def _swap(folder: Path, new: Path, old: Path) -> None:
    existed = folder.exists()
    if existed:
        new.chmod(stat.S_IMODE(folder.stat().st_mode))
        folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        if existed:
            old.rename(folder)
        raise


class InUse(ConformanceError):
    """A folder in use by another process."""


@contextmanager
def alone(folder: Path, work: str) -> Iterator[None]:
    """Hold a folder, made if need be, for this process alone. The system releases the lock when the process ends.

    Raises:
        InUse: another process holds it; the text has its process id.
        NotWritten: the folder is not writable.
    """
    with explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / LOCK).open("a+", encoding="ascii")
    with lock:
        try:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            lock.seek(0)
            holder = lock.read().strip() or "unknown"
            raise InUse(f"{folder} is in use by another {work}, process {holder}. Wait for its end.") from error
        with explained(folder):
            lock.truncate(0)
            lock.write(f"{os.getpid()}\n")
            lock.flush()
        yield
