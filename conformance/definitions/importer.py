"""From the definitions of a release as published to a folder of committed ones.

What is written depends on the published files alone: no dates, no paths, nothing of the machine. The folder is
made under another name and takes its place at the end, so that a failed import leaves what was there before.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.definitions import maven
from conformance.definitions.errors import ImportFailedError, NoSuchArtifactError
from conformance.definitions.schema import check_form
from conformance.definitions.sources import Source, SourceFile, jar_source
from reference.definitions.canonical import canonical_json
from reference.definitions.older import OLDER
from reference.definitions.parse import LOADER, Loader
from reference.definitions.validate import validate_release

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from reference.definitions.model import Definition

FORMAT = 1
"""The format of the manifest; it changes when a reader of the old one would go wrong."""

MANIFEST = "release.json"

MAJOR_OF_TODAY = 3
"""The first major release whose definitions are held to the rules of today."""


@dataclass(frozen=True)
class Imported:
    """One definition, and the file that it was read from."""

    source: Source
    file: SourceFile
    definition: Definition


def committed_releases() -> Path:
    """The folder of this checkout, or installation, that has a folder for each release."""
    return Path(str(files("specs"))) / "releases"


def published_source(artifact: str, release: str, cache: Path) -> Source | None:
    """The definitions of one artifact of a published release; None if the release does not have the artifact.

    There may be none in it: the core (`maven.CORE`) had some until its coordinators became modules of their own.

    Raises:
        ImportFailedError: there is no such release, or Maven cannot fetch the artifact.
    """
    try:
        jar = maven.fetch(artifact, _checked_name(release), cache)
    except NoSuchArtifactError as error:
        if artifact == maven.CLIENTS:
            raise ImportFailedError(f"there is no release {release} of Apache Kafka: {error}") from error
        return None
    return jar_source(jar, artifact, maven.coordinates(artifact, release))


def import_release(release: str, sources: Sequence[Source], to: Path) -> dict[str, Any]:
    """Write the definitions of those sources to the folder `to/release`, and return its manifest.

    Raises:
        BrokenDefinition: a definition breaks a rule.
        ImportFailedError: the definitions do not make a release, or the folder is not one of a release.
    """
    folder = to / _checked_name(release)
    imported = read_definitions(sources, _loader(release))
    if not imported:
        raise ImportFailedError(f"there are no definitions in release {release}: choose a later one")
    manifest = _manifest(release, sources, imported)
    texts = {f"{name}.json": canonical_json(each.definition) for name, each in imported.items()}
    for name, text in texts.items():
        check_form(text, name)
    texts[MANIFEST] = json.dumps(manifest, indent=2) + "\n"
    _replace_folder(folder, texts)
    return manifest


def _checked_name(release: str) -> str:
    if not re.fullmatch(r"[0-9A-Za-z][0-9A-Za-z._-]*", release):
        raise ImportFailedError(f"{release!r} is not the name of a release: write it as 4.3.0")
    return release


def _loader(release: str) -> Loader:
    """What reads the definitions of a release: until 3.0.0, Apache Kafka let more pass."""
    major = re.match(r"[0-9]+(?=\.)", release)
    return OLDER if major and int(major[0]) < MAJOR_OF_TODAY else LOADER


def read_definitions(sources: Iterable[Source], loader: Loader = LOADER) -> dict[str, Imported]:
    """Every definition of those sources by its message's name, sorted, held against all rules.

    Raises:
        BrokenDefinition: a definition breaks a rule.
        ImportFailedError: two files define the same message, or a message's name is not fit for a file.
    """
    found: dict[str, Imported] = {}
    modules: dict[str, list[Definition]] = {}
    for source in sources:
        for file in source.files:
            definition = loader.parse(file.text, file.path)
            _check_name(definition, file, found)
            found[definition.name] = Imported(source, file, definition)
            if source.numbers(definition.kind):
                modules.setdefault(source.name, []).append(definition)
    validate_release(modules)
    return dict(sorted(found.items()))


def _check_name(definition: Definition, file: SourceFile, found: Mapping[str, Imported]) -> None:
    if not re.fullmatch("[A-Z][A-Za-z0-9]*", definition.name):
        raise ImportFailedError(f"{file.path} defines {definition.name!r}, which is no name for a message (rule 6.18)")
    if definition.name in found:
        raise ImportFailedError(
            f"{definition.name} is defined twice: in {found[definition.name].file.path} and {file.path}"
        )


def _manifest(release: str, sources: Iterable[Source], imported: Mapping[str, Imported]) -> dict[str, Any]:
    definitions = [each.definition for each in imported.values()]
    return {
        "format": FORMAT,
        "release": release,
        "sources": [_source_entry(source, imported.values()) for source in sources],
        "counts": {
            "definitions": len(definitions),
            "withVersions": sum(not each.valid_versions.empty for each in definitions),
            **_pairs(definitions),
        },
        "messages": {
            name: {
                "validVersions": str(each.definition.valid_versions),
                "source": each.source.name,
                "sha256": each.file.sha256,
            }
            for name, each in imported.items()
        },
    }


def _source_entry(source: Source, imported: Iterable[Imported]) -> dict[str, Any]:
    definitions = [each.definition for each in imported if each.source is source]
    published = {"artifact": source.artifact, "sha256": source.sha256}
    return {
        "source": source.name,
        **{name: value for name, value in published.items() if value is not None},
        "definitions": len(definitions),
        **_pairs(definitions),
    }


def _pairs(definitions: Iterable[Definition]) -> dict[str, int]:
    """How many (message, version) pairs there are, and how many of them are flexible."""
    flexible = [version in each.flexible_versions for each in definitions for version in each.valid_versions]
    return {"pairs": len(flexible), "flexiblePairs": sum(flexible)}


def _replace_folder(folder: Path, texts: Mapping[str, str]) -> None:
    """Put a folder with those files, and no others, in the place of one that an earlier import made."""
    if folder.exists() and not (folder / MANIFEST).is_file():
        raise ImportFailedError(
            f"{folder} is there and not the work of an import: it has no {MANIFEST}. Move it away first"
        )
    new, old = (folder.with_name(f".{folder.name}.{which}.{os.getpid()}") for which in ("new", "old"))
    try:
        new.mkdir(parents=True)
        for name, text in texts.items():
            (new / name).write_text(text, encoding="utf-8", newline="\n")
        _swap(folder, new, old)
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)


def _swap(folder: Path, new: Path, old: Path) -> None:
    existed = folder.exists()
    if existed:
        folder.rename(old)
    try:
        new.rename(folder)
    except OSError:
        if existed:
            old.rename(folder)
        raise
