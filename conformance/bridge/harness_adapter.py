"""An implementation in another process, as an adapter: `--impl="stdio:COMMAND ARGS"`.

Every function is one request to the harness, and its reply. What is neither bytes nor a value is raised as `Answered`,
an outcome that needs no guess at what an exception means.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, NoReturn, Protocol

from conformance.adapter import AdapterError, Decoded, LoadedAdapter, Value
from conformance.bridge.harness import Harness, HarnessUnavailable
from conformance.implementation.outcome import Answered, Kind, Outcome
from conformance.implementation.targets import frame_content, stored_message
from conformance.implementation.validation import OPTIONAL_FUNCTIONS, check_members
from reference import (
    MessageSchema,
    NotJsonForm,
    Release,
    api_schema,
    from_json,
    primitive,
    to_json,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from conformance.bridge.protocol import Message

PREFIX = "stdio:"
REMEDY = "Try `kafka-conformance bridge check -- COMMAND ARGS`, which says what is wrong with a harness"


def load_harness_adapter(spec: str, release: Release) -> LoadedAdapter:
    """The adapter of the harness that `stdio:COMMAND ARGS` starts; the words of the command are as in a shell.

    Raises:
        AdapterError: it does not start, or what it offers is not sound.
    """
    return check_members(spec, HarnessAdapter(spec, Harness(_command(spec), release)), PREFIX)


def _command(spec: str) -> list[str]:
    try:
        words = shlex.split(spec.removeprefix(PREFIX))
    except ValueError as error:
        raise AdapterError(
            spec, f"the command cannot be taken apart into words: {error}", "Close the quotes"
        ) from error
    if not words:
        raise AdapterError(spec, "there is no command", f'The form is --impl="{PREFIX}COMMAND ARGS"')
    return words


class Speaker(Protocol):
    """What answers requests: a harness."""

    def start(self) -> Message:
        """Its reply to hello.

        Raises:
            HarnessUnavailable: there is none.
        """

    def ask(self, request: Mapping[str, object]) -> Message:
        """Its reply to any other request.

        Raises:
            HarnessUnavailable: it cannot answer any more.
        """


class HarnessAdapter:
    """A running harness; functions that it does not offer are None."""

    def __init__(self, spec: str, harness: Speaker) -> None:
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
        """As the harness said in its hello."""
        return self._supports

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """One message body."""
        return _bytes(self._ask("encode", **_pair(schema), value=to_json(schema, value)))

    def decode(self, schema: MessageSchema, data: bytes) -> Decoded:
        """The value of one message body."""
        reply = self._ask("decode", **_pair(schema), wire=data.hex())
        return Decoded(_value(reply, lambda form: from_json(schema, form)), reply.get("consumed"))

    def size(self, schema: MessageSchema, value: Value) -> Any:
        """How many bytes `encode` will write."""
        return self._ask("size", **_pair(schema), value=to_json(schema, value)).get("value")

    def header_version(self, api_key: int, api_version: int, direction: str) -> Any:
        """The version of the header before a message."""
        return self._ask("header-version", direction=direction, apiKey=api_key, version=api_version).get("value")

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
        """Size, header and body."""
        form = to_json(api_schema(release, direction, api_key, api_version), value)
        api = {"direction": direction, "apiKey": api_key, "version": api_version}
        tags = {"headerTags": [[tag, data.hex()] for tag, data in header_tags]} if header_tags else {}
        content = {"correlationId": correlation_id, "clientId": client_id, "value": form, **tags}
        return _bytes(self._ask("encode-frame", **api, **content))

    def decode_frame(self, release: Release, direction: Any, api_key: int, api_version: int, data: bytes) -> Any:
        """The parts of a frame."""
        api = {"direction": direction, "apiKey": api_key, "version": api_version}
        reply = self._ask("decode-frame", **api, wire=data.hex())
        schema = api_schema(release, direction, api_key, api_version)
        return _value(reply, lambda _: frame_content(schema, reply))

    def encode_prefixed(self, schema: MessageSchema, value: Value) -> bytes:
        """A message behind its version or type."""
        return _bytes(self._ask("encode-prefixed", **_pair(schema), value=to_json(schema, value)))

    def decode_prefixed(self, release: Release, message: str, data: bytes) -> Any:
        """The message, in the version that the bytes say."""
        reply = self._ask("decode-prefixed", message=message, wire=data.hex())
        return _value(reply, lambda _: stored_message(release, reply))

    def encode_record(self, schema: MessageSchema, value: Value) -> bytes:
        """A record of the metadata log."""
        return _bytes(self._ask("encode-record", **_pair(schema), value=to_json(schema, value)))

    def decode_record(self, release: Release, source: str, data: bytes) -> Any:
        """The record of the type and version that the bytes say."""
        reply = self._ask("decode-record", source=source, wire=data.hex())
        return _value(reply, lambda _: stored_message(release, reply))

    def encode_primitive(self, name: str, value: Any) -> bytes:
        """One value of a wire type alone."""
        return _bytes(self._ask("encode-primitive", name=name, value=primitive(name).to_json(value)))

    def decode_primitive(self, name: str, data: bytes) -> Decoded:
        """The value of a wire type alone."""
        reply = self._ask("decode-primitive", name=name, wire=data.hex())
        return Decoded(_value(reply, primitive(name).from_json), reply.get("consumed"))

    def _ask(self, operation: str, **keys: Any) -> Message:
        """The reply to a request, if it is bytes or a value.

        Raises:
            Answered: it is something else.
            AdapterError: there is no harness any more that could answer.
        """
        reply = self._guarded(lambda: self._harness.ask({"op": operation, **keys}))
        if reply.get("outcome") not in {Kind.BYTES, Kind.VALUE}:
            raise Answered(outcome_of(reply))
        return reply

    def _guarded(self, call: Callable[[], Message]) -> Message:
        try:
            return call()
        except HarnessUnavailable as error:
            raise AdapterError(self._spec, str(error), REMEDY) from error


def outcome_of(reply: Message) -> Outcome:
    """The outcome that a reply without bytes or a value stands for."""
    try:
        kind = Kind(reply["outcome"])
    except (KeyError, ValueError):
        return Outcome(Kind.PROTOCOL_ERROR, text=f"a reply without an outcome of the protocol: {reply!r:.200}")
    text = ": ".join(str(reply[key]) for key in ("class", "text") if reply.get(key))
    return Outcome(kind, text=text, reason=str(reply.get("reason", "")))


def _pair(schema: MessageSchema) -> Message:
    return {"message": schema.message, "version": schema.version}


def _bytes(reply: Message) -> bytes:
    try:
        return bytes.fromhex(reply["wire"])
    except (KeyError, TypeError, ValueError):
        _nonsense("a reply without its bytes in hex", reply)


def _value(reply: Message, from_form: Callable[[Any], Any]) -> Any:
    if reply["outcome"] != Kind.VALUE:
        _nonsense("bytes in reply to bytes", reply)
    if "value" not in reply:
        raise Answered(Outcome(Kind.VALUE, text=str(reply.get("text", ""))))
    try:
        return from_form(reply["value"])
    except NotJsonForm as error:
        raise Answered(Outcome(Kind.VALUE, text=f"no value of the definition: {error}")) from error


def _nonsense(what: str, reply: Message) -> NoReturn:
    raise Answered(Outcome(Kind.PROTOCOL_ERROR, text=f"{what}: {reply!r:.200}"))
