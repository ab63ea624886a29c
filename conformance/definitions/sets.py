"""The definitions of a release, file or folder, to be compared with others: `definition_set`."""

from __future__ import annotations

from pathlib import Path

from conformance.definitions.checking import Checked, check, sound
from conformance.definitions.maven import CORE
from conformance.definitions.named import release_of
from conformance.definitions.published import NAME
from conformance.definitions.sources import ImportFailedError
from reference import Release, newest_release, proposals, releases
from reference.evolution import DefinitionSet
from reference.release import imported_release


def definition_set(name_or_path: str, dialect: str | None = None) -> DefinitionSet:
    """Return the definitions of a release, of a file or folder, or of a jar.

    Files are of the protocol `dialect`; by default of the one that the release.json beside them names.

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
    return DefinitionSet(definitions, {message: _module(release.source(message)) for message in definitions})


def checked_set(checked: Checked) -> DefinitionSet:
    """Return the definitions of a file or folder that were checked; raise BrokenDefinitions if they break rules."""
    files = sound(checked)
    modules = {name: _module(file.source.name) for name, (file, _) in files.items() if not file.source.mixed}
    return DefinitionSet({name: definition for name, (_, definition) in files.items()}, modules)


def _module(source: str) -> str:
    """Return the module's name in a checkout of Kafka's sources: `clients` for `kafka-clients`."""
    return "core" if source == CORE else source.removeprefix("kafka-")
