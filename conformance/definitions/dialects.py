"""The dialect of definitions: that of the release.json beside them; and the advice to name one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from reference import load_release
from reference.definitions.errors import BrokenDefinition
from reference.definitions.model import RELEASED
from reference.definitions.parse import LOADER
from reference.proposals import PROPOSALS
from reference.release import MANIFEST

if TYPE_CHECKING:
    from pathlib import Path

    from reference.definitions.parse import Loader

DIALECTS = (RELEASED, *PROPOSALS)
"""What `--dialect` takes."""

UNKNOWN_PROPERTY = "definition.known-properties"


def dialect_at(path: Path) -> str:
    """Return the dialect of a definition or a folder of them: the one that its release.json names, else the released.

    Raises:
        DefinitionError: the manifest is broken.
    """
    folder = path.parent if path.is_file() else path
    return load_release(folder.resolve()).dialect if (folder / MANIFEST).is_file() else RELEASED


def with_dialect(error: BrokenDefinition) -> BrokenDefinition:
    """Return an error of a definition that was read as released; of a property of proposals it names these."""
    property_name = error.problem.place.steps[-1] if error.problem.rule == UNKNOWN_PROPERTY else ""
    names = [name for name, dialect in PROPOSALS.items() if property_name in _own_properties(dialect.loader)]
    if not names:
        return error
    what = f"{error.problem.what}; it is a property of {' and '.join(names)}"
    advice = f"name the proposal with --dialect {' or '.join(names)}, or {error.problem.advice}"
    return BrokenDefinition(error.source, replace(error.problem, what=what, advice=advice), error.position)


def _own_properties(loader: Loader) -> set[str]:
    """Return the properties that a dialect adds to those of the released protocol."""
    return _properties(loader) - _properties(LOADER)


def _properties(loader: Loader) -> set[str]:
    return {*loader.message_properties, *loader.struct_properties, *loader.field_properties}
