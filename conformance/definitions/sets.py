"""The definitions of a release, file or folder, to be compared with others: `definition_set`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.definitions.check import check, sound
from conformance.definitions.importer import FORMAT, MANIFEST, import_release
from conformance.definitions.maven import CORE
from conformance.definitions.sources import ImportFailedError
from reference import Release, load_release, proposals, releases
from reference.evolution import DefinitionSet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.definitions.sources import Source

Fetch = Callable[[str], "Sequence[Source]"]
"""Gets the definitions of a published release."""


def definition_set(name_or_path: str, cache: Path, fetch: Fetch, dialect: str | None = None) -> DefinitionSet:
    """Return the definitions of a committed release, of a file or folder, or of a release that is fetched.

    A fetched release is kept in the folder `cache`. Files are of the protocol `dialect`; by default of the one that the
    release.json beside them names.

    Raises:
        BrokenDefinitions: definitions break rules; the text has every problem.
        ImportFailedError: there is no such release, file or folder, or it has no definitions.
    """
    if name_or_path in (*releases(), *proposals()):
        return _of_release(load_release(name_or_path))
    path = Path(name_or_path)
    if path.exists():
        return _at(path, dialect)
    if not re.fullmatch(r"[0-9]+(\.[0-9]+)+[0-9A-Za-z.-]*", name_or_path):
        raise ImportFailedError(
            f"{name_or_path!r} is neither a release nor a path: name a release, as 4.3.0, a file, a jar, or a "
            "folder of definitions"
        )
    return _of_release(load_release(_imported(name_or_path, cache, fetch)))


def _imported(release: str, cache: Path, fetch: Fetch) -> Path:
    folder = cache / f"releases-{FORMAT}" / release
    if not (folder / MANIFEST).is_file():
        import_release(release, fetch(release), folder.parent)
    return folder


def _of_release(release: Release) -> DefinitionSet:
    definitions = {message: release.definition(message) for message in release.messages}
    return DefinitionSet(definitions, {message: _module(release.source(message)) for message in definitions})


def _at(path: Path, dialect: str | None) -> DefinitionSet:
    files = sound(check(path, dialect))
    modules = {name: _module(file.source.name) for name, (file, _) in files.items() if not file.source.mixed}
    return DefinitionSet({name: definition for name, (_, definition) in files.items()}, modules)


def _module(source: str) -> str:
    """Return the module's name in a checkout of Kafka's sources: `clients` for `kafka-clients`."""
    return "core" if source == CORE else source.removeprefix("kafka-")
