"""Names that an adapter returns and that are no field's, and fields that it leaves out although all else is right.

A codec writes no names: one that no version of the message has is the adapter's. A field that is missing may be one
that the codec does not have; it is the adapter's if everything else was read as it should be.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from conformance.judge.findings.results import Fault
from reference import TAGS, MessageSchema, difference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import FieldSchema


def wrong_names(schema: MessageSchema, value: dict[str, Any], read: Any) -> Iterator[Fault]:
    """Yield the first name that is no field's, else the field that is missing in a value that was read.

    Args:
        schema: the message.
        value: what the bytes mean.
        read: what was read, with the fields that are declared as hidden.
    """
    for path, around in _unknown(schema.body, read):
        close = get_close_matches(path.rpartition(".")[2], [field.name for field in around.fields], n=1, cutoff=0.5)
        advice = f"did you mean {close[0]}?" if close else "a value is keyed by the definition's own field names"
        yield Fault("wrong-names", f"decode of {schema} returns {path}, which is no field of it; {advice}")
        return
    missing: list[str] = []
    completed = _completed(schema.body, value, read, "", missing)
    if len(missing) == 1 and difference(schema, value, completed) is None:
        advice = "return every field of the version, or declare it as `hidden`"
        yield Fault("wrong-names", f"decode of {schema} returns no {missing[0]}, though the rest is right; {advice}")


def _unknown(around: FieldSchema, read: Any, path: str = "") -> Iterator[tuple[str, FieldSchema]]:
    """Yield the path of each name that no version has, with the struct that it is in."""
    if isinstance(read, list):
        for item in read if around.element is not None else ():
            yield from _unknown(around.item, item, path)
    elif isinstance(read, dict) and around.element is None:
        fields = {field.name: field for field in (*around.fields, *around.absent_fields)}
        for name, item in read.items():
            if name not in fields and name != TAGS:
                yield f"{path}{name}", around
            elif name != TAGS:
                yield from _unknown(fields[name], item, f"{path}{name}.")


def _completed(field: FieldSchema, value: Any, read: Any, path: str, missing: list[str]) -> Any:
    """Return what was read, with what is missing in it; `missing` takes the paths of that."""
    if field.element is not None and isinstance(read, list) and isinstance(value, list):
        pairs = zip(value, read, strict=False)
        return [*(_completed(field.item, one, other, path, missing) for one, other in pairs), *read[len(value) :]]
    if not field.fields or not isinstance(read, dict) or not isinstance(value, dict):
        return read
    lacking = [each.name for each in field.fields if each.name not in read and each.name in value]
    missing += [f"{path}{name}" for name in lacking if f"{path}{name}" not in missing]
    inner = {
        each.name: _completed(each, value.get(each.name), read[each.name], f"{path}{each.name}.", missing)
        for each in field.fields
        if each.name in read
    }
    return {**read, **inner, **{name: value[name] for name in lacking}}
