r"""The JSON form of a `records` field.

Int64 numbers are decimal strings, bytes lower-case hex, all other values as they are. A header is `[key, value]`. A key
that is not UTF-8 is an object in place of the string, `{"hex": "ff"}`; one with an unpaired surrogate is
`{"utf16": "d800"}`, although no writer can write it.

>>> records_to_json({"batches": [{"baseOffset": 5, "records": [{"key": b"\x01", "headers": [("k", None)]}]}]})
{'batches': [{'baseOffset': '5', 'records': [{'key': '01', 'headers': [['k', None]]}]}]}
"""

from __future__ import annotations

from typing import Any

from reference.records.batch import FIELDS as BATCH_FIELDS
from reference.records.message_set import FIELDS as MESSAGE_FIELDS
from reference.records.record import FIELDS as RECORD_FIELDS
from reference.records.records_field import BATCHES, PARTIAL
from reference.values.json_scalars import (
    UTF_16,
    NotJsonForm,
    bytes_from_json,
    number_from_json,
    text_from_units,
    text_to_json,
)

HEX = "hex"
DECIMAL = frozenset(
    ("baseOffset", "baseTimestamp", "maxTimestamp", "producerId", "timestampDelta", "offset", "timestamp")
)
BYTES = frozenset(("key", "value", PARTIAL))
FLAGS = frozenset(("transactional", "control", "deleteHorizon"))
TEXTS = frozenset(("compression", "timestampType"))
LISTS = frozenset((BATCHES, "records", "messages"))
NAMES = frozenset((BATCHES, PARTIAL, *BATCH_FIELDS, *RECORD_FIELDS, *MESSAGE_FIELDS[1], "value", "messages"))


def records_to_json(value: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON form of the value of a field. Values without one, such as a number as a key, stay unchanged."""
    return {name: _to_json(name, item) for name, item in value.items()}


def records_from_json(form: Any) -> dict[str, Any]:
    """Return the value of a JSON form, or raise NotJsonForm with the path of the part that does not fit its name."""
    return _object_from_json(form, "")


def _to_json(name: str, item: Any) -> Any:
    if item is None:
        return None
    if name in LISTS:
        return [records_to_json(entry) if isinstance(entry, dict) else entry for entry in item]
    if name == "headers":
        return [[_key_to_json(key), _bytes_to_json(value)] for key, value in item]
    if name in DECIMAL:
        return str(item)
    return _bytes_to_json(item) if name in BYTES else item


def _bytes_to_json(item: Any) -> Any:
    return item.hex() if isinstance(item, bytes) else item


def _key_to_json(key: Any) -> Any:
    if isinstance(key, bytes):
        return {HEX: key.hex()}
    return text_to_json(key) if isinstance(key, str) else key


def _object_from_json(form: Any, path: str) -> dict[str, Any]:
    if not isinstance(form, dict):
        raise NotJsonForm(path, "an object", form)
    prefix = f"{path}." if path else ""
    return {name: _from_json(name, item, prefix + name) for name, item in form.items()}


def _from_json(name: str, form: Any, path: str) -> Any:
    if name not in NAMES:
        raise NotJsonForm(path, "a field of batches, records or messages", form)
    if form is None:
        return None
    if name in LISTS:
        entries = enumerate(_list_of(form, path))
        return [_object_from_json(entry, f"{path}[{index}]") for index, entry in entries]
    if name == "headers":
        return [_header_from_json(entry, f"{path}[{index}]") for index, entry in enumerate(_list_of(form, path))]
    if name in BYTES:
        return bytes_from_json(form, path)
    if name in FLAGS or name in TEXTS:
        return _plain_from_json(form, path, bool if name in FLAGS else str)
    return number_from_json(form, path, decimal=name in DECIMAL)


def _list_of(form: Any, path: str) -> list[Any]:
    if not isinstance(form, list):
        raise NotJsonForm(path, "an array", form)
    return form


def _plain_from_json(form: Any, path: str, kind: type) -> Any:
    if not isinstance(form, kind):
        raise NotJsonForm(path, "true or false" if kind is bool else "a string", form)
    return form


def _header_from_json(form: Any, path: str) -> tuple[Any, bytes | None]:
    if not isinstance(form, list) or len(form) != 2:  # noqa: PLR2004  # key and value
        raise NotJsonForm(path, "[key, value]", form)
    key, value = form
    return _key_from_json(key, f"{path}[0]"), None if value is None else bytes_from_json(value, f"{path}[1]")


def _key_from_json(form: Any, path: str) -> str | bytes | None:
    if form is None or isinstance(form, str):
        return form
    match form:
        case {"hex": digits} if len(form) == 1:
            return bytes_from_json(digits, path)
        case {"utf16": units} if len(form) == 1:
            return text_from_units(units, path)
    raise NotJsonForm(path, f'a string, {{"{HEX}": hex}} or {{"{UTF_16}": hex}}', form)
