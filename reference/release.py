"""The message definitions of one Kafka release, read on first use.

>>> release = load_release("4.3.0")
>>> release.definition("ApiVersionsRequest").api_key
18
>>> release.schema("ApiVersionsRequest", 3).flexible
True
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from reference.definitions.errors import DefinitionError
from reference.definitions.model import RELEASED
from reference.inputs.errors import BadInput
from reference.inputs.files import decoded
from reference.inputs.json_text import parse_json, read_json
from reference.inputs.sums import misfit
from reference.limits import UNLIMITED, by_version, reader_limits
from reference.protocols import loader_of
from reference.resolution import resolve
from reference.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from reference.definitions.model import Definition
    from reference.definitions.parse import Loader
    from reference.schema import MessageSchema

MANIFEST = "release.json"
SCHEMA = "release.schema.json"
RELEASES = "releases"
PROPOSED = "proposals"
"""The folder of the proposals' definitions: a proposal is read as a release in a dialect of its own."""
FORMAT = 1
"""The format of the manifest; it changes when a reader of the old format would misread the new one."""

FURTHER = "KAFKA_CONFORMANCE_DEFINITIONS"
"""The environment variable with the folders of further releases, inherited by child processes."""


class UnknownRelease(DefinitionError):
    """An unknown name of a release, or a folder without valid definitions."""


class UnknownMessage(DefinitionError):
    """A message or version unknown to the release."""


class Release:
    """All messages of one release, see `load_release`."""

    def __init__(self, folder: Traversable) -> None:
        self.folder = folder
        """The folder of release.json and of one file for each message."""
        manifest = read_manifest(folder)
        self.name: str = manifest["release"]
        self.title: str = manifest.get("title", f"Kafka {self.name}")
        """The name for readers: `Kafka 4.3.0`, or the name of a proposal."""
        self.dialect: str = manifest.get("dialect", RELEASED)
        """The protocol of its definitions, see `reference.proposals`."""
        self.proposed = "dialect" in manifest
        """Whether a document proposed these definitions, and no Apache Kafka has them."""
        self.digest: str = manifest.get("definitions", "")
        """A hash of the definitions, if they were read from a folder given by name, see `conformance.definitions`."""
        self.headers_of: str = manifest.get("headersOf", "")
        """The release with the header definitions, if the folder given by name has none."""
        self.messages: tuple[str, ...] = tuple(sorted(manifest["messages"]))
        self.limits = UNLIMITED if self.proposed else reader_limits(self.name)
        """The limits of Apache Kafka's readers."""
        self.modules: tuple[str, ...] = tuple(source["source"] for source in manifest.get("sources", ()))
        """The modules of Kafka with its definitions, such as `kafka-clients`."""
        self._loader = _loader(folder, self.dialect)
        self._manifest: dict[str, dict[str, Any]] = manifest["messages"]
        self._definitions: dict[str, Definition] = {}
        self._schemas: dict[tuple[str, int], MessageSchema] = {}

    @property
    def published(self) -> bool:
        """Whether these are the definitions of a release of Apache Kafka, not of a document or a folder."""
        return not (self.proposed or self.digest)

    def __repr__(self) -> str:
        return f"<Release {self.name}: {len(self.messages)} definitions>"

    def definition(self, message: str) -> Definition:
        """Return the definition of a message, or raise UnknownMessage if the release does not have it."""
        if message not in self._definitions:
            if message not in self.messages:
                raise UnknownMessage(f"{self.title} has no message {message!r}{_suggest(message, self.messages)}")
            name = f"{message}.json"
            if not (self.folder / name).is_file():
                raise UnknownMessage(f"{self.folder / MANIFEST} lists {message}, and there is no {name} beside it")
            text = decoded((self.folder / name).read_bytes(), str(self.folder / name))
            self._definitions[message] = self._loader.parse(text, name)
        return self._definitions[message]

    def source(self, message: str) -> str:
        """Return the module of Kafka with a definition, such as `kafka-clients`, or empty text if none is named.

        Raises:
            UnknownMessage: the release does not have the message.
        """
        self.definition(message)
        return str(self._manifest[message].get("source", ""))

    def schema(self, message: str, version: int) -> MessageSchema:
        """Return the schema of a message at one version, or raise UnknownMessage if the release lacks either."""
        key = (message, version)
        if key not in self._schemas:
            definition = self.definition(message)
            if version not in definition.valid_versions:
                raise UnknownMessage(
                    f"{message} of {self.title} has no version {version}: its versions are {definition.valid_versions}"
                )
            self._schemas[key] = replace(resolve(definition, version), limits=self.limits)
        return self._schemas[key]

    def schemas(self) -> Iterator[MessageSchema]:
        """Yield the schemas of every message at every version, by name and version."""
        for message in self.messages:
            for version in self.definition(message).valid_versions:
                yield self.schema(message, version)


