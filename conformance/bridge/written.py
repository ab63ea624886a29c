"""The value that was written last.

Most values are read back as they were written, and to compare two texts is faster than to make a value of one. A reply
with the bytes of a value may announce its size, which then need not be asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.bridge.json_text import dumps

if TYPE_CHECKING:
    from conformance.adapter import Value
    from conformance.bridge.protocol import Message
    from conformance.implementation.targets import Body
    from reference import MessageSchema


class LastWritten:
    """The last value that a harness was asked to write, and its form."""

    def __init__(self) -> None:
        self._last: tuple[MessageSchema, Message, Value] | None = None
        self._size: int | None = None
        self.has_announced = False
        """Whether any reply has announced a size."""

    def request(self, body: Body, value: Value) -> Message:
        """Return the request to write a value, which is the last one from now on."""
        request = body.write_request(value)
        self._last = body.schema, request["value"], value
        self._size = None
        return request

    def answered(self, reply: Message) -> None:
        """Take the size, if any, that the reply to this request announces."""
        size = reply.get("size")
        if type(size) is int:
            self._size = size
            self.has_announced = True

    def size(self, schema: MessageSchema, value: Value) -> int | None:
        """Return the size that was announced for a value; None if it is not the last one, or none was announced."""
        if self._last is None or self._last[0] is not schema or self._last[2] is not value:
            return None
        return self._size

    def parse(self, body: Body, reply: Message) -> Any:
        """Return the value of a reply: the object that was written last, if it is of the same form.

        Raises:
            NotJsonForm: it is no value of the message.
        """
        if self._last is not None:
            schema, form, value = self._last
            if schema is body.schema and _is_same_text(reply["value"], form):
                return value
        return body.parse(reply)


def _is_same_text(one: Any, other: Any) -> bool:
    """Return whether two forms have the same text: to Python, 1 and true are equal."""
    try:
        return dumps(one) == dumps(other)
    except RecursionError:
        return False
