"""The reference over the bridge, with one mistake in the JSON forms of its values.

Each mistake is a function that changes a reply, or answers a request in place of the reference. Its docstring names the
mistake of the harness's author.
"""

import base64
import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from conformance.codec.bridge.loading import load_adapter
from conformance.codec.bridge.request_server import RequestHandler
from conformance.codec.driver import Implementation
from reference import FieldSchema, Release, load_release, minimal, to_json
from tests.fakes.wrong_mappings import MAPPINGS
from tests.helpers.releases import BASE

Json = dict[str, Any]
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


def changed(field: FieldSchema, form: Any, types: frozenset[str], change: Callable[[Any], Any]) -> Any:
    """Return the form with a change at every place of one of these types, except null."""
    if form is None:
        return None
    if field.element is not None:
        return [changed(field.element, item, types, change) for item in form]
    if field.type == "struct":
        known = {inner.name: inner for inner in field.fields}
        return {
            name: changed(known[name], item, types, change) if name in known else item for name, item in form.items()
        }
    return change(form) if field.type in types else form


def _changes(change: Callable[[Any], Any], *types: str) -> Callable[["Harness", Json, Json], Json]:
    def on_reply(harness: "Harness", request: Json, reply: Json) -> Json:
        if "value" not in reply:
            return reply
        schema = harness.release.schema(request["message"], request["version"])
        return {**reply, "value": changed(schema.body, reply["value"], frozenset(types), change)}

    return on_reply


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


def _without(reply: Json, name: str) -> Json:
    if name not in reply.get("value", {}):
        return reply
    return {**reply, "value": {key: item for key, item in reply["value"].items() if key != name}}


def _swapped(reply: Json, first: str, second: str) -> Json:
    value = reply.get("value", {})
    if not {first, second} <= value.keys():
        return reply
    return {**reply, "value": {**value, first: value[second], second: value[first]}}


def kills_with_big_int(harness: "Harness", request: Json, reply: Json) -> Json:
    """It keeps int64 as BigInt, refused by JSON.stringify, and catches nothing."""
    if "ProducerId" in reply.get("value", {}):
        raise UncaughtError("TypeError: Do not know how to serialize a BigInt")
    return reply


def exits_on_null(harness: "Harness", request: Json, reply: Json) -> Json:
    """It takes the length of null."""
    if None in _leaves(request.get("value", {})):
        raise UncaughtError("NullPointerException: length")
    return reply


def writes_objects_as_text(harness: "Harness", request: Json, reply: Json) -> Json:
    """It knows no text in hex, and writes the default text of such an object in its language."""
    if any(isinstance(leaf, dict) for leaf in _leaves(request.get("value", {}))):
        return {"outcome": "bytes", "wire": b"\x0f[object Object]".hex()}
    return reply


def raises_on_hex_text(harness: "Harness", request: Json, reply: Json) -> Json:
    """It knows no text in hex, and reports the error of its own code as a refusal."""
    if any(isinstance(leaf, dict) for leaf in _leaves(request.get("value", {}))):
        return {"outcome": "rejected-unclassified", "class": "TypeError", "text": "value.charCodeAt is not a function"}
    return reply


def takes_digits_for_numbers(harness: "Harness", request: Json, reply: Json) -> Json:
    """It passes decimal text on as text."""
    if any(str(leaf).isdigit() and isinstance(leaf, str) for leaf in _leaves(request.get("value", {}))):
        return {"outcome": "rejected", "class": "TypeError", "text": "Cannot mix BigInt and other types"}
    return reply


def gives_up(harness: "Harness", request: Json, reply: Json) -> Json:
    """It reports a failure of its own code."""
    if "Configs" in str(request.get("value")):
        return {"outcome": "harness-error", "text": "Topics[0].Configs: no such field"}
    return reply


def gives_up_in_four_ways(harness: "Harness", request: Json, reply: Json) -> Json:
    """It reports failures of its own code, one for each of four messages."""
    reasons = {"HeartbeatRequest": "no group", "FetchRequest": "no topics", "ProduceRequest": "no acks"}
    reason = reasons.get(request["message"], "no converter")
    return {"outcome": "harness-error", "text": reason} if request["op"] == "encode" else reply


def lacks_a_version(harness: "Harness", request: Json, reply: Json) -> Json:
    """It lists a version that its library does not have."""
    if (request["op"], request["message"], request["version"]) == ("encode", "HeartbeatRequest", 4):
        return {"outcome": "unsupported", "text": "versions 0 to 3"}
    return reply


def refuses_a_version(harness: "Harness", request: Json, reply: Json) -> Json:
    """It lists a version that its library refuses by an error."""
    if (request["op"], request["message"], request["version"]) == ("decode", "HeartbeatRequest", 4):
        return {"outcome": "rejected", "class": "KafkaError", "text": "version 4 is not supported"}
    return reply


