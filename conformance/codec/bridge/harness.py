"""A harness in any language as an adapter.

`--impl="stdio:COMMAND ARGS"` names it. It is started with `hello`, and again after each failure. Each function sends
one request and returns the bytes or the value of the reply. Any other reply is raised as `ReportedOutcome` with its
outcome, so the suite need not guess the meaning of an exception.
"""

from __future__ import annotations

import atexit
from functools import partial
from typing import TYPE_CHECKING, Any

from conformance.adapter import DIRECTIONS, AdapterError, Decoded, FrameContent, Unrepresentable, Value
from conformance.codec.bridge.ahead import Ahead, kind_of_request
from conformance.codec.bridge.bridge_json import dumps
from conformance.codec.bridge.child_client import DEADLINE, Client, Policy
from conformance.codec.bridge.hangs import Endings
from conformance.codec.bridge.harness_errors import HarnessError
from conformance.codec.bridge.hello import note_text, start_harness
from conformance.codec.bridge.protocol import Message, plain_outcome, read_outcome, write_outcome
from conformance.codec.bridge.transport import program
from conformance.codec.loaded_adapter import OPTIONAL_FUNCTIONS
from conformance.codec.outcome import Kind, Outcome, ReportedOutcome
from conformance.codec.targets import Body, RecordsField, WholeFrame, WireTypeTarget, stored_message
from reference import MessageSchema, Release, api_schema, primitive

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from conformance.codec.bridge.transport import JsonLinesProcess
    from conformance.codec.targets import Target

HINT = "Run `kafka-conformance bridge check -- COMMAND ARGS`, which reports what is wrong with a harness"

CORRELATION_IDS = range(-(2**31), 2**31)
"""The correlation ids of a request: the bridge protocol has 32 bits for them."""

MAXIMUM_RESTARTS = 200
"""The maximum number of restarts of a harness in one run: constant crashes would take hours."""


class Harness(Client):
    """One harness over any number of restarts, with its reply to `hello`.

    The reply is empty before the first start.
    """

    def __init__(
        self,
        command: Sequence[str],
        release: Release,
        *,
        deadline: float = DEADLINE,
        maximum_restarts: int | None = MAXIMUM_RESTARTS,
    ) -> None:
        super().__init__(
            self._ready, Policy.BATCHED, endings=Endings(), deadline=deadline, maximum_restarts=maximum_restarts
        )
        self._command = tuple(command)
        self._release = release
        self.hello: Message = {}
        atexit.register(self.close)  # an adapter has no `close`: nobody else ends the harness of a run

    def _ready(self, _request: object) -> JsonLinesProcess:
        process, self.hello = start_harness(program(self._command), self._release, self.hello)
        return process


def _not_offered(operations: Collection[str]) -> Iterator[str]:
    """Yield the functions of the contract that a harness lacks.

    A harness without both encode and decode has records alone, and lacks `supported` as well.
    """
    for name in (*DIRECTIONS, *OPTIONAL_FUNCTIONS):
        if name.replace("_", "-") not in operations:
            yield name
    if not any(direction in operations for direction in DIRECTIONS):
        yield "supported"


def _bytes_of(reply: Message) -> bytes:
    """Return the bytes of a reply.

    Raises:
        ReportedOutcome: it has none.
    """
    outcome = write_outcome(reply)
    if outcome.wire is None:
        raise ReportedOutcome(outcome)
    return outcome.wire


