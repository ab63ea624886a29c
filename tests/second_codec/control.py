"""Keys and values of control records, read and written by section 16.5 of the book."""

from typing import Any

from tests.second_codec import bodies
from tests.second_codec.bodies import Value
from tests.second_codec.codec import Codec
from tests.second_codec.steps import Input, Output
from tests.second_codec.ways import LeftOpen

LAYOUTS = {
    "key": {"version": 2, "type": 2},
    "end-transaction-marker": {"version": 2, "coordinatorEpoch": 4},
}
"""The bytes of each number, as other values are messages of version 0."""


class ControlCodec(Codec):
    """A reader and a writer of control records by layout or by the name of a message of the metadata log."""

    def write(self, subject: str, content: Value) -> bytes:
        """Write a key or a value."""
        if subject not in LAYOUTS:
            return bodies.write(self.release.schema(subject, 0).struct, content, self.writes)
        target = Output(self.writes)
        for name, width in LAYOUTS[subject].items():
            target.fixed(name, content[name], width)
        return bytes(target.data)

    def read(self, subject: str, source: Input) -> Value:
        """Read a key or a value, and ignore further bytes."""
        if subject not in LAYOUTS:
            return bodies.read_body(self.release.schema(subject, 0), source)[0]
        content = {name: source.fixed(name, width) for name, width in LAYOUTS[subject].items()}
        if content["version"] < 0:
            raise LeftOpen
        return content

    def functions(self) -> dict[str, Any]:
        """Return none, as key and value are bytes for an adapter."""
        return {}
