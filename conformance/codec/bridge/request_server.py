"""The replies of a Python adapter to requests of the bridge protocol."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.adapter import DIRECTIONS, FrameContent, StoredMessage
from conformance.codec.bridge.bridge_json import loads
from conformance.codec.bridge.protocol import HELLO, PROTOCOL, PROTOCOL_ERROR, UNSUPPORTED, Message
from conformance.codec.outcome import REFUSALS, Kind, Outcome
from conformance.codec.targets import Body, RecordsField, StoredForm, WireTypeTarget, nearest_schema
from reference import (
    MessageSchema,
    NotJsonForm,
    Release,
    UnknownMessage,
    UnknownPrimitive,
    UnknownRelease,
    UnsupportedApi,
    api_schema,
    from_json,
    load_release,
    primitive,
    to_json,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from conformance.codec.driver import Implementation
    from conformance.codec.targets import Target

_TYPES: Mapping[type, str] = {str: "text", int: "integer"}


class BadRequestError(Exception):
    """A line is not a request of the protocol.

    The exception does not leave the handler, which makes a reply of it.
    """


class RequestHandler:
    """Replies for one implementation, with the definitions of `release` until a `hello` names others."""

    def __init__(self, implementation: Implementation, release: Release) -> None:
        self._implementation = implementation
        self._release = release
        self._operations: dict[str, Callable[[Message], Message]] = {
            HELLO: self._hello,
            "encode": self._write,
            "decode": self._read,
            "size": self._size,
            "header-version": self._header_version,
            "encode-frame": self._encode_frame,
            "decode-frame": self._decode_frame,
            "encode-prefixed": self._write,
            "decode-prefixed": self._decode_prefixed,
            "encode-record": self._write,
            "decode-record": self._decode_record,
            "describe": self._describe,
            "encode-primitive": self._write,
            "decode-primitive": self._read,
            "encode-records": self._write,
            "decode-records": self._read,
        }

    def reply(self, line: bytes) -> Message:
        """Return the reply to one line with any content."""
        reply: Message = {"id": None}
        try:
            request = _parse(line)
            reply["id"] = request.get("id")
            return reply | self._perform(request)
        except BadRequestError as error:
            return reply | {"outcome": PROTOCOL_ERROR, "text": str(error)}

    def _perform(self, request: Message) -> Message:
        operation = self._operations.get(_take(request, "op", str))
        if operation is None:
            text = f"there is no operation {request['op']!r}; there are {', '.join(self._operations)}"
            return {"outcome": UNSUPPORTED, "text": text}
        try:
            return operation(request)
        except (UnknownMessage, UnknownPrimitive, UnsupportedApi) as error:
            return {"outcome": UNSUPPORTED, "text": str(error)}
        except NotJsonForm as error:
            raise BadRequestError(f"the value: {error}") from error

    def _hello(self, request: Message) -> Message:
        version = _take(request, "protocol", int)
        if version != PROTOCOL:
            text = f"this harness speaks version {PROTOCOL} of the protocol, not {version}"
            return {"outcome": PROTOCOL_ERROR, "text": text, "protocols": [PROTOCOL]}
        self._use_definitions(Path(_take(request, "definitions", str)))
        adapter = self._implementation.adapter
        records = adapter.records.as_words()
        return {
            "outcome": HELLO,
            "protocols": [PROTOCOL],
            "implementation": adapter.name,
            "version": adapter.version,
            "supports": {
                direction: {message: sorted(versions) for message, versions in adapter.supported[direction].items()}
                for direction in DIRECTIONS
            },
            "operations": [name for name in self._operations if self._offers(name)],
            "capabilities": sorted(adapter.capabilities),
            "representations": sorted(adapter.representations),
            **({"records": records} if records else {}),
            **({"hidden": {**adapter.hidden.declared}} if adapter.hidden.declared else {}),
            **({"limits": {**adapter.limits.declared}} if adapter.limits.declared else {}),
            "notes": [],
        }

    def _offers(self, operation: str) -> bool:
        name = operation.replace("-", "_")
        return operation == HELLO or getattr(self._implementation.adapter, name) is not None

    def _use_definitions(self, folder: Path) -> None:
        if folder == self._release.folder:
            return
        try:
            self._release = load_release(folder)
        except UnknownRelease as error:
            raise BadRequestError(str(error)) from error

    def _describe(self, _request: Message) -> Message:
        describe = self._implementation.adapter.describe
        if describe is None:
            return {"outcome": UNSUPPORTED, "text": "the adapter has no describe"}
        return {"outcome": Kind.VALUE, "value": {**describe()}}

    def _schema(self, request: Message) -> MessageSchema:
        return self._release.schema(_take(request, "message", str), _take(request, "version", int))

    def _target(self, request: Message) -> Target:
        """Return the target of a request, by its operation and wire type, or message and version."""
        _, _, form = request["op"].partition("-")
        if form == "records":
            return RecordsField()
        if form == "primitive":
            return WireTypeTarget(primitive(_take(request, "name", str)))
        schema = self._schema(request)
        if form and form != schema.stored_form:
            raise BadRequestError(f"{schema} is stored in another way")
        return StoredForm(schema, self._release) if form else Body(schema)

    def _write(self, request: Message) -> Message:
        target = self._target(request)
        return bytes_reply(target.encode(self._implementation, target.from_json(request.get("value"))))

    def _read(self, request: Message) -> Message:
        target = self._target(request)
        return value_reply(target.to_json, target.decode(self._implementation, _wire(request)))

    def _size(self, request: Message) -> Message:
        schema = self._schema(request)
        return _number_reply(self._implementation.size(schema, from_json(schema, request.get("value"))))

    def _header_version(self, request: Message) -> Message:
        direction, key, version = _api(request)
        return _number_reply(self._implementation.header_version(key, version, direction))

    def _encode_frame(self, request: Message) -> Message:
        direction, key, version = _api(request)
        schema = api_schema(self._release, direction, key, version)
        parts = (_take(request, "correlationId", int), _client_id(request), from_json(schema, request.get("value")))
        content = FrameContent(*parts, _header_tags(request))
        return bytes_reply(self._implementation.encode_frame(self._release, schema, content))

    def _decode_frame(self, request: Message) -> Message:
        direction, key, version = _api(request)
        schema = api_schema(self._release, direction, key, version)
        outcome = self._implementation.decode_frame(self._release, schema, _wire(request))
        return _parts_reply(partial(_frame_parts, schema), outcome)

    def _decode_prefixed(self, request: Message) -> Message:
        message = _take(request, "message", str)
        return self._stored_reply(self._implementation.decode_prefixed(self._release, message, _wire(request)))

    def _decode_record(self, request: Message) -> Message:
        source = _take(request, "source", str)
        return self._stored_reply(self._implementation.decode_record(self._release, source, _wire(request)))

    def _stored_reply(self, outcome: Outcome) -> Message:
        def parts(stored: StoredMessage) -> Message:
            schema = nearest_schema(self._release, stored.message, stored.version)
            return {"message": schema.message, "version": stored.version, "value": to_json(schema, stored.value)}

        return _parts_reply(parts, outcome)


def _parse(line: bytes) -> Message:
    try:
        request = loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRequestError(f"the line is not JSON: {error}") from error
    if not isinstance(request, dict):
        raise BadRequestError("the line is not a JSON object")
    return request


def _take(request: Message, key: str, kind: type) -> Any:
    member = request.get(key)
    if not isinstance(member, kind) or isinstance(member, bool):
        raise BadRequestError(f'the request has no {_TYPES[kind]} "{key}"')
    return member


def _wire(request: Message) -> bytes:
    try:
        return bytes.fromhex(_take(request, "wire", str))
    except ValueError as error:
        raise BadRequestError(f'"wire" is not hex: {error}') from error


def _api(request: Message) -> tuple[Any, int, int]:
    direction = _take(request, "direction", str)
    if direction not in {"request", "response"}:
        raise BadRequestError(f"the direction is request or response, not {direction}")
    return direction, _take(request, "apiKey", int), _take(request, "version", int)


def _client_id(request: Message) -> str | None:
    return None if request.get("clientId") is None else _take(request, "clientId", str)


def _header_tags(request: Message) -> list[tuple[int, bytes]]:
    try:
        return [(int(tag), bytes.fromhex(data)) for tag, data in request.get("headerTags") or ()]
    except (TypeError, ValueError) as error:
        raise BadRequestError(f'"headerTags" is not a list of tags with their bytes in hex: {error}') from error


def _frame_parts(schema: MessageSchema, frame: FrameContent) -> Message:
    tags = frame.header_tags
    return {
        "value": to_json(schema, frame.value),
        "correlationId": _of_type(int, frame.correlation_id),
        "clientId": None if frame.client_id is None else _of_type(str, frame.client_id),
        "headerTags": None if tags is None else [[_of_type(int, tag), bytes(data).hex()] for tag, data in tags],
        "consumed": None if frame.consumed is None else _of_type(int, frame.consumed),
    }


def _of_type(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise NotJsonForm("", kind.__name__, value)
    return value


def bytes_reply(outcome: Outcome) -> Message:
    """Return the members of a reply to a request to write."""
    if outcome.kind is Kind.BYTES and outcome.wire is not None:
        return {"outcome": Kind.BYTES, "wire": outcome.wire.hex()}
    return _other_reply(outcome)


def _number_reply(outcome: int | Outcome) -> Message:
    return _other_reply(outcome) if isinstance(outcome, Outcome) else {"outcome": Kind.VALUE, "value": outcome}


def value_reply(form: Callable[[Any], Any], outcome: Outcome) -> Message:
    """Return the members of a reply to a request to read.

    Args:
        form: returns the JSON form of a value.
        outcome: the outcome.
    """
    return _parts_reply(lambda value: {"value": form(value), "consumed": outcome.consumed}, outcome)


def _parts_reply(parts: Callable[[Any], Message], outcome: Outcome) -> Message:
    if outcome.kind is not Kind.VALUE:
        return _other_reply(outcome)
    try:
        return {"outcome": Kind.VALUE, **parts(outcome.value)}
    except Exception as error:  # noqa: BLE001  # the value has another form, but it was accepted
        return {"outcome": Kind.VALUE, "text": f"a value without JSON form ({error!r:.200})"}


def _other_reply(outcome: Outcome) -> Message:
    if outcome.kind not in REFUSALS:
        return {"outcome": outcome.kind, "text": outcome.text}
    name, _, text = outcome.text.partition(": ")
    reason = {"reason": outcome.reason} if outcome.reason else {}
    return {"outcome": outcome.kind, "class": name, "text": text, **reason}