class HarnessAdapter:
    """A running harness as an adapter.

    Functions without an operation of the harness are None.
    """

    def __init__(self, spec: str, harness: Harness) -> None:
        self._spec = spec
        self._harness = harness
        self._ahead = Ahead(harness, kind_of_request)
        self._written = LastWritten()
        try:
            harness.start()
        except HarnessError as error:
            raise self._unusable(error) from error
        hello = harness.hello
        self.name: str = hello["implementation"]
        self.version: str = hello["version"]
        self.capabilities = frozenset(hello["capabilities"])
        self.representations = frozenset(hello.get("representations", ()))
        self.records: Mapping[str, Any] = hello.get("records", {})
        self.hidden: Mapping[str, Any] = hello.get("hidden", {})
        self.limits: Mapping[str, Any] = hello.get("limits", {})
        self.notes = tuple(note_text(note) for note in hello.get("notes", ()))
        self._supports = hello["supports"]
        for name in _not_offered(hello["operations"]):
            setattr(self, name, None)

    def supported(self) -> Any:
        """Return the messages and versions in the harness's reply to `hello`."""
        return self._supports

    def ask_ahead(self, requests: Sequence[Message]) -> None:
        """Send requests many at a time, before they are asked for.

        Requests for sizes are left out if the harness announces sizes with bytes.
        """
        announces = self._written.has_announced
        self._ahead.send([request for request in requests if not (announces and request["op"] == "size")])

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """Return one message body."""
        reply = self._ask(self._written.request(Body(schema), value))
        self._written.answered(reply)
        return _bytes_of(reply)

    def decode(self, schema: MessageSchema, data: bytes) -> Decoded:
        """Return the value of one message body."""
        return self._decoded(Body(schema), data, partial(self._written.parse, Body(schema)))

    def size(self, schema: MessageSchema, value: Value) -> Any:
        """Return the number of bytes that `encode` will write.

        It is taken from the reply with the bytes, if that announced it.
        """
        announced = self._written.size(schema, value)
        return announced if announced is not None else self._number({**Body(schema).write_request(value), "op": "size"})

    def header_version(self, api_key: int, api_version: int, direction: str) -> Any:
        """Return the version of the header before a message."""
        api = {"direction": direction, "apiKey": api_key, "version": api_version}
        return self._number({"op": "header-version", **api})

    def encode_frame(  # noqa: PLR0913, PLR0917  # the contract's arguments
        self,
        release: Release,
        direction: Any,
        api_key: int,
        api_version: int,
        correlation_id: int,
        client_id: str | None,
        value: Value,
        *,
        header_tags: Sequence[tuple[int, bytes]] = (),
    ) -> bytes:
        """Return size, header and body.

        Raises:
            Unrepresentable: the correlation id has more than 32 bits, so a request has no place for it.
        """
        if correlation_id not in CORRELATION_IDS:
            raise Unrepresentable(f"correlation id {correlation_id}: the bridge has those of 32 bits")
        target = WholeFrame(api_schema(release, direction, api_key, api_version), release)
        return self._write(target.write_request(FrameContent(correlation_id, client_id, value, header_tags)))

    def decode_frame(self, release: Release, direction: Any, api_key: int, api_version: int, data: bytes) -> Any:
        """Return the parts of a frame."""
        target = WholeFrame(api_schema(release, direction, api_key, api_version), release)
        return self._read(target.read_request(data), target.parse).value

    def encode_prefixed(self, schema: MessageSchema, value: Value) -> bytes:
        """Return a message after its version or type."""
        return self._write({**Body(schema).write_request(value), "op": "encode-prefixed"})

    def decode_prefixed(self, release: Release, message: str, data: bytes) -> Any:
        """Return the message, in the version stated by the bytes."""
        request = {"op": "decode-prefixed", "message": message, "wire": data.hex()}
        return self._read(request, partial(stored_message, release)).value

    def encode_record(self, schema: MessageSchema, value: Value) -> bytes:
        """Return a record of the metadata log."""
        return self._write({**Body(schema).write_request(value), "op": "encode-record"})

    def decode_record(self, release: Release, source: str, data: bytes) -> Any:
        """Return the record, of the type and version stated by the bytes."""
        request = {"op": "decode-record", "source": source, "wire": data.hex()}
        return self._read(request, partial(stored_message, release)).value

    def encode_primitive(self, name: str, value: Any) -> bytes:
        """Return one value of a wire type alone."""
        return self._write(WireTypeTarget(primitive(name)).write_request(value))

    def decode_primitive(self, name: str, data: bytes) -> Decoded:
        """Return the value of a wire type alone."""
        return self._decoded(WireTypeTarget(primitive(name)), data)

    def encode_records(self, value: Value) -> bytes:
        """Return the batches of a `records` field."""
        return self._write(RecordsField().write_request(value))

    def decode_records(self, data: bytes) -> Decoded:
        """Return the batches in a `records` field."""
        return self._decoded(RecordsField(), data)

    def describe(self) -> Mapping[str, Any]:
        """Return the implementation's own schema."""
        reply = self._ask({"op": "describe"})
        outcome = plain_outcome(reply)
        if outcome.kind is not Kind.VALUE:
            raise ReportedOutcome(outcome)
        return dict(reply.get("value", {}))

    def _decoded(self, target: Target, data: bytes, parse: Callable[[Message], Any] | None = None) -> Decoded:
        outcome = self._read(target.read_request(data), parse or target.parse)
        return Decoded(outcome.value, outcome.consumed)

    def _write(self, request: Message) -> bytes:
        """Return the bytes of the reply."""
        return _bytes_of(self._ask(request))

    def _read(self, request: Message, parse: Callable[[Message], Any]) -> Outcome:
        """Return the outcome of a reply with a value.

        Raises:
            ReportedOutcome: it has none.
        """
        outcome = read_outcome(self._ask(request), parse, Kind.PROTOCOL_ERROR)
        if outcome.kind is not Kind.VALUE or outcome.text:
            raise ReportedOutcome(outcome)
        return outcome

    def _number(self, request: Message) -> Any:
        """Return the value of the reply, which should be a number.

        Raises:
            ReportedOutcome: it is neither bytes nor a value.
        """
        reply = self._ask(request)
        outcome = plain_outcome(reply)
        if outcome.kind not in {Kind.BYTES, Kind.VALUE}:
            raise ReportedOutcome(outcome)
        return reply.get("value")

    def _ask(self, request: Message) -> Message:
        """Return the reply to a request.

        Raises:
            AdapterError: the harness cannot answer any more.
        """
        try:
            return self._ahead.ask(request)
        except HarnessError as error:
            raise self._unusable(error) from error

    def _unusable(self, error: HarnessError) -> AdapterError:
        return AdapterError(self._spec, str(error), HINT)


