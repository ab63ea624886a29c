"""Check all definitions in a file, jar or folder against all rules: `check`."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.definitions.importer import MANIFEST
from conformance.definitions.sources import ImportFailedError, Source, SourceFile, sources_at
from reference import load_release
from reference.definitions.errors import TOP, BrokenDefinition, Problem
from reference.definitions.json_flavour import ADVICE, RULE, locate
from reference.definitions.model import RELEASED
from reference.definitions.release_rules import release_problems
from reference.definitions.validate import hints, release_hints
from reference.protocols import loader_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reference.definitions.model import Definition
    from reference.definitions.parse import Loader

PAIRED = "definition.api-key-paired"
"""The rule that looks for another definition; it is not reported while one of the module cannot be read."""


@dataclass(frozen=True)
class Read:
    """One file, its definition and its problems."""

    source: Source
    name: str
    """The name of the file in errors."""
    text: str
    definition: Definition | None
    problems: tuple[BrokenDefinition, ...]

    @property
    def known(self) -> bool:
        """Whether it is certain which message this is."""
        return self.definition is not None and all(len(error.problem.place.steps) > 1 for error in self.problems)

    def error(self, problem: Problem) -> BrokenDefinition:
        """Return the error of a problem in this file."""
        return BrokenDefinition(self.name, problem, locate(self.text, problem.place))


@dataclass(frozen=True)
class Checked:
    """The problems and hints of definitions, by file and place."""

    definitions: int
    """The number of definitions that were checked."""
    problems: tuple[BrokenDefinition, ...]
    hints: tuple[BrokenDefinition, ...]
    """Probable mistakes that Apache Kafka accepts, in definitions without problems."""


def check(path: Path) -> Checked:
    """Check the definitions in a file, a jar, or a folder.

    Those of a folder or jar are checked against the rules about whole releases, too; those of a proposal with a dialect
    of its own are examples, and are not.

    Raises:
        DefinitionError: the manifest of a release is broken.
        ImportFailedError: there are no definitions.
    """
    one = path.suffix == ".json" and path.is_file()
    sources = (Source("", (SourceFile(str(path), path.read_bytes()),), mixed=True),) if one else _sources(path)
    dialect = _dialect(path)
    loader = loader_of(dialect)
    read = [_read(source, file, loader) for source in sources for file in source.files]
    problems = [problem for file in read for problem in file.problems]
    if dialect != RELEASED:
        return Checked(len(read), _sorted(problems), ())
    problems += () if one else _together(read)
    return Checked(len(read), _sorted(problems), _sorted(_hints(read)))


def _sorted(errors: Iterable[BrokenDefinition]) -> tuple[BrokenDefinition, ...]:
    def order(error: BrokenDefinition) -> tuple[str, int, int]:
        line, column = (error.position.line, error.position.column) if error.position else (0, 0)
        return error.source, line, column

    return tuple(sorted(errors, key=order))


def _hints(read: Iterable[Read]) -> Iterator[BrokenDefinition]:
    sound = [(file, file.definition) for file in read if file.definition is not None and not file.problems]
    origins = {id(definition): file for file, definition in sound}
    for file, definition in sound:
        yield from (file.error(hint) for hint in hints(definition))
    for definition, hint in release_hints(definition for _, definition in sound):
        yield origins[id(definition)].error(hint)


def _dialect(path: Path) -> str:
    return load_release(path.resolve()).dialect if (path / MANIFEST).is_file() else RELEASED


def _sources(path: Path) -> Iterator[Source]:
    """Yield the definitions of each module; those of a release are in its manifest."""
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
    return str(path / file.path) if (path / file.path).is_file() else file.path


def _read(source: Source, file: SourceFile, loader: Loader) -> Read:
    try:
        text = file.text
    except ImportFailedError as error:
        problem = Problem(RULE, "8.1", TOP, str(error), ADVICE)
        return Read(source, file.path, "", None, (BrokenDefinition(file.path, problem),))
    definition, problems = loader.read(text, file.path)
    return Read(source, file.path, text, definition, tuple(problems))


def _together(read: Iterable[Read]) -> Iterator[BrokenDefinition]:
    modules: dict[str, list[Definition]] = {}
    origins: dict[int, Read] = {}
    doubtful: set[str] = set()
    for file in read:
        if not file.known or file.definition is None:
            doubtful.add(file.source.name)
        elif file.source.numbers(file.definition.kind):
            modules.setdefault(file.source.name, []).append(file.definition)
            origins[id(file.definition)] = file
    for module, definition, problem in release_problems(modules):
        if problem.rule != PAIRED or module not in doubtful:
            yield origins[id(definition)].error(problem)
