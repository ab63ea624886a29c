"""A faulty codec with every message of the newest release, so that its faults reach every check and blame."""

from collections.abc import Iterable, Mapping
from typing import Any

from conformance.adapter import Value
from conformance.adapters.reference import supported
from reference import CodecError, MessageSchema, default
from tests.fakes.faulty_codecs import Honest


class Careless(Honest):
    """Writes null as an empty value, and reads invalid bytes as the default value."""

    name = "careless"

    def supported(self) -> Mapping[str, Iterable[int]]:
        return supported()

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        nulls = {field.name: type(field.default)() for field in schema.fields if isinstance(field.default, str | list)}
        return super().encode(schema, {name: nulls.get(name) if item is None else item for name, item in value.items()})

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        try:
            return super().decode(schema, data)
        except CodecError:
            return default(schema)