def shows_nothing_for_a_refusal(harness: "Harness", request: Json, reply: Json) -> Json:
    """It drops an error of the library, and shows an object without fields."""
    is_refused = request["op"] == "decode" and reply["outcome"].startswith("rejected")
    return {"outcome": "value", "value": {}, "consumed": 0} if is_refused else reply


def shows_defaults_for_a_refusal(harness: "Harness", request: Json, reply: Json) -> Json:
    """It drops an error of the library, and shows a struct as it was made."""
    if request["op"] != "decode" or not reply["outcome"].startswith("rejected"):
        return reply
    schema = harness.release.schema(request["message"], request["version"])
    return {"outcome": "value", "value": to_json(schema, minimal(schema)), "consumed": 0}


def ends_on_everything(harness: "Harness", request: Json, reply: Json) -> Json:
    """It never answers."""
    if request["op"] == "hello":
        return reply
    raise UncaughtError("NotImplementedError")


def refuses_everything(harness: "Harness", request: Json, reply: Json) -> Json:
    """It reports honestly that its library refuses everything."""
    if request["op"] == "hello":
        return reply
    return {"outcome": "rejected", "class": "KafkaError", "text": "not today"}


def aborts(harness: "Harness", request: Json, reply: Json) -> Json:
    """It is honest about a library that aborts the process on some values."""
    if "ProducerId" in reply.get("value", {}):
        raise KeyboardInterrupt
    return reply


MISTAKES: dict[str, Callable[["Harness", Json, Json], Json]] = {
    "int64-as-number": _changes(int, "int64"),
    "int64-as-big-int": kills_with_big_int,
    "int64-not-parsed": takes_digits_for_numbers,
    "float64-as-number": _changes(lambda digits: 1.5, "float64"),
    "uuid-without-hyphens": _changes(lambda text: text.replace("-", ""), "uuid"),
    "bytes-as-base64": _changes(lambda text: base64.b64encode(bytes.fromhex(text)).decode() + "=", "bytes"),
    "records-as-array": _changes(lambda text: list(bytes.fromhex(text)), "records"),
    "bool-as-number": _changes(int, "bool"),
    "int16-as-text": _changes(str, "int16"),
    "int32-as-fraction": _changes(float, "int32"),
    "text-as-bytes": _changes(lambda text: list(str(text).encode()), "string"),
    "utf16-not-understood": writes_objects_as_text,
    "utf16-raises": raises_on_hex_text,
    "exits-on-null": exits_on_null,
    "tags-as-object": lambda harness, request, reply: (
        {**reply, "value": {**reply["value"], "_tags": {"5": "cafe"}}} if "_tags" in reply.get("value", {}) else reply
    ),
    "field-left-out": lambda harness, request, reply: _without(reply, "GroupInstanceId"),
    "field-renamed": lambda harness, request, reply: (
        {**_without(reply, "MemberId"), "value": {**_without(reply, "MemberId")["value"], "memberId": ""}}
        if "MemberId" in reply.get("value", {})
        else reply
    ),
    "own-code-fails": gives_up,
    "own-code-fails-in-four-ways": gives_up_in_four_ways,
    "version-lacking": lacks_a_version,
    "version-refused": refuses_a_version,
    "nothing-for-a-refusal": shows_nothing_for_a_refusal,
    "defaults-for-a-refusal": shows_defaults_for_a_refusal,
    "ends-on-everything": ends_on_everything,
    # and honest harnesses of wrong libraries
    "fields-swapped": lambda harness, request, reply: _swapped(reply, "GroupId", "MemberId"),
    "double": _changes(lambda digits: str(int(float(digits))), "int64"),
    "empty-array-as-null": lambda harness, request, reply: json.loads(json.dumps(reply).replace("[]", "null")),
    "refuses-everything": refuses_everything,
    "library-aborts": aborts,
    "consumes-less-than-nothing": lambda harness, request, reply: (
        {**reply, "consumed": -7} if "consumed" in reply else reply
    ),
    **MAPPINGS,
    "none": lambda harness, request, reply: reply,
}


class Harness:
    """The reference with one mistake."""

    def __init__(self, mistake: str) -> None:
        self.release, self._handler = _reference()
        self._mistake = MISTAKES[mistake]
        self.kept: dict[str, Json] = {}

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
def _reference() -> tuple[Release, RequestHandler]:
    release = load_release(RELEASE)
    return release, RequestHandler(Implementation(load_adapter("conformance.adapters.reference", release)), release)


def _introduced(hello: Json) -> Json:
    kept = {"hello", "encode", "decode"}
    return {**hello, "supports": {"encode": MESSAGES, "decode": MESSAGES}, "operations": sorted(kept)}
