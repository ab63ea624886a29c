"""Holding all definitions at a place against all rules: `check`."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.definitions.errors import ImportFailedError
from conformance.definitions.importer import MANIFEST
from conformance.definitions.sources import Source, SourceFile, sources_at
from reference import load_release
from reference.definitions.errors import TOP, BrokenDefinition, Problem
from reference.definitions.hints import hints, release_hints
from reference.definitions.json_flavour import ADVICE, RULE, locate
from reference.definitions.model import RELEASED
from reference.definitions.release_rules import release_problems
from reference.protocols import loader_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.definitions.model import Definition
    from reference.definitions.parse import Loader

PAIRED = "definition.api-key-paired"
"""The rule that looks for another definition: it says nothing while one is there that cannot be read."""


@dataclass(frozen=True)
class Read:
    """One file, and what became of it."""

    source: Source
    name: str
    """The file, as an error calls it."""
    text: str
    definition: Definition | None
    problems: tuple[BrokenDefinition, ...]

    @property
    def known(self) -> bool:
        """Whether there is no doubt which message this is."""
        return self.definition is not None and all(len(each.problem.place.steps) > 1 for each in self.problems)

    def error(self, problem: Problem) -> BrokenDefinition:
        """A problem of this file."""
        return BrokenDefinition(self.name, problem, locate(self.text, problem.place))


@dataclass(frozen=True)
class Checked:
    """What is wrong with definitions, by file and place."""

    definitions: int
    """How many were looked at."""
    problems: tuple[BrokenDefinition, ...]
    hints: tuple[BrokenDefinition, ...]
    """What Apache Kafka lets pass, in definitions without problems."""


def check(path: Path) -> Checked:
    """Look at the definitions in a file, a jar, or a folder.

    Those of a folder or jar are held against the rules about whole releases, too; those of a proposal in a dialect of
    its own are examples, and are not.

    Raises:
        DefinitionError: the manifest of a release is broken.
        ImportFailedError: there are no definitions.
    """
    one = path.suffix == ".json" and path.is_file()
    sources = (_one(path),) if one else _sources(path)
    dialect = _dialect(path)
    loader = loader_of(dialect)
    read = [_read(source, file, loader) for source in sources for file in source.files]
    found = [problem for each in read for problem in each.problems]
    if dialect != RELEASED:
        return Checked(len(read), _sorted(found), ())
    found += () if one else _together(read)
    return Checked(len(read), _sorted(found), _sorted(_hints(read)))


def _sorted(errors: Iterable[BrokenDefinition]) -> tuple[BrokenDefinition, ...]:
    def order(error: BrokenDefinition) -> tuple[str, int, int]:
        line, column = (error.position.line, error.position.column) if error.position else (0, 0)
        return error.source, line, column

    return tuple(sorted(errors, key=order))


def _hints(read: Iterable[Read]) -> Iterator[BrokenDefinition]:
    sound = [(each, each.definition) for each in read if each.definition is not None and not each.problems]
    origins = {id(definition): each for each, definition in sound}
    for each, definition in sound:
        yield from (each.error(hint) for hint in hints(definition))
    for definition, hint in release_hints(definition for _, definition in sound):
        yield origins[id(definition)].error(hint)


def _one(path: Path) -> Source:
    return Source("", (SourceFile(str(path), path.read_bytes()),), mixed=True)


def _dialect(path: Path) -> str:
    return load_release(path.resolve()).dialect if (path / MANIFEST).is_file() else RELEASED


def _sources(path: Path) -> Iterator[Source]:
    """The definitions of each module; the manifest of a release says which those are."""
    for source in sources_at(path):
        files = tuple(replace(file, path=_shown(path, file)) for file in source.files)
        if not (path / MANIFEST).is_file():
            yield replace(source, files=files)
            continue
        messages = json.loads((path / MANIFEST).read_text(encoding="utf-8"))["messages"]
        modules: dict[str, list[SourceFile]] = {}
        for file in files:
            facts = messages.get(Path(file.path).stem, {})
            modules.setdefault(facts.get("source", ""), []).append(file)
        yield from (Source(module, tuple(members)) for module, members in sorted(modules.items()))


def _shown(path: Path, file: SourceFile) -> str:
    """The file as one finds it: those of a folder are named from there, those in jars after the jar."""
    return str(path / file.path) if (path / file.path).is_file() else file.path


def _read(source: Source, file: SourceFile, loader: Loader) -> Read:
    try:
        text = file.text
    except ImportFailedError as error:
        problem = Problem(RULE, "8.1", TOP, str(error), ADVICE)
        return Read(source, file.path, "", None, (BrokenDefinition(file.path, problem),))
    definition, found = loader.read(text, file.path)
    return Read(source, file.path, text, definition, tuple(found))


def _together(read: Iterable[Read]) -> Iterator[BrokenDefinition]:
    """Every broken rule about definitions of a module, or of a release, together."""
    modules: dict[str, list[Definition]] = {}
    origins: dict[int, Read] = {}
    doubtful: set[str] = set()
    for each in read:
        if not each.known or each.definition is None:
            doubtful.add(each.source.name)
        elif each.source.numbers(each.definition.kind):
            modules.setdefault(each.source.name, []).append(each.definition)
            origins[id(each.definition)] = each
    for module, definition, problem in release_problems(modules):
        if problem.rule != PAIRED or module not in doubtful:
            yield origins[id(definition)].error(problem)
