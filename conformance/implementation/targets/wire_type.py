"""One value of a wire type alone: an int32, a compact string, a tag section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.implementation.targets.base import Json, Target, comparable
from reference import Difference, Primitive

if TYPE_CHECKING:
    from conformance.adapter import Direction
    from conformance.implementation.driver import Implementation
    from conformance.implementation.outcome import Outcome


@dataclass(frozen=True)
class WireType(Target):
    """One value of a wire type alone."""

    primitive: Primitive

    @property
    def message(self) -> str:
        return self.primitive.name

    @property
    def version(self) -> int:
        return 0

    def __str__(self) -> str:
        return self.primitive.name

    def function(self, direction: Direction) -> str:
        return f"{direction}_primitive"

    def encode(self, implementation: Implementation, content: Any) -> Outcome:
        return implementation.encode_primitive(self.primitive.name, content)

    def decode(self, implementation: Implementation, wire: bytes) -> Outcome:
        return implementation.decode_primitive(self.primitive.name, wire)

    def write(self, content: Any) -> bytes:
        return self.primitive.encode(content)

    def read(self, wire: bytes) -> Any:
        return self.primitive.decode(wire).value

    def expected(self, implementation: Implementation, content: Any) -> Any:  # noqa: ARG002  # a wire type has no tags
        return content

    def difference(self, implementation: Implementation, expected: Any, actual: Any) -> Difference | None:  # noqa: ARG002
        if type(expected) is type(actual) and comparable(expected) == comparable(actual):
            return None
        return Difference("", expected, actual, "value")

    def to_json(self, content: Any) -> Any:
        return self.primitive.to_json(content)

    def from_json(self, form: Any) -> Any:
        return self.primitive.from_json(form)

    def write_request(self, content: Any) -> Json:
        return {"op": "encode-primitive", "name": self.message, "value": self.to_json(content)}

    def read_request(self, wire: bytes) -> Json:
        return {"op": "decode-primitive", "name": self.message, "wire": wire.hex()}

    def parse(self, reply: Json) -> Any:
        return self.from_json(reply["value"])