def load_release(name_or_path: str | Path) -> Release:
    """Return a release or a proposal by its name (`4.3.0`, `kip-625`), or the one in a folder. Nothing is fetched.

    Other names are those of the releases in the folders of `KAFKA_CONFORMANCE_DEFINITIONS` and in the user's cache.

    Raises:
        UnknownRelease: it is not here. The error names the known ones.
    """
    name = str(name_or_path)
    is_committed = name in releases() or name in proposals()
    # The variable is part of the cache's key, as it may name other folders later. Committed releases do not need it.
    return _load(name, "" if is_committed else os.environ.get(FURTHER, ""))


def _committed(name: str) -> list[Traversable]:
    return [folder / name for folder in _folders()]


@cache
def _folders() -> tuple[Traversable, ...]:
    return tuple(files("specs") / kind for kind in (RELEASES, PROPOSED))


@cache
def _load(name: str, _further: str) -> Release:
    further = [folder for known, folder in _further_folders() if known == name]
    for folder in (*_committed(name), *further, imported_release(name), Path(name)):
        if folder is not None and (folder / MANIFEST).is_file():
            return Release(folder)
    fetch = f"import it with `kafka-conformance specs import --release {name}`, or " if name[:1].isdigit() else ""
    raise UnknownRelease(
        f"no definitions of release {name!r}: there are {', '.join(releases())}, and the proposals "
        f"{', '.join(proposals())}; {fetch}give the path of a folder of definitions"
    )


def imported_releases() -> Path:
    """Return the folder of the user's cache with the imported releases."""
    return platformdirs.user_cache_path("kafka-wire-conformance") / f"releases-{FORMAT}"


def imported_release(name: str) -> Path | None:
    """Return the folder of a release in the user's cache, or None if it is not there as it was written."""
    folder = imported_releases() / name
    is_there = Path(name).name == name and (folder / MANIFEST).is_file()
    return folder if is_there and not misfit(folder) else None


def further_releases() -> tuple[str, ...]:
    """Return the names of the releases in the folders of `KAFKA_CONFORMANCE_DEFINITIONS`."""
    return tuple(name for name, _ in _further_folders())


def _further_folders() -> list[tuple[str, Path]]:
    folders = (Path(text) for text in os.environ.get(FURTHER, "").split(os.pathsep) if text)
    return [(read_manifest(folder)["release"], folder) for folder in folders if (folder / MANIFEST).is_file()]


@cache  # a worker of Spark has them in a zip, and would list it again at every call
def releases() -> tuple[str, ...]:
    """Return the names of the committed releases, oldest first."""
    folders = (files("specs") / RELEASES).iterdir()
    return tuple(sorted((folder.name for folder in folders if folder.is_dir()), key=by_version))


@cache
def proposals() -> tuple[str, ...]:
    """Return the names of the proposals, sorted. Their definitions are read as those of a release."""
    folders = (files("specs") / PROPOSED).iterdir()
    return tuple(sorted(folder.name for folder in folders if (folder / MANIFEST).is_file()))


def newest_release() -> str:
    """Return the name of the newest committed release."""
    return releases()[-1]


def _loader(folder: Traversable, dialect: str) -> Loader:
    try:
        return loader_of(dialect)
    except KeyError as error:
        raise UnknownRelease(f"{folder / MANIFEST} is of an unknown dialect, {dialect!r}") from error


def read_manifest(folder: Traversable) -> dict[str, Any]:
    """Return the manifest in a folder, with an object as its `messages`, even if the file has a list of names.

    Raises:
        UnknownRelease: the manifest does not conform to specs/release.schema.json.
        OSError: the file is missing or unreadable.
    """
    file = folder / MANIFEST
    try:
        if not isinstance(file, Path) or file.parent.parent in _folders():
            manifest: dict[str, Any] = parse_json(file.read_bytes(), str(file))  # tests check committed ones
        else:
            manifest = _conforming(read_json(file), str(file))
    except BadInput as error:
        raise UnknownRelease(f"{file} is not a manifest of a release: {error.within}") from error
    if isinstance(manifest["messages"], list):
        manifest["messages"] = {name: {} for name in manifest["messages"]}
    return manifest


def _conforming(manifest: Any, source: str) -> Any:
    from reference.inputs.schemas import conform, packaged  # noqa: PLC0415  # its import takes longer than all others here

    conform(manifest, packaged("specs", SCHEMA), source)
    return manifest


def _suggest(message: str, messages: tuple[str, ...]) -> str:
    question = suggestion(message, messages)
    return f"; {question}" if question else ""
