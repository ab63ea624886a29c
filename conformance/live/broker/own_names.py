"""Names of ours: what a run may create or change on a server is called so that it is known, and can be removed.

The definitions say which fields name a topic, a group or a transactional id; `tiers.toml` has the fields of which they
do not say it. Only requests that ask alone may name what others have made.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from reference import UnsupportedApi, api_definition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.live.judging.definitions import Definitions
    from reference.definitions.model import Definition, FieldDefinition

    Path = tuple[str, ...]

PREFIX = "kafka-wire-conformance-"
"""What the names of everything that a run creates begin with."""

LONGEST = 2**15 - 1
"""Bytes of the longest string that can be written."""

_FACTS: dict[str, Any] = tomllib.loads((files(__package__) / "tiers.toml").read_text(encoding="utf-8"))["own-names"]
_ENTITIES = frozenset(_FACTS["entities"])
_FIELDS: dict[str, list[str]] = _FACTS["fields"]
_NEVER_NULL: dict[str, list[str]] = _FACTS["never-null"]


def is_own(name: str) -> bool:
    """Return whether something was created by a run."""
    return name.startswith(PREFIX)


def own(name: str) -> str:
    """Return a name of ours that is as long as it can be written."""
    longer = PREFIX + name
    return longer if len(longer.encode(errors="surrogatepass")) <= LONGEST else PREFIX + name[len(PREFIX) :]


def with_own_names(definitions: Definitions, api_key: int, value: dict[str, Any]) -> dict[str, Any]:
    """Return a request of an API that names nothing but ours. Null stays, unless it stands for all that there is."""
    for path in _paths(definitions, api_key):
        value = replaced(value, path, _own_or_null)
    for text in _NEVER_NULL.get(definitions.name(api_key), ()):
        value = replaced(value, text.split("."), lambda name: PREFIX if name is None else name)
    return value


def replaced(value: Any, path: Sequence[str], change: Callable[[Any], Any]) -> Any:
    """Return a value with a field changed, in every element of the arrays on the path; as it is, where it has none."""
    if not isinstance(value, dict) or path[0] not in value:
        return value
    inner = value[path[0]]
    if len(path) == 1:
        return {**value, path[0]: change(inner)}
    if isinstance(inner, list):
        return {**value, path[0]: [replaced(element, path[1:], change) for element in inner]}
    return {**value, path[0]: replaced(inner, path[1:], change)}


def _own_or_null(names: Any) -> Any:
    """Return a name, or an array of names, as ours."""
    if isinstance(names, list):
        return [own(name) for name in names]
    return None if names is None else own(names)


@cache
def _paths(definitions: Definitions, api_key: int) -> tuple[Path, ...]:
    """Return the fields of requests of an API that name something, in any version and release."""
    found = {tuple(text.split(".")) for text in _FIELDS.get(definitions.name(api_key), ())}
    for release in definitions.among:
        try:
            definition = api_definition(release, "request", api_key)
        except UnsupportedApi:
            continue
        found.update(_naming(definition, definition.fields, ()))
    return tuple(sorted(found))


def _naming(definition: Definition, fields: Sequence[FieldDefinition], above: Path) -> Iterator[Path]:
    for field in fields:
        path = (*above, field.name)
        if field.entity_type in _ENTITIES:
            yield path
        common = definition.common_struct(field.struct_name) if field.struct_name else None
        yield from _naming(definition, common.fields if common else field.fields, path)
