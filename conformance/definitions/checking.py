"""Checks of all definitions in a file, jar or folder against all rules, in the dialect of their release.json."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.definitions.sources import (
    ImportFailedError,
    Source,
    SourceFile,
    checked_out_release,
    found_below,
    sources_at,
)
from reference import load_release
from reference.definitions.errors import TOP, BrokenDefinition, DefinitionError, Problem
from reference.definitions.header_versions import PROPERTY
from reference.definitions.json_flavour import ADVICE, RULE, locate
from reference.definitions.model import RELEASED
from reference.definitions.parse import LOADER
from reference.definitions.release_rules import release_problems
from reference.definitions.validate import hints, release_hints
from reference.inputs.files import read_bytes
from reference.proposals import PROPOSALS
from reference.protocols import loader_of
from reference.release import MANIFEST, read_manifest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reference.definitions.model import Definition
    from reference.definitions.parse import Loader

PAIRED = "definition.api-key-paired"
"""The rule about the other definition of an API. It is not reported while one of the module is unreadable."""

DIALECTS = (RELEASED, *PROPOSALS)
"""The values of `--dialect`."""

UNKNOWN_PROPERTY = "definition.known-properties"


@dataclass(frozen=True)
class DefinitionFile:
    """One file, its definition and its problems."""

    source: Source
    name: str
    """The name of the file in errors."""
    text: str
    definition: Definition | None
    problems: tuple[BrokenDefinition, ...]

    @property
    def known(self) -> bool:
        """Whether the message of the file is certain."""
        places = [error.problem.place.steps for error in self.problems]
        return self.definition is not None and all(len(steps) > 1 or steps == (PROPERTY,) for steps in places)

    def error(self, problem: Problem) -> BrokenDefinition:
        """Return the error of a problem in this file."""
        return BrokenDefinition(self.name, problem, locate(self.text, problem.place))


@dataclass(frozen=True)
class Checked:
    """The problems and hints of definitions, by file and place."""

    definitions: int
    """The number of checked definitions."""
    problems: tuple[BrokenDefinition, ...]
    hints: tuple[BrokenDefinition, ...]
    """Probable mistakes accepted by Apache Kafka, in definitions without problems."""
    files: tuple[DefinitionFile, ...] = field(default=(), compare=False, repr=False)
    """The checked files."""


class BrokenDefinitions(DefinitionError):
    """Definitions with broken rules, and every problem in the text."""


def sound(checked: Checked) -> dict[str, tuple[DefinitionFile, Definition]]:
    """Return the checked files and definitions by the names of the messages, sorted.

    Problems raise `BrokenDefinitions`, and two files with the same message raise `ImportFailedError`.
    """
    if checked.problems:
        count = f"problems: {len(checked.problems)}" if len(checked.problems) > 1 else ""
        raise BrokenDefinitions("\n\n".join(filter(None, (*map(str, checked.problems), count))))
    found = [(file, file.definition) for file in checked.files if file.definition is not None]
    files = {definition.name: (file, definition) for file, definition in sorted(found, key=lambda pair: pair[1].name)}
    for file, definition in found:
        first = files[definition.name][0]
        if first is not file:
            raise ImportFailedError(f"{definition.name} is defined twice: in {first.name} and {file.name}")
    return files


@dataclass(frozen=True)
class CheckedGroup:
    """Definitions of one dialect, to be checked together."""

    sources: tuple[Source, ...]
    dialect: str
    alone: bool = False
    """Whether it is a single file, exempt from the rules about whole releases."""
    missing: tuple[BrokenDefinition, ...] = ()
    """The missing files of its manifest."""

    def check(self) -> Checked:
        """Check each definition, and those of the released protocol against one another."""
        read = tuple(_read(source, file, self.dialect) for source in self.sources for file in source.files)
        problems = [*self.missing, *(problem for file in read for problem in file.problems)]
        if self.dialect != RELEASED:
            return Checked(len(read), _sorted(problems), (), read)
        problems += () if self.alone else _together(read)
        return Checked(len(read), _sorted(problems), _sorted(_hints(read)), read)


def check(path: Path, dialect: str | None = None) -> Checked:
    """Check the definitions in a file, a jar, or a folder, by default in the dialect of the release.json beside them.

    The rules about whole releases also apply to a folder or jar, except to proposals with a dialect of their own, which
    are examples. Each folder in it with a release.json is checked by itself.

    Raises:
        DefinitionError: the manifest of a release is broken.
        ImportFailedError: there are no definitions.
    """
    parts = [part.check() for part in _groups(path, dialect)]
    return Checked(
        sum(part.definitions for part in parts),
        _sorted(problem for part in parts for problem in part.problems),
        _sorted(hint for part in parts for hint in part.hints),
        tuple(file for part in parts for file in part.files),
    )


def _groups(path: Path, dialect: str | None) -> Iterator[CheckedGroup]:
    if path.suffix == ".json" and path.is_file():
        files = (SourceFile(str(path), read_bytes(path)),)
        source = Source("", files, mixed=True, release=checked_out_release(path))
        yield CheckedGroup((source,), dialect or dialect_at(path), alone=True)
        return
    folders = releases_in(path)
    for folder in folders:
        yield CheckedGroup(_modules(folder), dialect or dialect_at(folder), missing=_missing(folder))
    if path not in folders:
        others = tuple(_without(source, path, folders) for source in sources_at(path))
        yield CheckedGroup(tuple(source for source in others if source.files), dialect or RELEASED)


def releases_in(path: Path) -> list[Path]:
    """Return the folders with a release.json, either the folder itself or those in it."""
    if (path / MANIFEST).is_file():
        return [path]
    return [manifest.parent for manifest in found_below(path, MANIFEST)] if path.is_dir() else []


def _without(source: Source, path: Path, folders: Sequence[Path]) -> Source:
    """Return the files of a source outside of those folders, with the paths seen by the user."""
    files = (file for file in source.files if not any((path / file.path).is_relative_to(each) for each in folders))
    return replace(source, files=tuple(replace(file, path=_shown(path, file)) for file in files))


def _missing(folder: Path) -> tuple[BrokenDefinition, ...]:
    names = (name for name in _manifest(folder) if not (folder / f"{name}.json").is_file())
    advice = f"put the file there, or take the message out of {MANIFEST}"
    problems = (Problem(RULE, "8.1", TOP, f"it lists {name}, and there is no {name}.json", advice) for name in names)
    return tuple(BrokenDefinition(str(folder / MANIFEST), problem) for problem in problems)


def _manifest(folder: Path) -> dict[str, dict[str, str]]:
    messages: dict[str, dict[str, str]] = read_manifest(folder)["messages"]
    return messages


def _sorted(errors: Iterable[BrokenDefinition]) -> tuple[BrokenDefinition, ...]:
    def order(error: BrokenDefinition) -> tuple[str, int, int]:
        line, column = (error.position.line, error.position.column) if error.position else (0, 0)
        return error.source, line, column

    return tuple(sorted(errors, key=order))


def _hints(read: Iterable[DefinitionFile]) -> Iterator[BrokenDefinition]:
    sound = [(file, file.definition) for file in read if file.definition is not None and not file.problems]
    origins = {id(definition): file for file, definition in sound}
    for file, definition in sound:
        yield from (file.error(hint) for hint in hints(definition))
    for definition, hint in release_hints(definition for _, definition in sound):
        yield origins[id(definition)].error(hint)


def _modules(folder: Path) -> tuple[Source, ...]:
    messages = _manifest(folder)
    modules: dict[str, list[SourceFile]] = {}
    for source in sources_at(folder, messages):
        for file in source.files:
            module = messages.get(Path(file.path).stem, {}).get("source", "")
            modules.setdefault(module, []).append(replace(file, path=_shown(folder, file)))
    return tuple(Source(module, tuple(members)) for module, members in sorted(modules.items()))


def _shown(path: Path, file: SourceFile) -> str:
    return str(path / file.path) if (path / file.path).is_file() else file.path


def _read(source: Source, file: SourceFile, dialect: str) -> DefinitionFile:
    try:
        text = file.text
    except ImportFailedError as error:
        problem = Problem(RULE, "8.1", TOP, str(error), ADVICE)
        return DefinitionFile(source, file.path, "", None, (BrokenDefinition(file.path, problem),))
    definition, problems = loader_of(dialect, source.release).read(text, file.path)
    if dialect == RELEASED:
        problems = [with_dialect(problem) for problem in problems]
    return DefinitionFile(source, file.path, text, definition, tuple(problems))


def _together(read: Iterable[DefinitionFile]) -> Iterator[BrokenDefinition]:
    modules: dict[str, list[Definition]] = {}
    mixed: list[Definition] = []
    origins: dict[int, DefinitionFile] = {}
    doubtful: set[str] = set()
    for file in read:
        if not file.known or file.definition is None:
            # Its missing half of an API may be in this unreadable file: see `PAIRED`.
            doubtful.add(file.source.name)
        else:
            numbered = file.source.numbers(file.definition.kind)
            members = modules.setdefault(file.source.name, []) if numbered else mixed
            members.append(file.definition)
            origins[id(file.definition)] = file
    for module, definition, problem in release_problems(modules, mixed):
        if problem.rule != PAIRED or module not in doubtful:
            yield origins[id(definition)].error(problem)


def dialect_at(path: Path) -> str:
    """Return the dialect in the release.json of definitions, else the released one, or raise `DefinitionError`."""
    folder = path.parent if path.is_file() else path
    return load_release(folder.resolve()).dialect if (folder / MANIFEST).is_file() else RELEASED


def with_dialect(error: BrokenDefinition) -> BrokenDefinition:
    """Return an error of a definition read as released, with a hint at proposals that have the unknown property."""
    property_name = error.problem.place.steps[-1] if error.problem.rule == UNKNOWN_PROPERTY else ""
    names = [name for name, dialect in PROPOSALS.items() if property_name in _own_properties(dialect.loader)]
    if not names:
        return error
    what = f"{error.problem.what}; it is a property of {' and '.join(names)}"
    advice = f"name the proposal with --dialect {' or '.join(names)}, or {error.problem.advice}"
    return BrokenDefinition(error.source, replace(error.problem, what=what, advice=advice), error.position)


def _own_properties(loader: Loader) -> set[str]:
    return _properties(loader) - _properties(LOADER)


def _properties(loader: Loader) -> set[str]:
    return {*loader.message_properties, *loader.struct_properties, *loader.field_properties}
