"""Adapters with one fault each, named in its docstring, and otherwise as the reference.

They offer two small messages, so that a run over everything takes seconds.
"""

import os
import sys
import threading
import time
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any
from uuid import UUID

import reference
from conformance.adapter import Decoded, Unrepresentable, Value
from reference import FieldSchema, MessageSchema

TRIGGER = b"\xff\xff"
"""The bytes in an input that trigger the fault of those with a trigger."""


class Honest:
    """Has no fault."""

    name = "honest"
    version = "1"
    rejections: tuple[type[Exception], ...] = (reference.Malformed, reference.Unencodable)
    capabilities: frozenset[str] = frozenset({"unknown-tags"})

    def supported(self) -> Mapping[str, Iterable[int]]:
        return {"HeartbeatResponse": [0], "ApiVersionsRequest": [3]}

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        return reference.encode(schema, value)

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        return reference.decode(schema, data).value


class KnowsPrimitives(Honest):
    """Offers single wire types as well."""

    def encode_primitive(self, name: str, value: Any) -> bytes:
        return reference.primitive(name).encode(value)

    def decode_primitive(self, name: str, data: bytes) -> Any:
        return reference.primitive(name).decode(data).value


class TurnsPrimitives(KnowsPrimitives):
    """Writes single wire types with the last byte first."""

    def encode_primitive(self, name: str, value: Any) -> bytes:
        return super().encode_primitive(name, value)[::-1]


class Triggered(Honest):
    """Lies about some bytes only, see `lie`."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        return self.lie() if TRIGGER in data else super().decode(schema, data)

    def lie(self) -> Any:
        raise NotImplementedError


class Hangs(Triggered):
    """Never returns for some bytes."""

    def lie(self) -> Any:
        time.sleep(60)


class Aborts(Triggered):
    """Aborts its process at some bytes."""

    def lie(self) -> Any:
        os.abort()


class Exits(Triggered):
    """Calls `sys.exit` at some bytes."""

    def lie(self) -> Any:
        sys.exit(3)


class ExitsAtOnce(Triggered):
    """Ends its process without a signal at some bytes."""

    def lie(self) -> Any:
        sys.stderr.write("that is enough\n")
        sys.stderr.flush()
        os._exit(7)


class Allocates(Triggered):
    """Takes some bytes for a length and trusts it."""

    def lie(self) -> Any:
        """Allocate 256 GiB."""
        return {"ErrorCode": len(bytearray(2**38))}


class FillsMemory(Triggered):
    """Takes some bytes for a length, trusts it, and fills the memory for it."""

    def lie(self) -> Any:
        """Return a valid value, after 104 MiB of zeros."""
        return {"ErrorCode": bytearray(104 * 2**20).count(1)}


class StartsThreads(Aborts):
    """Has a thread of its own, lost in every fork."""

    def __init__(self) -> None:
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()


class Recurses(Triggered):
    """Recurses endlessly at some bytes."""

    def lie(self) -> Any:
        return self.lie()


class ReturnsNone(Triggered):
    """Returns None for some bytes."""

    def lie(self) -> Any:
        return None  # that is the lie


class ReturnsList(Triggered):
    """Returns a list of values in place of fields by name, for some bytes."""

    def lie(self) -> Any:
        return [0]


class LittleEndian(Honest):
    """Writes the number in HeartbeatResponse with the lowest byte first."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        wire = super().encode(schema, value)
        return wire[::-1] if schema.message == "HeartbeatResponse" else wire


class LittleEndianByChance(Honest):
    """Writes numbers with the lowest byte first, but only in values of no deterministic case."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        wire = super().encode(schema, value)
        return wire if value.get("ErrorCode") in (None, *_edges()) else wire[::-1]


@cache
def _edges() -> tuple[int, ...]:
    from conformance.generate.edge_values import edge_cases  # noqa: PLC0415  # it brings Hypothesis, which no other liar needs
    from conformance.generate.hostile_bodies import hostile_cases  # noqa: PLC0415  # likewise

    schema = reference.load_release(reference.newest_release()).schema("HeartbeatResponse", 0)
    edges = [case.value for case in edge_cases(schema)]
    read = [reference.judge(schema, case.wire).value for case in hostile_cases(schema)]
    return tuple(value["ErrorCode"] for value in (*edges, *filter(None, read)))


class RefusesUnknownTags(Honest):
    """Refuses any message with unknown tagged fields."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        value = super().decode(schema, data)
        if reference.TAGS in value:
            raise reference.Malformed("tag.unknown-accepted", None, 0, "")
        return value


