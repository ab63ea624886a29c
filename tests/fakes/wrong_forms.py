"""The reference over the bridge, with one mistake in the JSON forms of its values, or in the mapping of a harness.

Each mistake is a function that changes a reply, or answers a request in place of the reference.
"""

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any

from conformance.codec.bridge.loading import load_codec
from conformance.codec.bridge.request_server import RequestServer
from reference import CodecError, FieldSchema, MessageSchema, Release, decode, encode, load_release, minimal, to_json
from reference.values.defaults import minimal_of
from tests.fakes.mistaken_adapters import mapped_value
from tests.helpers.releases import BASE

Json = dict[str, Any]
Mistake = Callable[["Harness", Json, Json], Json]
RELEASE = BASE
MESSAGES = {
    "AlterClientQuotasRequest": [1],
    "ApiVersionsResponse": [3],
    "CreateTopicsRequest": [7],
    "DescribeTopicPartitionsRequest": [0],
    "FetchRequest": [17],
    "HeartbeatRequest": [3, 4],
    "InitProducerIdResponse": [4],
    "ProduceRequest": [9],
    "SaslAuthenticateRequest": [2],
}


class UncaughtError(Exception):
    """An error not caught by the harness, which ends it."""


def _at(is_at: Callable[[Json, Json], bool], answer: Json | BaseException) -> Mistake:
    """Return a mistake in place of some replies."""

    def mistake(_harness: "Harness", request: Json, reply: Json) -> Json:
        if not is_at(request, reply):
            return reply
        if isinstance(answer, BaseException):
            raise answer
        return answer

    return mistake


def _in_reply(part: str, change: Callable[[Any], Any]) -> Mistake:
    """Return a mistake in a part of each reply."""
    return lambda harness, request, reply: {**reply, part: change(reply[part])} if part in reply else reply


def _in_types(change: Callable[[Any], Any], *types: str) -> Mistake:
    """Return a mistake at every place of one of these types, except null."""

    def mistake(harness: "Harness", request: Json, reply: Json) -> Json:
        gives = lambda field, item: change(item) if field.type in types and item is not None else item  # noqa: E731
        body = harness.schema(request).body
        return _in_reply("value", lambda value: mapped_value(body, value, gives))(harness, request, reply)

    return mistake


def _leaves(form: Any) -> Iterator[Any]:
    """Yield every null, text, number and hex text of a form."""
    if isinstance(form, dict) and not form.keys() & {"utf16", "utf8"}:
        for item in form.values():
            yield from _leaves(item)
    elif isinstance(form, list):
        for item in form:
            yield from _leaves(item)
    else:
        yield form


def _gets(is_leaf: Callable[[Any], bool]) -> Callable[[Json, Json], bool]:
    """Return whether a request has such a part in its value."""
    return lambda request, _: any(map(is_leaf, _leaves(request.get("value", {}))))


def _asks(*asked: Any) -> Callable[[Json, Json], bool]:
    """Return whether a request is of this operation, and message, and version."""
    return lambda request, _: (request["op"], request["message"], request["version"])[: len(asked)] == asked


def _shows_producer(_request: Json, reply: Json) -> bool:
    return "ProducerId" in reply.get("value", {})


def _is_refusal(request: Json, reply: Json) -> bool:
    return request["op"] == "decode" and bool(reply["outcome"].startswith("rejected"))


def _rejected(name: str, text: str, outcome: str = "rejected") -> Json:
    return {"outcome": outcome, "class": name, "text": text}


def _fails(text: str) -> Json:
    return {"outcome": "harness-error", "text": text}


def _gives_up_in_four_ways(_harness: "Harness", request: Json, reply: Json) -> Json:
    reasons = {"HeartbeatRequest": "no group", "FetchRequest": "no topics", "ProduceRequest": "no acks"}
    return _fails(reasons.get(request["message"], "no converter")) if request["op"] == "encode" else reply


def _shows_defaults_for_a_refusal(harness: "Harness", request: Json, reply: Json) -> Json:
    schema = harness.schema(request)
    shown = {"outcome": "value", "value": to_json(schema, minimal(schema)), "consumed": 0}
    return shown if _is_refusal(request, reply) else reply


def _swapped(value: Json) -> Json:
    both = {"GroupId", "MemberId"} <= value.keys()
    return {**value, "GroupId": value["MemberId"], "MemberId": value["GroupId"]} if both else value


