"""The release of `--release NAME|PATH`.

It is a committed or published release, a proposal, or the definitions in a folder. A missing published release is
fetched, and kept in the user's cache.

The definitions of a folder are checked, and written in their canonical form, with a release.json, to a folder of the
user's cache named after a hash of them. Child processes, harnesses and workers of Spark read the folder of the cache.
So changes in the original folder during a run do not reach them, and comments and the form of the files do not matter.
They know the folder by the release's name, from the environment variable read by `load_release`.

The name of this release is that in the folder's release.json, else the folder's own name and the hash. It depends on
the contents alone. A name with a hash names these definitions as long as they are in the cache. A folder with the name
of a committed release and its definitions is that release; with other definitions its name gets the hash, too.

`definition_set` gives the definitions of a release, file or folder for a comparison with others.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

from conformance.definitions.checking import Checked, DefinitionFile, check, releases_in, sound
from conformance.definitions.importer import with_sums
from conformance.definitions.maven import CORE
from conformance.definitions.published import NAME, is_published, published_release, user_cache
from conformance.definitions.sources import ImportFailedError
from conformance.system.shell import path_word
from conformance.system.system_errors import text_of
from reference import ConformanceError, Release, load_release, newest_release, proposals, releases
from reference.definitions.canonical import canonical_json
from reference.definitions.header_versions import APIS
from reference.definitions.model import RELEASED
from reference.evolution import DefinitionSet
from reference.headers import REQUEST_HEADER, RESPONSE_HEADER
from reference.inputs.sums import misfit
from reference.prefixed import METADATA_LOG
from reference.release import FORMAT, FURTHER, MANIFEST, further_releases, imported_release, imported_releases

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference.definitions.errors import BrokenDefinition
    from reference.definitions.model import Definition

Json = dict[str, Any]
Files = dict[str, "tuple[DefinitionFile, Definition]"]

SHOWN = 10
"""The number of shown problems of definitions; `specs validate` shows all."""

LONGEST_NAME = 100
"""Bytes of the name of a release, which is the name of a folder."""

HASH = 8
"""Digits of the hash in a name."""


class BadFolder(ConformanceError):
    """A folder without a set of valid definitions, with the reason in its text."""


def release_of(name_or_path: str) -> Release:
    """Return the release of that name, or of the definitions in that folder.

    Child processes then know the release as well.

    Raises:
        BadFolder: there is no such folder, or its definitions cannot be used.
        ImportFailedError: there is no published release of that name, or it cannot be fetched.
        UnknownRelease: there is no release of that name.
    """
    # Other than those of Path, these functions raise nothing for a name too long, or the home of nobody.
    path = Path(os.path.expanduser(name_or_path))  # noqa: PTH111
    is_path = os.path.exists(path) or len(path.parts) > 1 or name_or_path.startswith((".", "~"))  # noqa: PTH110
    if not is_path and len(os.fsencode(name_or_path)) > LONGEST_NAME:
        raise BadFolder(f"{name_or_path[:LONGEST_NAME]}… is too long for the name of a release")
    if name_or_path in (*releases(), *proposals(), *further_releases()):
        return load_release(name_or_path)
    if not is_path:
        _make_known(*_kept_folders(name_or_path))
        return load_release(name_or_path)
    if not path.is_dir():
        problem = "is a file: name the folder that it is in" if path.exists() else "does not exist"
        raise BadFolder(f"{path} {problem}; a release is a name, or the path of a folder of definitions")
    try:
        return _release_in(path)
    except OSError as error:
        raise BadFolder(
            f"the definitions in {path} cannot be read, or be kept in the user's cache: {text_of(error)}"
        ) from error


def _kept_folders(name: str) -> list[Path]:
    """Return the folders of the user's cache with definitions of that name. A published release is fetched."""
    has_hash = re.search(rf"-[0-9a-f]{{{HASH}}}$", name)
    if is_published(name) and not has_hash:
        return [published_release(name)]
    folders = _cache().glob(f"*/{name}") if has_hash else [imported_releases() / name]
    return [_whole(folder) for folder in folders if (folder / MANIFEST).is_file()]


