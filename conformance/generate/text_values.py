"""Values with another text in each text field, so that ten values try every text in every field.

    {"GroupId": "null", "MemberId": "true"}, {"GroupId": "true", "MemberId": "NaN"} ...

The texts are `edges.CHANGED_TEXTS`. If such a value fails, each field is tried alone, in the values of `alone`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate import edges
from conformance.generate.edge_values import Variation
from conformance.generate.unusual_values import SchemaPlace
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import FieldSchema, MessageSchema

NAMES = tuple(edges.CHANGED_TEXTS)


class TextValue(NamedTuple):
    """A value of a message, and for each of its texts the smallest value with this text alone."""

    whole: Variation
    alone: tuple[Variation, ...]


def text_values(schema: MessageSchema) -> Iterator[TextValue]:
    """Yield a value for each text, with this text in the first text field and the following ones in the others.

    None is yielded for a message without text fields.
    """
    places = [place for place in SchemaPlace("", schema.body).inside() if place.field.type == "string"]
    for first, name in enumerate(NAMES if places else ()):
        names = [NAMES[(first + index) % len(NAMES)] for index in range(len(places))]
        texts = iter([edges.CHANGED_TEXTS[each] for each in names])
        whole = Variation("", f"texts-from-{name}", _with_texts(schema.body, texts))
        placed = zip(places, names, strict=True)
        alone = (place.varied(f"text-{each}", edges.CHANGED_TEXTS[each]) for place, each in placed)
        yield TextValue(whole, tuple(alone))


def _with_texts(field: FieldSchema, texts: Iterator[str]) -> Any:
    """Return a value with the next text in each text field, and the smallest value in others.

    Arrays around text fields have one element.
    """
    if field.type == "string":
        return next(texts)
    if not any(each.type == "string" for _, each in field.within()):
        return minimal_of(field)
    if field.element is not None:
        return [_with_texts(field.element, texts)]
    return {each.name: _with_texts(each, texts) for each in field.fields}