def _consumes_the_input(harness: "Harness", request: Json, reply: Json) -> Json:
    """Answer the length of the input, although the library leaves a byte after the message alone."""
    if request["op"] != "decode":
        return reply
    wire = bytes.fromhex(request["wire"])
    if reply["outcome"] == "rejected" and wire.endswith(b"\0"):
        schema = harness.schema(request)
        with suppress(CodecError):
            reply = {"outcome": "value", "value": to_json(schema, decode(schema, wire[:-1]).value)}
    return {**reply, "consumed": len(wire)} if "value" in reply else reply


def _of_bytes(rewrite: Callable[["Harness", Json, Json], bytes]) -> Mistake:
    """Return a mistake in the bytes of a value, by the value."""

    def mistake(harness: "Harness", request: Json, reply: Json) -> Json:
        if reply["outcome"] != "bytes":
            return reply
        value = decode(harness.schema(request), bytes.fromhex(reply["wire"])).value
        return {**reply, "wire": rewrite(harness, request, value).hex()}

    return mistake


def _without_group(harness: "Harness", request: Json, value: Json) -> bytes:
    return encode(
        harness.schema(request), value | ({"GroupId": ""} if request["message"] == "HeartbeatRequest" else {})
    )


def _in_version_before(harness: "Harness", request: Json, value: Json) -> bytes:
    before = harness.schema(request, less=1)
    return encode(before, _of_fields(before.body, value))


def _reads_the_version_before(harness: "Harness", request: Json, reply: Json) -> Json:
    if request["op"] != "decode":
        return reply
    schema = harness.schema(request)
    try:
        value = decode(harness.schema(request, less=1), bytes.fromhex(request["wire"])).value
    except CodecError as error:
        return _rejected("Malformed", str(error))
    return {"outcome": "value", "value": to_json(schema, _of_fields(schema.body, value)), "consumed": None}


def _of_fields(struct: FieldSchema, value: Any) -> Any:
    """Return the value with the fields of a struct, at their defaults if it lacks them."""
    if struct.element is not None and value is not None:
        return [_of_fields(struct.element, item) for item in value]
    if struct.type != "struct" or value is None:
        return value
    return {
        field.name: _of_fields(field, value[field.name]) if field.name in value else minimal_of(field)
        for field in struct.fields
    }


def _keeps_state(harness: "Harness", request: Json, reply: Json) -> Json:
    """Read into one object, and keep old content where the next value is empty."""
    if "value" in reply and request["op"] == "decode":
        kept = harness.kept.setdefault(request["message"], {})
        kept.update({name: item for name, item in reply["value"].items() if item not in ("", [], None, "0", 0)})
        return {**reply, "value": {**reply["value"], **kept}}
    return reply


