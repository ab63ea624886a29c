"""The replies of a Python adapter to requests of the bridge protocol."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.adapter import DIRECTIONS, FrameContent
from conformance.codec.bridge.bridge_json import loads
from conformance.codec.bridge.protocol import HELLO, PROTOCOL, PROTOCOL_ERROR, UNSUPPORTED, Message
from conformance.codec.loaded_adapter import FUNCTIONS
from conformance.targets import (
    DECODE,
    HEADER,
    Ask,
    Body,
    RecordsField,
    StoredForm,
    WholeFrame,
    WireTypeTarget,
    nearest_schema,
)
from conformance.targets.outcome import REFUSALS, Kind, Outcome
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
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.codec.session import AnyCodec
    from conformance.targets import Target

DESCRIBE = "describe"
OPERATIONS = (HELLO, *(name.replace("_", "-") for name in FUNCTIONS if name != "classify"))

_TYPES: Mapping[type, str] = {str: "text", int: "integer"}


class BadRequestError(Exception):
    """A line is not a request of the protocol. The server makes a reply of it."""


class RequestServer:
    """Replies of one codec, with the definitions of `release` until a `hello` names others."""

    def __init__(self, codec: AnyCodec, release: Release) -> None:
        self._codec = codec
        self._release = release

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
        operation = _take(request, "op", str)
        if operation not in OPERATIONS:
            return {
                "outcome": UNSUPPORTED,
                "text": f"there is no operation {operation!r}; there are {', '.join(OPERATIONS)}",
            }
        if operation == HELLO:
            return self._hello(request)
        if operation == DESCRIBE:
            outcome = self._codec.describe()
            return (
                {"outcome": outcome.kind, "value": outcome.value}
                if outcome.kind is Kind.VALUE
                else _other_reply(outcome)
            )
        try:
            ask = ask_in(request, self._release)
        except (UnknownMessage, UnknownPrimitive, UnsupportedApi) as error:
            return {"outcome": UNSUPPORTED, "text": str(error)}
        except NotJsonForm as error:
            raise BadRequestError(f"the value: {error}") from error
        return reply_to(ask, self._codec.perform(ask))

    def _hello(self, request: Message) -> Message:
        version = _take(request, "protocol", int)
        if version != PROTOCOL:
            text = f"this harness speaks version {PROTOCOL} of the protocol, not {version}"
            return {"outcome": PROTOCOL_ERROR, "text": text, "protocols": [PROTOCOL]}
        self._use_definitions(Path(_take(request, "definitions", str)))
        claims = self._codec.claims
        records = claims.records.as_words()
        return {
            "outcome": HELLO,
            "protocols": [PROTOCOL],
            "implementation": claims.name,
            "version": claims.version,
            "supports": {
                direction: {message: sorted(versions) for message, versions in claims.supported[direction].items()}
                for direction in DIRECTIONS
            },
            "operations": [each for each in OPERATIONS if each == HELLO or each.replace("-", "_") in claims.functions],
            "capabilities": sorted(claims.capabilities),
            "representations": sorted(claims.representations),
            **({"records": records} if records else {}),
            **({"hidden": {**claims.hidden.declared}} if claims.hidden.declared else {}),
            **({"limits": {**claims.limits.declared}} if claims.limits.declared else {}),
            "notes": [],
        }

    def _use_definitions(self, folder: Path) -> None:
        if folder == self._release.folder:
            return
        try:
            self._release = load_release(folder)
        except UnknownRelease as error:
            raise BadRequestError(str(error)) from error


def ask_in(request: Message, release: Release) -> Ask:
    """Return the call in a request to write, to read, or for a number, the inverse of `Ask.request`.

    Raises:
        BadRequestError: it is no request of the protocol.
        NotJsonForm: it has no value of its target.
        UnknownMessage, UnknownPrimitive, UnsupportedApi: the release does not have its target.
    """
    operation = request["op"]
    what, _, form = (HEADER, "", "frame") if operation == HEADER else operation.partition("-")
    target = _target_in(what, form, request, release)
    if what == HEADER:
        return Ask(what, target)
    if what == DECODE:
        return Ask(what, target, _wire(request))
    if isinstance(target, WholeFrame):
        parts = (
            _take(request, "correlationId", int),
            _client_id(request),
            from_json(target.schema, request.get("value")),
        )
        return Ask(what, target, FrameContent(*parts, _header_tags(request)))
    return Ask(what, target, target.from_json(request.get("value")))


def _target_in(what: str, form: str, request: Message, release: Release) -> Target:
    if form == "records":
        return RecordsField()
    if form == "primitive":
        return WireTypeTarget(primitive(_take(request, "name", str)))
    if form == "frame":
        return WholeFrame(api_schema(release, *_api(request)), release)
    if not form:
        return Body(_schema(request, release))
    if what == DECODE:  # the bytes state the version, and those of a record its message
        message = (
            _record_of(_take(request, "source", str), release) if form == "record" else _take(request, "message", str)
        )
        schema = nearest_schema(release, message, 0)
    else:
        schema = _schema(request, release)
    if form != schema.stored_form:
        raise BadRequestError(f"{schema} is stored in another way")
    return StoredForm(schema, release)


def _schema(request: Message, release: Release) -> MessageSchema:
    return release.schema(_take(request, "message", str), _take(request, "version", int))


def _record_of(source: str, release: Release) -> str:
    named = (name for name in release.messages if release.source(name) == source)
    found = next((name for name in named if release.definition(name).kind == "metadata"), None)
    if found is None:
        raise BadRequestError(f"{release.title} has no records of {source}")
    return found


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


def reply_to(ask: Ask, outcome: Outcome) -> Message:
    """Return the members of the reply with the outcome of a call."""
    if outcome.kind is Kind.BYTES and outcome.wire is not None:
        return {"outcome": Kind.BYTES, "wire": outcome.wire.hex()}
    if outcome.kind is not Kind.VALUE:
        return _other_reply(outcome)
    if ask.what != DECODE:
        return {"outcome": Kind.VALUE, "value": outcome.value}
    try:
        return {"outcome": Kind.VALUE, **ask.target.reply(outcome)}
    except Exception as error:  # noqa: BLE001  # the value has another form, but it was accepted
        return {"outcome": Kind.VALUE, "text": f"a value without JSON form ({error!r:.200})"}


def _other_reply(outcome: Outcome) -> Message:
    if outcome.kind not in REFUSALS:
        return {"outcome": outcome.kind, "text": outcome.text}
    name, _, text = outcome.text.partition(": ")
    reason = {"reason": outcome.reason} if outcome.reason else {}
    return {"outcome": outcome.kind, "class": name, "text": text, **reason}
