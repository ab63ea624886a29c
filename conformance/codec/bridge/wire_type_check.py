"""The check of a harness by the edges of single wire types that it writes and reads.

Another form in a reply is the harness's mistake; another value, and other bytes, are notes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from conformance.codec.bridge.json_forms import shown as form_shown
from conformance.codec.bridge.reply_check import judged, merged
from conformance.codec.bridge.transcript import Diagnostic, note
from conformance.targets import DECODE, ENCODE, EVERYTHING, Ask, WireTypeTarget
from reference import NotJsonForm, Primitive, primitive, primitives
from reference.definitions.model import INTEGER_RANGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from conformance.codec.bridge.protocol import Message
    from reference import FieldSchema

FORMS = "See the table under Values in docs/reference/bridge.md"

_SCALARS: Mapping[str, tuple[Any, ...]] = {
    "bool": (True, False),
    "float64": (-0.15625, -0.0),
    "string": ("text", "", "é日\N{GRINNING FACE}"),
    "uuid": (UUID("00112233-4455-6677-8899-aabbccddeeff"),),
    "bytes": (b"\xca\xfe\x00", b""),
    "records": (b"\x00\x01\x02\x03\x04", b""),
}


class WireTypeProbe(NamedTuple):
    """A value of a wire type to write or to read."""

    operation: str
    target: WireTypeTarget
    value: Any

    @property
    def wire(self) -> bytes:
        """Its bytes."""
        return self.target.write(self.value)

    @property
    def request(self) -> Message:
        """The request of the bridge protocol."""
        is_read = self.operation == "decode-primitive"
        return (Ask(DECODE, self.target, self.wire) if is_read else Ask(ENCODE, self.target, self.value)).request

    def __str__(self) -> str:
        return f"{self.operation} of {self.target}"


def wire_type_probes(hello: Message) -> list[WireTypeProbe]:
    """Return what is asked of a harness with these operations."""
    return [
        WireTypeProbe(operation, WireTypeTarget(each), value)
        for operation in ("decode-primitive", "encode-primitive")
        if operation in hello["operations"]
        for each in map(primitive, primitives())
        for value in _values(each)
    ]


def _values(each: Primitive) -> Iterator[Any]:
    if each.schema is not None:
        [field] = each.schema.fields
        yield from _of_field(field)
        yield from (None,) if field.nullable else ()
    elif each.range is not None:
        yield from _numbers(*each.range)
    else:
        yield from ([], [(0, b""), (5, b"\xca\xfe")])


def _of_field(field: FieldSchema) -> Iterator[Any]:
    if field.element is not None:
        yield from ([], list(_of_field(field.element)))
    elif field.type in INTEGER_RANGES:
        yield from _numbers(*INTEGER_RANGES[field.written_type])
    else:
        yield from _SCALARS[field.type]


def _numbers(lowest: int, highest: int) -> Iterator[int]:
    edges = (lowest, -1, 0, 1, 300, 2**53 + 1, highest)
    yield from dict.fromkeys(number for number in edges if lowest <= number <= highest)


def wire_type_diagnostics(answers: Sequence[tuple[WireTypeProbe, Message]]) -> Iterator[Diagnostic]:
    """Yield the mistakes and notes of replies to the probes, the mistakes first."""
    yield from merged(judged(answers, written=_written, read=_read))


def _written(probe: WireTypeProbe, reply: Message) -> Iterator[Diagnostic]:
    if reply["wire"] != probe.wire.hex():
        form = form_shown(probe.request["value"])
        yield note(f"{probe}: the bytes of {form} are {probe.wire.hex()}, got {reply['wire']}")


def _read(probe: WireTypeProbe, reply: Message) -> Iterator[Diagnostic]:
    due, got = form_shown(probe.target.to_json(probe.value)), form_shown(reply["value"])
    try:
        value = probe.target.parse(reply)
    except NotJsonForm as error:
        where = error.path or "the value"
        yield Diagnostic(f"{probe}: {where}: {error.expected} is due, as {due}, got {got}", FORMS)
        return
    if probe.target.difference(EVERYTHING, probe.value, value) is not None:
        yield note(f"{probe}: the value of {probe.wire.hex()} is {due}, got {got}")
    if reply.get("consumed") not in {None, len(probe.wire)}:
        yield note(f"{probe}: consumed is {reply['consumed']}, of the {len(probe.wire)} bytes of one value")