MISTAKES: dict[str, Mistake] = {
    "int64-as-number": _in_types(int, "int64"),
    "int64-as-big-int": _at(_shows_producer, UncaughtError("TypeError: Do not know how to serialize a BigInt")),
    "int64-not-parsed": _at(
        _gets(lambda leaf: isinstance(leaf, str) and leaf.isdigit()),
        _rejected("TypeError", "Cannot mix BigInt and other types"),
    ),
    "float64-as-number": _in_types(lambda digits: 1.5, "float64"),
    "uuid-without-hyphens": _in_types(lambda text: text.replace("-", ""), "uuid"),
    "bytes-as-base64": _in_types(lambda text: base64.b64encode(bytes.fromhex(text)).decode() + "=", "bytes"),
    "records-as-array": _in_types(lambda text: list(bytes.fromhex(text)), "records"),
    "bool-as-number": _in_types(int, "bool"),
    "int16-as-text": _in_types(str, "int16"),
    "int32-as-fraction": _in_types(float, "int32"),
    "text-as-bytes": _in_types(lambda text: list(str(text).encode()), "string"),
    "utf16-not-understood": _at(
        _gets(lambda leaf: isinstance(leaf, dict)), {"outcome": "bytes", "wire": b"\x0f[object Object]".hex()}
    ),
    "utf16-raises": _at(
        _gets(lambda leaf: isinstance(leaf, dict)),
        _rejected("TypeError", "value.charCodeAt is not a function", "rejected-unclassified"),
    ),
    "exits-on-null": _at(_gets(lambda leaf: leaf is None), UncaughtError("NullPointerException: length")),
    "tags-as-object": _in_reply("value", lambda value: value | ({"_tags": {"5": "cafe"}} if "_tags" in value else {})),
    "field-left-out": _in_reply(
        "value", lambda value: {name: value[name] for name in value if name != "GroupInstanceId"}
    ),
    "field-renamed": _in_reply(
        "value", lambda value: {"memberId" if name == "MemberId" else name: value[name] for name in value}
    ),
    "own-code-fails": _at(
        lambda request, _: "Configs" in str(request.get("value")), _fails("Topics[0].Configs: no such field")
    ),
    "own-code-fails-in-four-ways": _gives_up_in_four_ways,
    "version-lacking": _at(
        _asks("encode", "HeartbeatRequest", 4), {"outcome": "unsupported", "text": "versions 0 to 3"}
    ),
    "version-refused": _at(
        _asks("decode", "HeartbeatRequest", 4), _rejected("KafkaError", "version 4 is not supported")
    ),
    "nothing-for-a-refusal": _at(_is_refusal, {"outcome": "value", "value": {}, "consumed": 0}),
    "defaults-for-a-refusal": _shows_defaults_for_a_refusal,
    "struct-as-array": _in_reply("value", lambda value: list(value.values())),
    "own-code-fails-for-a-refusal": _at(_is_refusal, _fails("KeyError: code")),
    "ends-on-everything": _at(_asks(), UncaughtError("NotImplementedError")),
    # and honest harnesses of wrong libraries
    "fields-swapped": _in_reply("value", _swapped),
    "double": _in_types(lambda digits: str(int(float(digits))), "int64"),
    "empty-array-as-null": lambda harness, request, reply: json.loads(json.dumps(reply).replace("[]", "null")),
    "refuses-everything": _at(_asks(), _rejected("KafkaError", "not today")),
    "library-aborts": _at(_shows_producer, KeyboardInterrupt()),
    "consumes-less-than-nothing": _in_reply("consumed", lambda _: -7),
    # and mistakes in the mapping, with replies that all have a valid form
    "consumes-the-input": _consumes_the_input,
    "consumes-one-too-many": _in_reply("consumed", lambda consumed: consumed + 1),
    "writes-a-header": _in_reply("wire", lambda wire: "000c000000000007" + wire),
    "writes-the-version-before": _of_bytes(_in_version_before),
    "reads-the-version-before": _reads_the_version_before,
    "keeps-state": _keeps_state,
    "field-not-looked-up": _of_bytes(_without_group),
    "own-code-refuses": _at(_asks("encode", "HeartbeatRequest"), _rejected("Error", "no converter")),
    "writes-nothing": lambda harness, request, reply: {**reply, "wire": ""} if "wire" in reply else reply,
    "value-not-shown": lambda harness, request, reply: (
        {"outcome": "value", "text": "more than JSON has"} if "value" in reply else reply
    ),
    "value-not-shown-for-a-refusal": _at(_is_refusal, {"outcome": "value", "text": "no JSON form"}),
    "none": lambda harness, request, reply: reply,
}


class Harness:
    """The reference with one mistake."""

    def __init__(self, mistake: str) -> None:
        self.release, self._handler = _reference()
        self._mistake = MISTAKES[mistake]
        self.kept: dict[str, Json] = {}

    def schema(self, request: Json, less: int = 0) -> MessageSchema:
        return self.release.schema(request["message"], max(request["version"] - less, 0))

    def answer(self, line: bytes) -> bytes:
        """Return the reply to one line.

        Raises:
            UncaughtError: the mistake ends the harness.
            KeyboardInterrupt: the library ends the process.
        """
        reply = json.loads(json.dumps(self._handler.reply(line)))
        if reply["outcome"] == "hello":
            return json.dumps(_introduced(reply)).encode()
        if reply["outcome"] not in {"protocol-error", "unsupported"}:
            reply = {"id": reply["id"], **self._mistake(self, json.loads(line), reply)}
        return json.dumps(reply).encode()


@cache
def _reference() -> tuple[Release, RequestServer]:
    release = load_release(RELEASE)
    return release, RequestServer(load_codec("conformance.adapters.reference", release), release)


def _introduced(hello: Json) -> Json:
    kept = {"hello", "encode", "decode"}
    return {**hello, "supports": {"encode": MESSAGES, "decode": MESSAGES}, "operations": sorted(kept)}