class LastWritten:
    """The last value that a harness was asked to write, and its form.

    Most values are read back as they were written, and comparing two texts is faster than making a value from one. A
    reply with the bytes of a value may announce the result of `size` as well, to save a request.
    """

    def __init__(self) -> None:
        self._last: tuple[MessageSchema, Message, Value] | None = None
        self._size: int | None = None
        self.has_announced = False
        """Whether any reply has announced a size."""

    def request(self, body: Body, value: Value) -> Message:
        """Return the request to write a value, and keep the value as the last one."""
        request = body.write_request(value)
        self._last = body.schema, request["value"], value
        self._size = None
        return request

    def answered(self, reply: Message) -> None:
        """Keep the size that the reply to this request announces, if any."""
        size = reply.get("size")
        if type(size) is int:
            self._size = size
            self.has_announced = True

    def size(self, schema: MessageSchema, value: Value) -> int | None:
        """Return the announced size of a value, or None.

        It is None if the value is not the last one, or if no size was announced.
        """
        if self._last is None or self._last[0] is not schema or self._last[2] is not value:
            return None
        return self._size

    def parse(self, body: Body, reply: Message) -> Any:
        """Return the value of a reply.

        If its form is that of the last value written, it is that object.

        Raises:
            NotJsonForm: it is no value of the message.
        """
        if self._last is not None:
            schema, form, value = self._last
            if schema is body.schema and _is_same_text(reply["value"], form):
                return value
        return body.parse(reply)


def _is_same_text(one: Any, other: Any) -> bool:
    """Return whether two forms have the same text.

    To Python, 1 and true are equal; their texts differ.
    """
    try:
        return dumps(one) == dumps(other)
    except RecursionError:
        return False
