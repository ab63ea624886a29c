"""The definitions of a release, file or folder, to be compared with others: `definition_set`."""

from __future__ import annotations

from pathlib import Path

from conformance.definitions.check import dialect_at, with_dialect
from conformance.definitions.importer import read_definitions
from conformance.definitions.maven import CORE
from conformance.definitions.named import release_of
from conformance.definitions.published import NAME
from conformance.definitions.sources import ImportFailedError, checked_out_release, sources_at
from reference import Release, load_release, proposals, releases
from reference.definitions.errors import BrokenDefinition
from reference.definitions.model import RELEASED
from reference.evolution import DefinitionSet
from reference.inputs.files import read_text
from reference.protocols import loader_of
from reference.release import MANIFEST, imported_release


def definition_set(name_or_path: str, dialect: str | None = None) -> DefinitionSet:
    """Return the definitions of a release, of a file or folder, or of a jar.

    Files are of the protocol `dialect`; by default of the one that the release.json beside them names.

    Raises:
        BrokenDefinition: a definition breaks a rule.
        ImportFailedError: there is no such release, file or folder, or it has no definitions.
    """
    is_known = name_or_path in (*releases(), *proposals())
    path = Path(name_or_path)
    if not is_known and path.exists():
        return _at(path, dialect)
    if not (is_known or NAME.fullmatch(name_or_path) or imported_release(name_or_path)):
        raise ImportFailedError(
            f"{name_or_path!r} is neither a release nor a path: name a release, as 4.3.0, a file, a jar, or a "
            "folder of definitions"
        )
    return _of_release(release_of(name_or_path))


def _of_release(release: Release) -> DefinitionSet:
    definitions = {message: release.definition(message) for message in release.messages}
    return DefinitionSet(definitions, {message: _module(release.source(message)) for message in definitions})


def _at(path: Path, dialect: str | None) -> DefinitionSet:
    own = dialect or dialect_at(path)
    try:
        if path.suffix == ".json" and path.is_file():
            definition = loader_of(own, checked_out_release(path)).parse(read_text(path), str(path))
            return DefinitionSet({definition.name: definition})
        if (path / MANIFEST).is_file() and dialect is None:
            return _of_release(load_release(path.resolve()))
        found = read_definitions(sources_at(path), own)
    except BrokenDefinition as error:
        raise (with_dialect(error) if own == RELEASED else error) from error
    modules = {name: _module(entry.source.name) for name, entry in found.items() if not entry.source.mixed}
    return DefinitionSet({name: entry.definition for name, entry in found.items()}, modules)


def _module(source: str) -> str:
    """Return the module's name in a checkout of Kafka's sources: `clients` for `kafka-clients`."""
    return "core" if source == CORE else source.removeprefix("kafka-")
