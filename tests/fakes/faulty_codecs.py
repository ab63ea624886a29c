"""Adapters with one fault each, named by the name, and otherwise as the reference."""

import os
import sys
import threading
import time
from functools import cache, partial
from typing import Any, NoReturn
from uuid import UUID

import reference
from conformance.adapter import Decoded, Unrepresentable, Value
from reference import FieldSchema, MessageSchema
from tests.fakes.lies import Honest, lie, triggered


def write_primitive(name: str, value: Any) -> bytes:
    return reference.primitive(name).encode(value)


KnowsPrimitives = lie(
    encode_primitive=write_primitive,
    decode_primitive=lambda name, data: reference.primitive(name).decode(data).value,
)
"""Has no fault, and offers single wire types as well."""
TurnsPrimitives = lie(KnowsPrimitives, encode_primitive=lambda name, value: write_primitive(name, value)[::-1])


def exit_at_once() -> NoReturn:
    """End the process without a signal."""
    sys.stderr.write("that is enough\n")
    sys.stderr.flush()
    os._exit(7)


def allocate() -> Any:
    """Allocate 256 GiB, as if some bytes were a length."""
    return {"ErrorCode": len(bytearray(2**38))}


def recurse() -> Any:
    return recurse()


Hangs = triggered(partial(time.sleep, 60))
Aborts = triggered(os.abort)
Exits = triggered(partial(sys.exit, 3))
ExitsAtOnce = triggered(exit_at_once)
Allocates = triggered(allocate)
FillsMemory = triggered(lambda: {"ErrorCode": bytearray(104 * 2**20).count(1)})
"""Reads a valid value, after 104 MiB of zeros."""
StartsThreads = triggered(os.abort, start=lambda: threading.Thread(target=time.sleep, args=(60,), daemon=True).start())
"""Has a thread of its own, lost in every fork."""
Recurses = triggered(recurse)
ReturnsNone = triggered(lambda: None)
ReturnsList = triggered(lambda: [0])

LittleEndian = lie(written=lambda schema, wire: wire[:: -1 if schema.message == "HeartbeatResponse" else 1])
"""Writes the number in HeartbeatResponse with the lowest byte first."""


@cache
def _edges() -> tuple[int, ...]:
    from conformance.generate.edge_values import edge_cases  # noqa: PLC0415  # it brings Hypothesis, which no other liar needs
    from conformance.generate.hostile_bodies import hostile_cases  # noqa: PLC0415  # likewise

    schema = reference.load_release(reference.newest_release()).schema("HeartbeatResponse", 0)
    edges = [case.value for case in edge_cases(schema)]
    read = [reference.judge(schema, case.wire).value for case in hostile_cases(schema)]
    return tuple(value["ErrorCode"] for value in (*edges, *filter(None, read)))


def _by_chance(schema: MessageSchema, value: Value) -> bytes:
    wire = reference.encode(schema, value)
    return wire if value.get("ErrorCode") in (None, *_edges()) else wire[::-1]


LittleEndianByChance = lie(encode=_by_chance)
"""Writes numbers with the lowest byte first, but only in values of no deterministic case."""


def _refused_tags(_schema: MessageSchema, value: Value) -> Value:
    if reference.TAGS in value:
        raise reference.Malformed("tag.unknown-accepted", None, 0, "")
    return value


def _no_zero(_schema: MessageSchema, value: Value) -> Value:
    if value.get("ErrorCode") == 0:
        raise Unrepresentable("there is no zero", "ErrorCode")
    return value


RefusesUnknownTags = lie(got=_refused_tags)
AbortsOnNothing = lie(taken=lambda schema, data: data or os.abort())
AbortsWriting = lie(given=lambda schema, value: os.abort() if (value.get("ErrorCode") or 0) > 1 else value)
"""Ends its process when it writes a large number, without a child process in its place."""
MixedEndianUuid = lie(
    supported={"RemoveTopicRecord": [0]},
    given=lambda schema, value: {**value, "TopicId": UUID(bytes=value["TopicId"].bytes_le)},
)
"""Writes the first three parts of a uuid with the lowest byte first, as Windows does."""
WrongSize = lie(size=lambda schema, value: len(reference.encode(schema, value)) + 1)
ReadsZero = lie(got=lambda schema, value: reference.default(schema))
"""Reads the right fields with wrong values."""
ReadsAnything = lie(decode=lambda schema, data: reference.default(schema))
WritesAnything = lie(unwritten=lambda schema, error: reference.encode(schema, reference.default(schema)))
CountsAll = lie(decode=lambda schema, data: Decoded(reference.decode_leniently(schema, data)[0], len(data)))
"""Counts bytes after a message as a part of it."""
DropsUnknownTags = lie(
    capabilities=frozenset(),
    got=lambda schema, value: {name: item for name, item in value.items() if name != reference.TAGS},
)
"""Skips unknown tags and declares it, which is no fault."""
Undeclared = lie(rejections=())
HoldsNoZero = lie(given=_no_zero)
"""Has a type without zero for error codes."""


class FillsIn(Honest):
    """Accepts values with missing fields, and fills in defaults.

    Its messages have tagged fields with defaults other than zero, some of them in structs.
    """

    capabilities = frozenset({"unknown-tags", "partial-values"})
    supported = staticmethod(lambda: {"FetchRequest": [17], "FetchResponse": [12]})
    missing = staticmethod(lambda field: field.default)

    def given(self, schema: MessageSchema, value: Value) -> Value:
        whole: Value = self.whole(schema.body, value)
        return whole

    def whole(self, struct: FieldSchema, value: Any) -> Any:
        if isinstance(value, list):
            return [self.whole(struct, each) for each in value]
        if not isinstance(value, dict):
            return value
        filled = {field.name: value.get(field.name, self.missing(field)) for field in struct.fields}
        return value | {field.name: self.whole(field.item, filled[field.name]) for field in struct.fields}


FillsInZero = lie(FillsIn, missing=lambda field: 0 if type(field.default) is int else field.default)
"""Fills in zero for every missing number."""


def _reason(exception: Exception) -> str | None:
    reason = str(getattr(exception, "reason", None) or "") or None
    return "truncated" if reason == "length-exceeds-input" else reason


TellsReasons = lie(classify=_reason)
"""Gives reasons for its rejections, with `truncated` where the reference names a length."""
TellsOwnReasons = lie(classify=lambda exception: f"bad-{type(exception).__name__}")
CannotTellReasons = lie(classify=lambda exception: {"": ""}[exception])
"""Fails when it is asked for a reason."""
