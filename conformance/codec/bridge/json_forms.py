"""The JSON forms of values in replies, with every place that is not in the form of its type.

`reference.from_json` stops at the first such place, and its messages are for users of Python. The author of a harness
needs all of them, in the words of JSON alone.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from reference import TAGS
from reference.definitions.model import DECIMAL, INTEGER_RANGES
from reference.suggestions import suggestion
from reference.values.comparison import same_value

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from conformance.codec.bridge.protocol import Message
    from reference import FieldSchema, MessageSchema

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

_DIGITS = re.compile(r"-?[0-9]{1,20}")
_HEX = re.compile(r"(?:[0-9a-f]{2})*")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_BITS = re.compile(r"[0-9a-fA-F]{16}")
_TEXTS: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(DECIMAL, _DIGITS),
    "float64": _BITS,
    "uuid": _UUID,
    "bytes": _HEX,
    "records": _HEX,
}


class ValuePlace(NamedTuple):
    """A place in a value, by its path and by the names of the fields on the way, without indices."""

    path: str
    names: tuple[str, ...]

    def __truediv__(self, name: str) -> ValuePlace:
        return ValuePlace(f"{self.path}.{name}" if self.path else name, (*self.names, name))

    def at(self, index: int) -> ValuePlace:
        """Return the place of an element."""
        return ValuePlace(f"{self.path}[{index}]", self.names)


TOP = ValuePlace("", ())


class FormProblem(NamedTuple):
    """A place that is not in the form of its type."""

    place: ValuePlace
    text: str

    def __str__(self) -> str:
        return f"{self.place.path or 'the value'}: {self.text}"


class ValueDifference(NamedTuple):
    """A place with another value than expected, both in their JSON forms."""

    place: ValuePlace
    expected: Any
    actual: Any

    def __str__(self) -> str:
        return f"{self.place.path or 'the value'} is {shown(self.expected)}, got {shown(self.actual)}"


def shown(form: Any) -> str:
    """Return a JSON form as JSON text, shortened."""
    text = json.dumps(form, ensure_ascii=True)
    return text if len(text) <= MAXIMUM_SHOWN else f"{text[:MAXIMUM_SHOWN]}..."


def form_problems(schema: MessageSchema, form: Any, hidden: Collection[tuple[str, ...]] = ()) -> Iterator[FormProblem]:
    """Yield every place of a reply's value that is not in the form of its type.

    Hidden fields may be left out.
    """
    yield from _struct_problems(schema.body, form, TOP, hidden)


def _problems(
    field: FieldSchema, form: Any, place: ValuePlace, hidden: Collection[tuple[str, ...]]
) -> Iterator[FormProblem]:
    if form is None:
        return  # the implementation has null there; that may be wrong, but is no mistake of form
    if field.type == "struct":
        yield from _struct_problems(field, form, place, hidden)
    elif field.element is not None and isinstance(form, list):
        for index, item in enumerate(form):
            yield from _problems(field.element, item, place.at(index), hidden)
    elif not _has_form(field.type, form):
        yield FormProblem(place, f"{field.type} is {WORDS[field.type]}, got {shown(form)}")


def _has_form(type_name: str, form: Any) -> bool:
    if type_name in _TEXTS:
        return isinstance(form, str) and _TEXTS[type_name].fullmatch(form) is not None
    if type_name == "bool":
        return isinstance(form, bool)
    if type_name == "string":
        return isinstance(form, str) or _is_hex_text(form)
    return type_name in INTEGER_RANGES and isinstance(form, int) and not isinstance(form, bool)


def _is_hex_text(form: Any) -> bool:
    match form:
        case {"utf16": str(digits), **rest} if not rest:
            return _HEX.fullmatch(digits) is not None and len(digits) % 4 == 0
        case {"utf8": str(digits), **rest} if not rest:
            return _HEX.fullmatch(digits) is not None
    return False


def _struct_problems(
    struct: FieldSchema, form: Any, place: ValuePlace, hidden: Collection[tuple[str, ...]]
) -> Iterator[FormProblem]:
    if not isinstance(form, dict):
        yield FormProblem(place, f"a struct is {WORDS['struct']}, got {shown(form)}")
        return
    known = {field.name: field for field in (*struct.fields, *struct.absent_fields)}
    for name, item in form.items():
        if name == TAGS:
            yield from _tags_problems(item, place / TAGS)
        elif name in known:
            yield from _problems(known[name], item, place / name, hidden)
        else:
            hint = suggestion(name, known, f"it has {', '.join(known) or 'none'}")
            yield FormProblem(place, f"{name}, which is no field of it; {hint}")
    for field in struct.fields:
        if field.name not in form and (*place.names, field.name) not in hidden:
            yield FormProblem(
                place / field.name,
                "it is missing: a reply has every field of the version; those that the implementation drops "
                'are named under "hidden" in hello',
            )


def _tags_problems(form: Any, place: ValuePlace) -> Iterator[FormProblem]:
    entries = form if isinstance(form, list) else [form]
    for index, entry in enumerate(entries):
        match entry:
            case [int() as tag, str() as body] if not isinstance(tag, bool) and _HEX.fullmatch(body):
                continue
        yield FormProblem(place.at(index), f'an unknown tagged field is [tag, "hex"], got {shown(entry)}')


def value_differences(schema: MessageSchema, expected: Message, actual: Message) -> Iterator[ValueDifference]:
    """Yield every place with a difference between two values in the right form.

    A field missing in one of them is not compared.
    """
    yield from _struct_differences(schema.body, expected, actual, TOP)


def _differences(field: FieldSchema, expected: Any, actual: Any, place: ValuePlace) -> Iterator[ValueDifference]:
    if expected is None or actual is None:
        if expected is not actual:
            yield ValueDifference(place, expected, actual)
    elif field.type == "struct":
        yield from _struct_differences(field, expected, actual, place)
    elif field.element is not None:
        if len(expected) != len(actual):
            yield ValueDifference(place, expected, actual)
        else:
            for index, (item, other) in enumerate(zip(expected, actual, strict=True)):
                yield from _differences(field.element, item, other, place.at(index))
    elif not same_value(expected, actual):
        yield ValueDifference(place, expected, actual)


def _struct_differences(
    struct: FieldSchema, expected: Message, actual: Message, place: ValuePlace
) -> Iterator[ValueDifference]:
    for field in struct.fields:
        if field.name in expected and field.name in actual:
            yield from _differences(field, expected[field.name], actual[field.name], place / field.name)
    if not same_value(expected.get(TAGS, []), actual.get(TAGS, [])):
        yield ValueDifference(place / TAGS, expected.get(TAGS, []), actual.get(TAGS, []))


def difference_texts(differences: list[ValueDifference]) -> Iterator[str]:
    """Yield a sentence for each difference.

    Two fields with each other's values are one difference, as swapped.
    """
    left = list(differences)
    while left:
        first = left.pop(0)
        partner = next((other for other in left if _are_swapped(first, other)), None)
        if partner is not None:
            left.remove(partner)
            yield f"{first.place.path} and {partner.place.path} are swapped: {first}"
        else:
            source = next((other for other in differences if _is_of(first, other)), None)
            yield f"{first}" + (f", which is that of {source.place.path}" if source is not None else "")


def _are_swapped(first: ValueDifference, other: ValueDifference) -> bool:
    return same_value((first.expected, first.actual), (other.actual, other.expected))


def _is_of(difference: ValueDifference, other: ValueDifference) -> bool:
    return difference is not other and same_value(difference.actual, other.expected)
