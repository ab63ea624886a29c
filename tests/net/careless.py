"""A faulty codec with every message of the newest release, so its faults reach every check and blame."""

from collections.abc import Iterable, Mapping
from typing import Any

from conformance.adapter import Value
from reference import CodecError, MessageSchema, default, load_release, newest_release
from tests.fakes.lies import Honest


class Careless(Honest):
    """Writes null as an empty value, and reads invalid bytes as the default value."""

    name = "careless"

    def supported(self) -> Mapping[str, Iterable[int]]:
        release = load_release(newest_release())
        versions = {message: release.definition(message).valid_versions for message in release.messages}
        return {message: numbers for message, numbers in versions.items() if numbers}

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        nulls = {field.name: type(field.default)() for field in schema.fields if isinstance(field.default, str | list)}
        return super().encode(schema, {name: nulls.get(name) if item is None else item for name, item in value.items()})

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        try:
            return super().decode(schema, data)
        except CodecError:
            return default(schema)