class AbortsOnNothing(Honest):
    """Ends its process at an empty input."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        if not data:
            os.abort()
        return super().decode(schema, data)


class AbortsWriting(Honest):
    """Ends its process when it writes a large number, without a child process in its place."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        if (value.get("ErrorCode") or 0) > 1:
            os.abort()
        return super().encode(schema, value)


class MixedEndianUuid(Honest):
    """Writes the first three parts of a uuid with the lowest byte first, as Windows does."""

    def supported(self) -> Mapping[str, Iterable[int]]:
        return {"RemoveTopicRecord": [0]}

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        return super().encode(schema, {**value, "TopicId": UUID(bytes=value["TopicId"].bytes_le)})


class WrongSize(Honest):
    """Announces a byte too many."""

    def size(self, schema: MessageSchema, value: Value) -> int:
        return len(self.encode(schema, value)) + 1


class ReadsZero(Honest):
    """Reads the right fields with wrong values."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        super().decode(schema, data)
        return reference.default(schema)


class ReadsAnything(Honest):
    """Decodes any bytes to the default value."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:  # that is the lie
        return reference.default(schema)


class WritesAnything(Honest):
    """Writes the default value in place of one without bytes."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        try:
            return super().encode(schema, value)
        except reference.Unencodable:
            return super().encode(schema, reference.default(schema))


class CountsAll(Honest):
    """Counts bytes after a message as a part of it."""

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        value, _ = reference.decode_leniently(schema, data)
        return Decoded(value, len(data))


class DropsUnknownTags(Honest):
    """Skips unknown tags and declares it, which is no fault."""

    capabilities = frozenset()

    def decode(self, schema: MessageSchema, data: bytes) -> Any:
        value = super().decode(schema, data)
        return {name: item for name, item in value.items() if name != reference.TAGS}


class Undeclared(Honest):
    """Does not declare the exceptions of its refusals."""

    rejections = ()


class HoldsNoZero(Honest):
    """Has a type without zero for error codes."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        if value.get("ErrorCode") == 0:
            raise Unrepresentable("there is no zero", "ErrorCode")
        return super().encode(schema, value)


class FillsIn(Honest):
    """Accepts values with missing fields, and fills in defaults."""

    capabilities = frozenset({"unknown-tags", "partial-values"})

    def supported(self) -> Mapping[str, Iterable[int]]:
        """Offer a message with tagged fields that have defaults other than zero, some of them in structs."""
        return {"FetchRequest": [17], "FetchResponse": [12]}

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        return super().encode(schema, self.whole(schema.body, value))

    def whole(self, struct: FieldSchema, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        filled = {field.name: value.get(field.name, self.missing(field)) for field in struct.fields}
        for field in struct.fields:
            inner, item = field.item, filled[field.name]
            if isinstance(item, list):
                filled[field.name] = [self.whole(inner, each) for each in item]
            else:
                filled[field.name] = self.whole(inner, item)
        return {**value, **filled}

    def missing(self, field: FieldSchema) -> Any:
        return field.default


class FillsInZero(FillsIn):
    """Fills in zero for every missing number."""

    def missing(self, field: FieldSchema) -> Any:
        return 0 if type(field.default) is int else field.default


class TellsReasons(Honest):
    """Gives reasons for its rejections, with `truncated` where the reference names a length."""

    def classify(self, exception: Exception) -> Any:
        reason = str(getattr(exception, "reason", None) or "") or None
        return "truncated" if reason == "length-exceeds-input" else reason


class TellsOwnReasons(Honest):
    """Gives reasons for its rejections, in words of its own."""

    def classify(self, exception: Exception) -> Any:
        return f"bad-{type(exception).__name__}"


class CannotTellReasons(Honest):
    """Fails when it is asked for a reason."""

    def classify(self, exception: Exception) -> Any:
        raise KeyError(type(exception))
