"""Import the published definitions of a release into a folder of committed ones.

The result depends only on the published files: it has no dates and no paths. The folder is written under another name
and renamed in the end, so that a failed import leaves the existing folder unchanged.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.definitions.sources import ImportFailedError, Source, SourceFile
from conformance.system.folders import document_in, foreign, named, replacing_folder
from conformance.system.whole_files import explained
from reference import newest_release
from reference.definitions.canonical import canonical_json
from reference.definitions.model import RELEASED
from reference.definitions.validate import validate_release
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json
from reference.inputs.sums import SUMS, sums_of
from reference.protocols import loader_of
from reference.release import FORMAT, MANIFEST, imported_releases

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from jsonschema.protocols import Validator

    from reference.definitions.model import Definition

SCHEMA = "definition.schema.json"
"""The schema of the form of committed definitions."""


@dataclass(frozen=True)
class Imported:
    """One definition and its file."""

    source: Source
    file: SourceFile
    definition: Definition


def import_release(release: str, sources: Sequence[Source], to: Path) -> dict[str, Any]:
    """Write the definitions of those sources to the folder `to/release`, and return its manifest.

    Raises:
        BrokenDefinition: a definition breaks a rule.
        ImportFailedError: the definitions do not make a release, or the folder is not one of a release.
    """
    folder = to / checked_name(release)
    imported = read_definitions(sources, release=release)
    if not imported:
        raise ImportFailedError(f"there are no definitions in release {release}: choose a later one")
    manifest = _manifest(release, sources, imported)
    texts = {f"{name}.json": canonical_json(entry.definition) for name, entry in imported.items()}
    for name, text in texts.items():
        check_form(text, name)
    texts[MANIFEST] = json.dumps(manifest, indent=2) + "\n"
    _replace_folder(folder, with_sums(texts) if to == imported_releases() else texts)
    return manifest


def with_sums(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of a folder of the user's cache, with their SHA-256, by which `misfit` finds damage."""
    return {**texts, SUMS: sums_of({name: text.encode() for name, text in texts.items()})}


def checked_name(release: str) -> str:
    """Return the name of a release, or raise `ImportFailedError` if it cannot be the name of a folder."""
    if not re.fullmatch(r"[0-9A-Za-z][0-9A-Za-z._-]*", release):
        raise ImportFailedError(f"{release!r} is not the name of a release: write it as {newest_release()}")
    return release


def read_definitions(sources: Iterable[Source], dialect: str = RELEASED, release: str = "") -> dict[str, Imported]:
    """Return the definitions of those sources by the names of their messages, sorted, checked against all rules.

    Definitions of a proposal with a dialect of its own are examples, and not checked against one another. The dialect
    of `release` applies to a source without a release of its own.

    Raises:
        BrokenDefinition: a definition breaks a rule.
        ImportFailedError: two files define the same message, or a message's name cannot be the name of a file.
    """
    imported: dict[str, Imported] = {}
    modules: dict[str, list[Definition]] = {}
    mixed: list[Definition] = []
    for source in sources:
        loader = loader_of(dialect, source.release or release)
        for file in source.files:
            definition = loader.parse(file.text, file.path)
            _check_name(definition, file, imported)
            imported[definition.name] = Imported(source, file, definition)
            members = modules.setdefault(source.name, []) if source.numbers(definition.kind) else mixed
            members.append(definition)
    if dialect == RELEASED:
        validate_release(modules, mixed)
    return dict(sorted(imported.items()))


def _check_name(definition: Definition, file: SourceFile, imported: Mapping[str, Imported]) -> None:
    if not re.fullmatch("[A-Z][A-Za-z0-9]*", definition.name):
        raise ImportFailedError(f"{file.path} defines {definition.name!r}, which is no name for a message (rule 6.18)")
    if definition.name in imported:
        first = imported[definition.name].file.path
        raise ImportFailedError(f"{definition.name} is defined twice: in {first} and {file.path}")


def _manifest(release: str, sources: Sequence[Source], imported: Mapping[str, Imported]) -> dict[str, Any]:
    definitions = [entry.definition for entry in imported.values()]
    date = max(source.date for source in sources)
    return {
        "format": FORMAT,
        "release": release,
        **({"date": date} if date else {}),
        "sources": [_source_entry(source, imported.values()) for source in sources],
        "counts": {
            "definitions": len(definitions),
            "withVersions": sum(not definition.valid_versions.empty for definition in definitions),
            **_pairs(definitions),
        },
        "messages": {
            name: {
                "validVersions": str(entry.definition.valid_versions),
                "source": entry.source.name,
                "sha256": entry.file.sha256,
            }
            for name, entry in imported.items()
        },
    }


def _source_entry(source: Source, imported: Iterable[Imported]) -> dict[str, Any]:
    definitions = [entry.definition for entry in imported if entry.source is source]
    published = {"artifact": source.artifact, "sha256": source.sha256}
    return {
        "source": source.name,
        **{name: value for name, value in published.items() if value is not None},
        "definitions": len(definitions),
        **_pairs(definitions),
    }


def _pairs(definitions: Iterable[Definition]) -> dict[str, int]:
    flexible = [
        version in definition.flexible_versions for definition in definitions for version in definition.valid_versions
    ]
    return {"pairs": len(flexible), "flexiblePairs": sum(flexible)}


def _replace_folder(folder: Path, texts: Mapping[str, str]) -> None:
    _refuse_others(folder)
    with explained(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
    with replacing_folder(folder, lambda: _refuse_others(folder)) as new:
        for name, text in texts.items():
            (new / name).write_text(text, encoding="utf-8", newline="\n")


def _refuse_others(folder: Path) -> None:
    if not folder.exists():
        return
    manifest = document_in(folder / MANIFEST)
    messages = manifest.get("messages")
    if manifest.get("release") != folder.name or not isinstance(messages, dict):
        problem = f"its {MANIFEST} is missing, or of something else"
        raise ImportFailedError(f"{folder} exists and is not the result of an import: {problem}. Move it away first")
    # The folder is replaced as a whole, so files of the user in it would be lost.
    others = foreign(folder, {MANIFEST: None, SUMS: None, **dict.fromkeys((f"{name}.json" for name in messages), None)})
    if others:
        raise ImportFailedError(f"{folder} has what no import has written: {named(others)}. Move it away first")


def form() -> Validator:
    """Return the validator of the committed form."""
    from reference.inputs.schemas import packaged  # noqa: PLC0415  # takes longer to import than all else here

    return packaged("specs", SCHEMA)


def check_form(text: str, name: str) -> None:
    """Raise `ImportFailedError`, which begins with `name`, if a definition has another than the committed form."""
    from reference.inputs.schemas import conform  # noqa: PLC0415  # as in `form`

    try:
        conform(parse_json(text, name), form(), name)
    except BadInput as error:
        problem = f"{error.path}: {error.problem}"
        raise ImportFailedError(f"{name} does not have the committed form ({SCHEMA}): {problem}") from error