def _whole(folder: Path) -> Path:
    damage = misfit(folder)
    if damage:
        raise BadFolder(f"{folder} is damaged ({damage}): name the folder that its definitions came from")
    return folder


def remarks(release: Release) -> list[str]:
    """Return remarks for the reader about a release of a folder."""
    if not release.headers_of:
        return []
    return [
        f"no {REQUEST_HEADER} and {RESPONSE_HEADER} in {release.title}: those of Kafka {release.headers_of} are used"
    ]


def _release_in(path: Path) -> Release:
    """Return the release of the definitions in a folder, as described at the top of this module."""
    files = _read(path)
    stated = load_release(path.resolve()) if (path / MANIFEST).is_file() else None
    dialect = stated.dialect if stated else RELEASED
    texts = {name: _text(file, definition) for name, (file, definition) in files.items()}
    digest = _digest(dialect, texts)
    name = title = f"{_slug(path.resolve().name)}-{digest[:HASH]}"
    if stated is not None:
        name, title = _slug(stated.name), stated.title
    if name in (*releases(), *proposals()):
        if digest == _digest_of(load_release(name)):
            return load_release(name)
        name = title = f"{name}-{digest[:HASH]}"
    facts = {"format": FORMAT, "release": name, "title": title, "definitions": digest}
    if stated is not None and stated.proposed:
        facts["dialect"] = dialect
    _make_known(_kept(Path(digest, name), with_sums(_with_manifest(facts, files, texts))))
    return load_release(name)


def _with_manifest(facts: Json, files: Files, texts: Mapping[str, str]) -> dict[str, str]:
    messages = {name: {"source": _module(file, definition)} for name, (file, definition) in files.items()}
    headers = _headers([definition for _, definition in files.values()])
    if headers:
        facts = {**facts, "headersOf": newest_release()}
        messages |= {name: {} for name in headers}
    manifest = json.dumps({**facts, "messages": messages}, indent=2) + "\n"
    return {**{f"{name}.json": text for name, text in {**texts, **headers}.items()}, MANIFEST: manifest}


def _read(path: Path) -> Files:
    sets = releases_in(path)
    if path not in sets and sets:
        raise BadFolder(f"{path} holds several sets of definitions; name one: {', '.join(map(str, sets))}")
    try:
        checked = check(path)
        if checked.problems:
            raise BadFolder(_shown(path, checked.problems))
        return sound(checked)
    except ImportFailedError as error:
        raise BadFolder(str(error)) from error


def _shown(path: Path, problems: Sequence[BrokenDefinition]) -> str:
    shown = "\n\n".join(map(str, problems[:SHOWN]))
    rest = f", the first {SHOWN} of them above" if len(problems) > SHOWN else ""
    advice = f"`kafka-conformance specs validate {shlex.quote(path_word(path))}` shows all"
    return f"{path} is no release: its definitions are broken\n\n{shown}\n\nproblems: {len(problems)}{rest}; {advice}"


def _text(file: DefinitionFile, definition: Definition) -> str:
    # In a dialect it is the original text, since the canonical form has no place for its properties.
    return canonical_json(definition) if definition.dialect == RELEASED else file.text


def _digest(dialect: str, texts: Mapping[str, str]) -> str:
    return hashlib.sha256(json.dumps([dialect, sorted(texts.items())]).encode()).hexdigest()


def _digest_of(release: Release) -> str:
    return _digest(release.dialect, {name: _committed_text(release, name) for name in release.messages})


def _committed_text(release: Release, name: str) -> str:
    if release.dialect == RELEASED:
        return canonical_json(release.definition(name))
    return (release.folder / f"{name}.json").read_text(encoding="utf-8")


