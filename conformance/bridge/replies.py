"""Replies of the bridge protocol as outcomes. A reply that is not of the protocol is the outcome `protocol-error`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.implementation.outcome import Kind, Outcome
from conformance.implementation.plain_values import printable, short_repr
from reference import NotJsonForm

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.bridge.protocol import Message


def write_outcome(reply: Message) -> Outcome:
    """Return the outcome of a request to encode."""
    outcome = plain_outcome(reply)
    if outcome.kind not in {Kind.BYTES, Kind.VALUE}:
        return outcome
    try:
        return Outcome(Kind.BYTES, wire=bytes.fromhex(reply["wire"]))
    except (KeyError, TypeError, ValueError):
        return _not_of_the_protocol("a reply without its bytes in hex", reply)


def read_outcome(reply: Message, parse: Callable[[Message], Any]) -> Outcome:
    """Return the outcome of a request to decode.

    A value without a JSON form, or in another form than the definition's, is still a value: the outcome has a text and
    no content then.

    Args:
        reply: to the request.
        parse: returns the content of a reply that has the key `value`, or raises NotJsonForm.
    """
    outcome = plain_outcome(reply)
    if outcome.kind is Kind.BYTES:
        return _not_of_the_protocol("a reply with bytes to a request with bytes", reply)
    if outcome.kind is not Kind.VALUE or "value" not in reply:
        return outcome
    consumed = reply.get("consumed")
    if consumed is not None and (type(consumed) is not int or consumed < 0):
        return _not_of_the_protocol("a reply whose count of consumed bytes is none", reply)
    try:
        return Outcome(Kind.VALUE, value=parse(reply), consumed=consumed, text=outcome.text)
    except NotJsonForm as error:
        return Outcome(Kind.VALUE, text=printable(f"no value of the definition: {error}"))


def plain_outcome(reply: Message) -> Outcome:
    """Return the outcome of a reply without its bytes or value: kind, text and reason."""
    try:
        kind = Kind(reply["outcome"])
    except (KeyError, ValueError):
        return _not_of_the_protocol("a reply without an outcome of the protocol", reply)
    text = ": ".join(_one_line(reply[key]) for key in ("class", "text") if reply.get(key))
    return Outcome(kind, text=text, reason=printable(str(reply.get("reason", ""))))


def _one_line(text: Any) -> str:
    return printable(" ".join(str(text).split()))


def _not_of_the_protocol(problem: str, reply: Message) -> Outcome:
    return Outcome(Kind.PROTOCOL_ERROR, text=f"{problem}: {short_repr(reply):.200}")
