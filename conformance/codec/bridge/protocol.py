"""The terms of the bridge protocol and its JSON Schemas.

docs/reference/bridge.md describes the protocol. A reply outside of it has the outcome `protocol-error`.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.system.printable import printable
from conformance.system.unpacked import extracted_path
from conformance.targets import DECODE, ENCODE
from conformance.targets.outcome import Kind, Outcome
from conformance.targets.plain_values import short_repr
from reference import NotJsonForm
from reference.inputs.json_text import packaged_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jsonschema.protocols import Validator

    from conformance.targets import Ask
    from reference import Release

PROTOCOL = 1
"""The version of the protocol in this client."""

HELLO = "hello"
"""An operation, and the outcome of its reply."""

LOCK_STEP = "lockStep"
"""A key of `hello` and of its reply."""

PROTOCOL_ERROR = "protocol-error"
UNSUPPORTED = "unsupported"

Message = dict[str, Any]


def hello_request(release: Release, protocol: int = PROTOCOL, *, lock_step: bool = False) -> Message:
    """Return the first request, with the version of the protocol and the folder of the release's definitions.

    With `lock_step` it asks for each reply before the next request is taken up.
    """
    request = {"op": HELLO, "protocol": protocol, "definitions": str(extracted_path(Path(str(release.folder))))}
    return {**request, LOCK_STEP: True} if lock_step else request


def request_problem(request: Any) -> str | None:
    """Return the first mistake in a request by its schema, or None if it is valid."""
    return _problem("request", request)


def reply_problem(request: Mapping[str, Any], reply: Any) -> str | None:
    """Return the first mistake in the reply to a request by its schema, or None if it is valid."""
    problem = _problem("reply", reply)
    if problem is not None or reply["outcome"] not in _SUCCESSES:
        return problem
    return _problem(f"{request.get('op')}-reply", reply)


_HUGE = re.compile(r"-?[0-9]{20,}")
_SUCCESSES = frozenset((HELLO, "bytes", "value"))


def _problem(name: str, document: Any) -> str | None:
    schemas = schema_document()["$defs"]
    if name not in schemas:
        return f"nothing is defined as {name}"
    from jsonschema.exceptions import best_match  # noqa: PLC0415  # a third of the start of a child that needs none

    error = best_match(_validator(name).iter_errors(document))
    if error is None:
        return None
    place = "".join(f"[{part!r}]" for part in error.absolute_path)
    return f"{place or 'the object'}: {error.message}"


@cache
def schema_document() -> Message:
    """Return the JSON Schemas of all messages of the protocol, by name under `$defs`."""
    document: Message = packaged_json("conformance.codec.bridge", "protocol.schema.json")
    return document


def _validator(name: str) -> Validator:
    from reference.inputs.schemas import packaged  # noqa: PLC0415  # a third of the start of a child that needs none

    return packaged("conformance.codec.bridge", "protocol.schema.json", name)


def write_outcome(reply: Message) -> Outcome:
    """Return the outcome of a request to encode."""
    if reply.get("outcome") not in _ANSWERS:
        return plain_outcome(reply)
    try:
        wire = bytes.fromhex(reply["wire"])
    except (KeyError, TypeError, ValueError):
        wire = None
    if wire is None or wire.hex() != reply["wire"]:
        return _not_of_the_protocol("a reply without its bytes in hex in lower case", reply)
    return Outcome(Kind.BYTES, wire=wire)


def outcome_of_reply(ask: Ask, reply: Message, parse: Callable[[Message], Any] | None = None) -> Outcome:
    """Return the outcome in the reply to a request, in which `parse` may know the content without its target."""
    if ask.what == ENCODE:
        return write_outcome(reply)
    if ask.what == DECODE:
        return read_outcome(reply, parse or ask.target.parse)
    outcome = plain_outcome(reply)
    return ask.target.taken(ask.what, reply.get("value")) if outcome.kind in _ANSWERS else outcome


def read_outcome(reply: Message, parse: Callable[[Message], Any]) -> Outcome:
    """Return the outcome of a request to decode.

    A value in another form than the definition's, for which `parse` raises NotJsonForm, is a mistake of the harness. A
    number beyond every type is a value all the same: the outcome then has a text and no content.
    """
    outcome = plain_outcome(reply)
    if outcome.kind is Kind.BYTES:
        return _not_of_the_protocol("a reply with bytes to a request with bytes", reply)
    if outcome.kind is not Kind.VALUE or "value" not in reply:
        return outcome
    consumed = reply.get("consumed")
    if consumed is not None and type(consumed) is not int:
        return _not_of_the_protocol("a reply whose count of consumed bytes is none", reply)
    try:
        return Outcome(Kind.VALUE, value=parse(reply), consumed=consumed, text=outcome.text)
    except NotJsonForm as error:
        place, got = error.path or "the value", json.dumps(error.got)
        kind, value = (Kind.VALUE, None) if _is_huge(error) else (Kind.PROTOCOL_ERROR, error.value)
        return Outcome(kind, None, value, consumed, printable(f"{place}: expected {error.expected}, got {got:.80}"))


def _is_huge(error: NotJsonForm) -> bool:
    """Whether a form is a number beyond every type. The form is then right, and the implementation wrong."""
    form, is_number = error.got, error.expected.endswith("a decimal string")
    return is_number and isinstance(form, str) and _HUGE.fullmatch(form) is not None


def plain_outcome(reply: Message) -> Outcome:
    """Return the outcome of a reply without its bytes or value, with kind, text and reason."""
    try:
        kind = Kind(reply["outcome"])
    except (KeyError, ValueError):
        return _not_of_the_protocol("a reply without an outcome of the protocol", reply)
    if reply.keys().isdisjoint(_SAYS):
        return _PLAIN[kind]
    return _text_of(kind, *(str(reply.get(key) or "") for key in _SAYS))


# a library has few texts
@lru_cache(maxsize=256)
def _text_of(kind: Kind, *words: str) -> Outcome:
    *texts, reason = words
    return Outcome(kind, text=": ".join(_one_line(text) for text in texts if text), reason=printable(reason))


_ANSWERS = (Kind.BYTES, Kind.VALUE)
"""The outcomes with bytes or a value, in no set, as a reply may have an outcome without a hash."""

_SAYS = ("class", "text", "reason")
"""The keys of a reply with words; most replies have none."""

_PLAIN = {kind: Outcome(kind) for kind in Kind}


def _one_line(text: str) -> str:
    return printable(" ".join(text.split()))


def _not_of_the_protocol(problem: str, reply: Message) -> Outcome:
    return Outcome(Kind.PROTOCOL_ERROR, text=f"{problem}: {short_repr(reply):.200}")