def _slug(name: str) -> str:
    return re.sub(r"[^0-9A-Za-z._-]+", "-", name).strip("-.") or "definitions"


def _module(file: DefinitionFile, definition: Definition) -> str:
    """Return the module of a message as in a published release, like `kafka-metadata`."""
    source = file.source
    if source.artifact is not None or source.name.startswith("kafka"):
        return source.name
    if not source.mixed and source.name:
        return CORE if source.name == "core" else f"kafka-{source.name.replace('/', '-')}"
    # In a flat folder it is that of the newest release; a metadata record unknown there is of the metadata log.
    newest = load_release(newest_release())
    if definition.name in newest.messages:
        return newest.source(definition.name)
    return METADATA_LOG if definition.kind == "metadata" else ""


def _headers(definitions: Sequence[Definition]) -> dict[str, str]:
    """Return the header definitions of the newest release, if requests and responses lack them."""
    if not any(each.kind in APIS and each.dialect == RELEASED for each in definitions):
        return {}
    lacking = {REQUEST_HEADER, RESPONSE_HEADER} - {definition.name for definition in definitions}
    return {name: canonical_json(load_release(newest_release()).definition(name)) for name in sorted(lacking)}


def _kept(name: Path, texts: Mapping[str, str]) -> Path:
    folder = _cache() / name
    if _has(folder, texts):
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Under another name, and renamed when it is complete.
    new = Path(mkdtemp(dir=folder.parent, prefix="writing-"))
    try:
        for file, text in texts.items():
            (new / file).write_text(text, encoding="utf-8", newline="\n")
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)  # of another version of this project, or damaged
    try:
        new.rename(folder)
    except OSError:  # another process was faster
        shutil.rmtree(new)
    return folder


def _has(folder: Path, texts: Mapping[str, str]) -> bool:
    if not folder.is_dir():
        return False
    present = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    return present == {name: text.encode() for name, text in texts.items()}


def _cache() -> Path:
    return user_cache() / f"definitions-{FORMAT}"


def _make_known(*folders: Path) -> None:
    """Make releases known by their names in this process and in those started by it."""
    known = [text for text in os.environ.get(FURTHER, "").split(os.pathsep) if text]
    os.environ[FURTHER] = os.pathsep.join(dict.fromkeys([*map(str, folders), *known]))


def definition_set(name_or_path: str, dialect: str | None = None) -> DefinitionSet:
    """Return the definitions of a release, of a file, folder or jar, by default in the dialect of its release.json.

    Raises:
        BrokenDefinitions: definitions break rules; the text has every problem.
        ImportFailedError: there is no such release, file or folder, or it has no definitions.
    """
    is_known = name_or_path in (*releases(), *proposals())
    path = Path(name_or_path)
    if not is_known and path.exists():
        return checked_set(check(path, dialect))
    if not (is_known or NAME.fullmatch(name_or_path) or imported_release(name_or_path)):
        raise ImportFailedError(
            f"{name_or_path!r} is neither a release nor a path: name a release, as {newest_release()}, a file, a "
            "jar, or a folder of definitions"
        )
    return _of_release(release_of(name_or_path))


def _of_release(release: Release) -> DefinitionSet:
    definitions = {message: release.definition(message) for message in release.messages}
    return DefinitionSet(definitions, {message: _module_set(release.source(message)) for message in definitions})


def checked_set(checked: Checked) -> DefinitionSet:
    """Return the definitions of a checked file or folder. Errors are those of `sound`."""
    files = sound(checked)
    modules = {name: _module_set(file.source.name) for name, (file, _) in files.items() if not file.source.mixed}
    return DefinitionSet({name: definition for name, (_, definition) in files.items()}, modules)


def _module_set(source: str) -> str:
    """Return the module's name in a checkout of Kafka's sources, like `clients` for `kafka-clients`."""
    return "core" if source == CORE else source.removeprefix("kafka-")
