"""The honest adapter of the reference, and adapters with other parts in place of its own.

It offers two small messages, so that a run over everything takes seconds.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import reference
from conformance.adapter import Value
from reference import MessageSchema

TRIGGER = b"\xff\xff"
"""The bytes in an input that trigger the fault of those with a trigger."""
OFFERED: Mapping[str, Iterable[int]] = {"HeartbeatResponse": [0], "ApiVersionsRequest": [3]}


def read(schema: MessageSchema, data: bytes) -> Value:
    return reference.decode(schema, data).value


class Honest:
    """Has no fault, with a part for each step."""

    name = "honest"
    version = "1"
    rejections: tuple[type[Exception], ...] = (reference.Malformed, reference.Unencodable)
    capabilities: frozenset[str] = frozenset({"unknown-tags"})

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Do nothing yet."""

    def supported(self) -> Mapping[str, Iterable[int]]:
        return OFFERED

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        try:
            wire: bytes = self.written(schema, reference.encode(schema, self.given(schema, value)))
        except reference.Unencodable as error:
            wire = self.unwritten(schema, error)
        return wire

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        try:
            return self.got(schema, read(schema, self.taken(schema, data)))
        except reference.Malformed as error:
            return self.unread(schema, error)

    def given(self, _schema: MessageSchema, part: Any) -> Any:
        """Return a value, or bytes, as it is."""
        return part

    def unread(self, _schema: MessageSchema, error: reference.CodecError) -> Any:
        """Refuse bytes, or a value."""
        raise error

    written = taken = got = given
    unwritten = unread


def lie(base: type[Any] = Honest, /, **parts: Any) -> type[Any]:
    """Return an adapter with these parts, of which functions do without `self`, and `supported` may be a mapping."""
    if isinstance(offered := parts.get("supported"), Mapping):
        parts["supported"] = lambda: offered
    static = {name: staticmethod(part) if callable(part) else part for name, part in parts.items()}
    return type("Liar", (base,), static)


def triggered(
    lies: Callable[[], Any],
    is_at: Callable[[MessageSchema, bytes], bool] = lambda _, data: TRIGGER in data,
    **parts: Any,
) -> type[Any]:
    """Return an adapter that reads some bytes by a function, those with the trigger if nothing else is given."""
    return lie(decode=lambda schema, data: lies() if is_at(schema, data) else read(schema, data), **parts)
