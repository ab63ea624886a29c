"""The JSON forms of values in replies, with every place that is not in the form of its type.

`reference.from_json` stops at the first such place, and its messages are for users of Python. The author of a harness
needs all of them, in the words of JSON alone.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.targets.given_types import right_names
from reference import TAGS
from reference.definitions.model import DECIMAL, INTEGER_RANGES
from reference.paths import joined, keys_of
from reference.suggestions import suggestion
from reference.values.comparison import same_value
from reference.values.json_form import OtherForm, with_other_forms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from reference import FieldSchema

MAXIMUM_SHOWN = 60

WORDS: Mapping[str, str] = {
    **dict.fromkeys(INTEGER_RANGES, "a JSON number without fraction"),
    **dict.fromkeys(DECIMAL, "decimal text"),
    "bool": "true or false",
    "float64": "its bits as 16 hex digits",
    "string": 'text, {"utf16": hex} or {"utf8": hex}',
    "uuid": "36 characters in lower case",
    "bytes": "hex in lower case",
    "records": "hex in lower case",
    "array": "an array",
    "struct": "an object",
}
"""The form of each type, in the words of messages."""

MISSING = (
    "it is missing: a reply has every field of the version; those that the implementation drops "
    'are named under "hidden" in hello'
)

_HEX = re.compile(r"(?:[0-9a-f]{2})*")


def shown(form: Any) -> str:
    """Return a JSON form as JSON text, shortened."""
    text = json.dumps(form, ensure_ascii=True)
    return text if len(text) <= MAXIMUM_SHOWN else f"{text[:MAXIMUM_SHOWN]}..."


def names_in(path: str) -> tuple[str, ...]:
    """Return the names of the fields in a path, without indexes."""
    return tuple(key for key in keys_of(path) if isinstance(key, str))


def form_problems(field: FieldSchema, form: Any, hidden: Collection[tuple[str, ...]] = ()) -> Iterator[str]:
    """Yield a sentence for every place of a reply's value not in its type's form. Hidden fields may be left out."""
    problems = _struct_problems if field.type == "struct" else _problems
    for path, text in problems(field, form, ""):
        if text != MISSING or names_in(path) not in hidden:
            yield f"{path or 'the value'}: {text}"


def _problems(field: FieldSchema, form: Any, path: str) -> Iterator[tuple[str, str]]:
    if form is None:
        return  # the implementation has null there; that may be wrong, but is no mistake of form
    if field.type == "struct":
        yield from _struct_problems(field, form, path)
    elif field.element is not None and isinstance(form, list):
        for index, item in enumerate(form):
            yield from _problems(field.element, item, f"{path}[{index}]")
    elif isinstance(with_other_forms(field, form, right_names), OtherForm):
        yield path, f"{field.type} is {WORDS[field.type]}, got {shown(form)}"


def _struct_problems(struct: FieldSchema, form: Any, path: str) -> Iterator[tuple[str, str]]:
    if not isinstance(form, dict):
        yield path, f"a struct is {WORDS['struct']}, got {shown(form)}"
        return
    known = {field.name: field for field in (*struct.fields, *struct.absent_fields)}
    for name, item in form.items():
        if name == TAGS:
            yield from _tags_problems(item, joined(path, TAGS))
        elif name in known:
            yield from _problems(known[name], item, joined(path, name))
        else:
            hint = suggestion(name, known, f"it has {', '.join(known) or 'none'}")
            yield path, f"{name}, which is no field of it; {hint}"
    yield from ((joined(path, field.name), MISSING) for field in struct.fields if field.name not in form)


def _tags_problems(form: Any, path: str) -> Iterator[tuple[str, str]]:
    entries = form if isinstance(form, list) else [form]
    for index, entry in enumerate(entries):
        match entry:
            case [int() as tag, str() as body] if not isinstance(tag, bool) and _HEX.fullmatch(body):
                continue
        yield f"{path}[{index}]", f'an unknown tagged field is [tag, "hex"], got {shown(entry)}'


class ValueDifference(NamedTuple):
    """A place with another value than expected, both in their JSON forms."""

    path: str
    expected: Any
    actual: Any

    def __str__(self) -> str:
        return f"{self.path or 'the value'} is {shown(self.expected)}, got {shown(self.actual)}"


def value_differences(
    field: FieldSchema | None, expected: Any, actual: Any, path: str = ""
) -> Iterator[ValueDifference]:
    """Yield every place with a difference between two values, except for fields missing in one of them."""
    match expected, actual:
        case (dict(), dict()) if field and field.type == "struct":
            for each in field.fields:
                if each.name in expected and each.name in actual:
                    yield from value_differences(each, expected[each.name], actual[each.name], joined(path, each.name))
            tags, others = expected.get(TAGS, []), actual.get(TAGS, [])
            if not same_value(tags, others):
                yield ValueDifference(joined(path, TAGS), tags, others)
        case (list(), list()) if field and field.element is not None and len(expected) == len(actual):
            for index, (item, other) in enumerate(zip(expected, actual, strict=True)):
                yield from value_differences(field.element, item, other, f"{path}[{index}]")
        case _ if not same_value(expected, actual):
            yield ValueDifference(path, expected, actual)


def difference_texts(differences: list[ValueDifference]) -> Iterator[str]:
    """Yield a sentence for each difference, or one for two fields with each other's values."""
    left = list(differences)
    while left:
        first = left.pop(0)
        partner = next((other for other in left if _are_swapped(first, other)), None)
        if partner is not None:
            left.remove(partner)
            yield f"{first.path} and {partner.path} are swapped: {first}"
        else:
            others = (other for other in differences if other is not first)
            sources = [other.path for other in others if same_value(first.actual, other.expected)]
            yield f"{first}, which is that of {sources[0]}" if sources else str(first)


def _are_swapped(first: ValueDifference, other: ValueDifference) -> bool:
    return same_value((first.expected, first.actual), (other.actual, other.expected))
