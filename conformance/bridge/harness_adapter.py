"""An implementation in another process, as an adapter: `--impl="stdio:COMMAND ARGS"`.

Each function sends one request to the harness and returns the bytes or the value of the reply. Any other reply is
raised as `Answered`, with its outcome: the suite need not guess what an exception means.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from conformance.adapter import AdapterError, Decoded, Value
from conformance.bridge.errors import HarnessError
from conformance.bridge.replies import plain_outcome, read_outcome, write_outcome
from conformance.implementation.outcome import Answered, Kind, Outcome
from conformance.implementation.targets import Body, WireType, frame_content, stored_message
from conformance.implementation.validation import OPTIONAL_FUNCTIONS
from reference import MessageSchema, Release, api_schema, primitive, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from conformance.bridge.protocol import Message

REMEDY = "Run `kafka-conformance bridge check -- COMMAND ARGS`, which reports what is wrong with a harness"


class Connection(Protocol):
    """A connection to a harness; `Harness` is one."""

    def start(self) -> Message:
        """Return the reply to `hello`.

        Raises:
            HarnessError: there is none.
        """

    def ask(self, request: Mapping[str, object]) -> Message:
        """Return the reply to any other request.

        Raises:
            HarnessError: the harness cannot answer any more.
        """


class HarnessAdapter:
    """A running harness; functions that it does not offer are None."""

    def __init__(self, spec: str, harness: Connection) -> None:
        self._spec = spec
        self._harness = harness
        hello = self._guarded(harness.start)
        self.name: str = hello["implementation"]
        self.version: str = hello["version"]
        self.capabilities = frozenset(hello["capabilities"])
        self._supports = hello["supports"]
        for name in ("encode", "decode", *OPTIONAL_FUNCTIONS):
            if name.replace("_", "-") not in hello["operations"]:
                setattr(self, name, None)

    def supported(self) -> Any:
        """Return what the harness listed in its reply to `hello`."""
        return self._supports

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """Return one message body."""
        return self._write("encode", **_pair(schema), value=to_json(schema, value))

    def decode(self, schema: MessageSchema, data: bytes) -> Decoded:
        """Return the value of one message body."""
        outcome = self._read("decode", Body(schema).parse, **_pair(schema), wire=data.hex())
        return Decoded(outcome.value, outcome.consumed)

    def size(self, schema: MessageSchema, value: Value) -> Any:
        """Return the number of bytes that `encode` will write."""
        return self._number("size", **_pair(schema), value=to_json(schema, value))

    def header_version(self, api_key: int, api_version: int, direction: str) -> Any:
        """Return the version of the header before a message."""
        return self._number("header-version", direction=direction, apiKey=api_key, version=api_version)

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
        """Return size, header and body."""
        form = to_json(api_schema(release, direction, api_key, api_version), value)
        api = {"direction": direction, "apiKey": api_key, "version": api_version}
        tags = {"headerTags": [[tag, data.hex()] for tag, data in header_tags]} if header_tags else {}
        return self._write("encode-frame", **api, correlationId=correlation_id, clientId=client_id, value=form, **tags)

    def decode_frame(self, release: Release, direction: Any, api_key: int, api_version: int, data: bytes) -> Any:
        """Return the parts of a frame."""
        api = {"direction": direction, "apiKey": api_key, "version": api_version}
        parse = partial(frame_content, api_schema(release, direction, api_key, api_version))
        return self._read("decode-frame", parse, **api, wire=data.hex()).value

    def encode_prefixed(self, schema: MessageSchema, value: Value) -> bytes:
        """Return a message behind its version or type."""
        return self._write("encode-prefixed", **_pair(schema), value=to_json(schema, value))

    def decode_prefixed(self, release: Release, message: str, data: bytes) -> Any:
        """Return the message, in the version that the bytes state."""
        parse = partial(stored_message, release)
        return self._read("decode-prefixed", parse, message=message, wire=data.hex()).value

    def encode_record(self, schema: MessageSchema, value: Value) -> bytes:
        """Return a record of the metadata log."""
        return self._write("encode-record", **_pair(schema), value=to_json(schema, value))

    def decode_record(self, release: Release, source: str, data: bytes) -> Any:
        """Return the record, of the type and version that the bytes state."""
        parse = partial(stored_message, release)
        return self._read("decode-record", parse, source=source, wire=data.hex()).value

    def encode_primitive(self, name: str, value: Any) -> bytes:
        """Return one value of a wire type alone."""
        return self._write("encode-primitive", name=name, value=primitive(name).to_json(value))

    def decode_primitive(self, name: str, data: bytes) -> Decoded:
        """Return the value of a wire type alone."""
        outcome = self._read("decode-primitive", WireType(primitive(name)).parse, name=name, wire=data.hex())
        return Decoded(outcome.value, outcome.consumed)

    def _write(self, operation: str, **keys: Any) -> bytes:
        """Return the bytes of the reply.

        Raises:
            Answered: it has none.
        """
        outcome = write_outcome(self._ask(operation, **keys))
        if outcome.wire is None:
            raise Answered(outcome)
        return outcome.wire

    def _read(self, operation: str, parse: Callable[[Message], Any], **keys: Any) -> Outcome:
        """Return the outcome of the reply, which has a value.

        Raises:
            Answered: it has none.
        """
        outcome = read_outcome(self._ask(operation, **keys), parse)
        if outcome.kind is not Kind.VALUE or outcome.text:
            raise Answered(outcome)
        return outcome

    def _number(self, operation: str, **keys: Any) -> Any:
        """Return the value of the reply, which should be a number.

        Raises:
            Answered: it is neither bytes nor a value.
        """
        reply = self._ask(operation, **keys)
        outcome = plain_outcome(reply)
        if outcome.kind not in {Kind.BYTES, Kind.VALUE}:
            raise Answered(outcome)
        return reply.get("value")

    def _ask(self, operation: str, **keys: Any) -> Message:
        return self._guarded(lambda: self._harness.ask({"op": operation, **keys}))

    def _guarded(self, call: Callable[[], Message]) -> Message:
        """Return what `call` returns.

        Raises:
            AdapterError: the harness does not start, or cannot answer any more.
        """
        try:
            return call()
        except HarnessError as error:
            raise AdapterError(self._spec, str(error), REMEDY) from error


def _pair(schema: MessageSchema) -> Message:
    return {"message": schema.message, "version": schema.version}
