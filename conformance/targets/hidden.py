"""Hidden fields of an implementation, and its representations by null.

Hidden fields are dropped by the implementation when it reads. They are not compared, but counted. An adapter or harness
declares them as `hidden`: `{"FetchResponse": ["Responses.Partitions.LogStartOffset:5-9"]}`. The names are those of the
definition, with dots between structs. Versions are added if the field is hidden in some of them only.

Where an implementation declares a representation (see `conformance.adapter.REPRESENTATIONS`), the suite compares under
that reading. A null read by it counts as the value meant. A null given to a writer must be written as the value meant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from conformance.adapter import REPRESENTATIONS
from reference.suggestions import close_names
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reference import FieldSchema, MessageSchema

Path = tuple[str, ...]
Finds = Callable[[Any], str]
"""Returns the path of the first missing field of a value; empty if none is missing."""

Names = frozenset[str]

READ = frozenset(("absent-struct-as-null", "zero-uuid-as-null"))
"""The representations with null from readers, too."""

_APPLIES: dict[str, Callable[[FieldSchema, int], bool]] = {
    "absent-struct-as-null": lambda field, _version: field.type == "struct" and field.tag is not None,
    "null-array-as-empty": lambda field, version: field.element is not None and version == 0,
    "zero-uuid-as-null": lambda field, _version: field.type == "uuid",
}


class BadHidden(Exception):
    """A declaration of hidden fields is in another form."""


@dataclass(frozen=True)
class HiddenFields:
    """The declared fields, by message."""

    declared: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, declared: Any) -> HiddenFields:
        """Return the declaration, checked.

        Raises:
            BadHidden: it is no mapping of message names to lists of `Path.To.Field` or `Path.To.Field:3-5`.
        """
        if not isinstance(declared, Mapping):
            raise BadHidden("it is not a mapping of message names to lists of fields")
        for message, entries in declared.items():
            if isinstance(entries, str) or not all(isinstance(entry, str) for entry in entries):
                raise BadHidden(f"{message}: the fields are not a list of texts")
            for entry in entries:
                _parsed(entry)
        return cls({str(message): tuple(entries) for message, entries in declared.items()})

    @property
    def texts(self) -> Iterator[str]:
        """A line for each message."""
        for message, entries in sorted(self.declared.items()):
            yield f"{message}: {', '.join(entries)}"

    def misspelt(self, schemas: Iterable[MessageSchema]) -> Iterator[str]:
        """Yield each declared field that no version has under this name, but under a close one.

        A field without a close name may be of another release.
        """
        known: dict[str, set[str]] = {}
        for schema in schemas:
            if schema.message in self.declared:
                dotted = (path.replace("[]", "") for path, _ in schema.body.within())
                known.setdefault(schema.message, set()).update(dotted)
        for message, paths in known.items():
            for path in (entry.partition(":")[0] for entry in self.declared[message]):
                close = [] if path in paths else close_names(path, sorted(paths))
                if close:
                    yield f"{message}: {path}, which is no field of it; did you mean {' or '.join(close)}?"

    @cached_property
    def _paths(self) -> dict[tuple[str, int], frozenset[Path]]:
        return {}

    @cached_property
    def _finders(self) -> dict[MessageSchema, Finds]:
        return {}

    def paths(self, schema: MessageSchema) -> frozenset[Path]:
        """Return the hidden paths at that version."""
        entries = self.declared.get(schema.message, ())
        if not entries:
            return frozenset()
        key = schema.message, schema.version
        if key not in self._paths:
            parsed = [_parsed(entry) for entry in entries]
            self._paths[key] = frozenset(path for path, versions in parsed if schema.version in versions)
        return self._paths[key]

    def without(self, schema: MessageSchema, value: Any) -> Any:
        """Return a value with the defaults in the hidden fields, the same object if none is hidden."""
        paths = self.paths(schema)
        return _without(schema.body, value, paths) if paths else value

    def missing(self, schema: MessageSchema, value: Any) -> str:
        """Return the first missing field of a value, empty if there is none.

        Hidden fields are never missing.
        """
        if schema not in self._finders:
            self._finders[schema] = _finder(schema.body, self.paths(schema), ())
        return self._finders[schema](value)


NOTHING_HIDDEN = HiddenFields()


def _parsed(entry: str) -> tuple[Path, range]:
    path, _, versions = entry.partition(":")
    low, _, high = versions.partition("-")
    try:
        held = range(int(low), int(high or low) + 1) if versions else range(2**15)
    except ValueError:
        raise BadHidden(f"{entry!r} is not of the form Path.To.Field or Path.To.Field:3-5") from None
    return tuple(path.split(".")), held


def _finder(schema: FieldSchema, hidden: frozenset[Path], above: Path) -> Finds:
    """Return a function for the first missing field in the value of a struct, or of an array of structs."""
    if schema.element is not None:
        return _of_elements(_finder(schema.element, hidden, above))
    names = {inner.name: (*above, inner.name) for inner in schema.fields}
    needed = {name for name, path in names.items() if path not in hidden}
    inside = tuple((each.name, _finder(each, hidden, names[each.name])) for each in schema.fields if each.item.fields)

    def find(value: Any) -> str:
        if not isinstance(value, dict):
            return ""
        if not needed <= value.keys():
            return ".".join(next(path for name, path in names.items() if name in needed - value.keys()))
        for name, find_inside in inside:
            found = find_inside(value.get(name))
            if found:
                return found
        return ""

    return find


def _of_elements(find_inside: Finds) -> Finds:
    def find(value: Any) -> str:
        return next(filter(None, map(find_inside, value)), "") if isinstance(value, list) else ""

    return find


def _without(schema: FieldSchema, value: Any, paths: frozenset[Path]) -> Any:
    if schema.element is not None and isinstance(value, list):
        return [_without(schema.element, item, paths) for item in value]
    if schema.type != "struct" or not isinstance(value, dict):
        return value
    copy = dict(value)
    for inner in schema.fields:
        if (inner.name,) in paths:
            copy[inner.name] = minimal_of(inner)
        elif inside := frozenset(path[1:] for path in paths if path[0] == inner.name):
            copy[inner.name] = _without(inner, copy.get(inner.name), inside)
    return copy


def representation_of(field: FieldSchema, version: int, names: Names = frozenset(REPRESENTATIONS)) -> str | None:
    """Return the representation under which null stands for a value of the field, or None."""
    if field.nullable:
        return None
    return next((name for name in sorted(names) if _APPLIES[name](field, version)), None)


def restored(schema: MessageSchema, value: Any, names: Names) -> Any:
    """Return a value with each null replaced by its meaning, the same object if there are none."""

    def meant(field: FieldSchema, item: Any) -> Any:
        if item is None and representation_of(field, schema.version, names):
            return minimal_of(field)
        return item

    return schema.body.mapped(value, meant) if _has_any(schema, names) else value


@cache
def _has_any(schema: MessageSchema, names: Names) -> bool:
    """Return whether null may stand for a value anywhere in a message."""
    return any(representation_of(field, schema.version, names) for _, field in schema.body.within())
