"""The reader of messages of magic 0 and 1, and of wrappers of them.

offset 8, size 4, CRC 4, magic 1, attributes 1, in magic 1 a timestamp 8, length 4, key, length 4, value
"""

from __future__ import annotations

from typing import Any
from zlib import crc32

from tests.mutants.single_faults.records.changes import Value
from tests.mutants.single_faults.records.numbers import Cursor
from tests.mutants.single_faults.records.streams import CODECS, decompressed
from tests.mutants.single_faults.records.switch import Refused, Switch

ENTRY, SMALLEST = 12, 14
HIGHEST_CODEC = 3
"""Zstd came after message sets."""


def read_message(chunk: bytes, switch: Switch, *, inner: bool = False) -> Value:
    """Return the value of one message with its offset and size; `inner`: of one in a wrapper.

    Raises:
        Refused: the bytes are invalid.
    """
    magic, attributes = chunk[16], chunk[17]
    with switch.within(f"magic-{magic}", *(["log-append"] if magic and attributes & 8 else [])):
        codec = _codec(attributes & 7, switch, inner=inner)
        _check_crc(chunk, switch, is_wrapper=codec != "none")
        message = _fields(chunk, codec, switch)
        if codec != "none":
            message["messages"] = _unwrapped(message, codec, switch)
        _check(message, switch)
        return message


def _check(message: Value, switch: Switch) -> None:
    action, _, what = switch.at("message").partition("=")
    if action == "refused" and REFUSED_MESSAGES[what](message):
        raise Refused
    if action == "changed":
        CHANGED_MESSAGES[what](message)


def _codec(number: int, switch: Switch, *, inner: bool) -> str:
    wrong = switch.at("message.codec")
    if wrong.startswith(f"{number}-as-"):
        return wrong.partition("-as-")[2]
    most = HIGHEST_CODEC + (wrong == "zstd-taken")
    if number > most or wrong == f"{number}-refused" or (inner and number and wrong != "nested-taken"):
        raise Refused
    return ("none", *CODECS)[number]


def _check_crc(chunk: bytes, switch: Switch, *, is_wrapper: bool) -> None:
    """Compare the checksum; a consumer does not compare that of a wrapper."""
    wrong, right, stored = switch.at("message.crc"), crc32(chunk[16:]).to_bytes(4, "big"), chunk[12:16]
    part = {"left-out": slice(0), "high-half": slice(2), "low-half": slice(2, 4), "last-byte": slice(3, 4)}
    compared = part.get(wrong, slice(4))
    also = bytes(4) if wrong == "also-zero" else crc32(chunk[17:]).to_bytes(4, "big")
    is_taken = wrong in {"also-zero", "also-without-the-magic"} and stored == also
    is_compared = not is_wrapper or wrong == "of-wrappers-compared"
    if is_compared and stored[compared] != right[compared] and not is_taken:
        raise Refused


def _fields(chunk: bytes, codec: str, switch: Switch) -> Value:
    cursor, magic, attributes = Cursor(chunk, switch), chunk[16], chunk[17]
    message: Value = {"magic": magic, "offset": cursor.fixed("message.offset", 8), "compression": codec}
    cursor.at = 18
    if magic:
        log_append = attributes & 8 and switch.at("message.timestampType") != "dropped"
        if attributes & 8 and switch.at("message.timestampType") == "refused":
            raise Refused
        message["timestampType"] = "log-append" if log_append else "create"
        message["timestamp"] = cursor.fixed("message.timestamp", 8)
    message["unusedAttributes"] = _unused(attributes, switch, 4 if magic else 3)
    message["key"] = _bytes(cursor, "message.key")
    value = _bytes(cursor, "message.wrapped" if codec != "none" else "message.value")
    message["messages" if codec != "none" else "value"] = value
    if cursor.left and switch.at("message.rest") == "refused":
        raise Refused
    return message


def _unused(attributes: int, switch: Switch, first: int) -> int:
    for bit in range(first, 8):
        wrong = switch.at(f"message.unused-{bit}")
        if attributes >> bit & 1 and wrong == "refused":
            raise Refused
        if wrong == "dropped":
            attributes &= ~(1 << bit)
    return attributes >> first


def _bytes(cursor: Cursor, place: str) -> bytes | None:
    length, wrong = cursor.fixed(place, 4), cursor.switch.at(place)
    if length < 0:
        if wrong == "null-refused" or (wrong == "below-null-refused" and length < -1):
            raise Refused
        return b"" if wrong == "null-as-empty" else None
    if length > cursor.left:
        if wrong not in {"beyond-cut", "beyond-as-null"}:
            raise Refused
        length = cursor.left if wrong == "beyond-cut" else 0
        cursor.at += 0 if wrong == "beyond-cut" else cursor.left
        return cursor.take(length) if wrong == "beyond-cut" else None
    if not length and wrong == "empty-refused":
        raise Refused
    data = cursor.take(length)
    return None if wrong == "empty-as-null" and not data else data


def _unwrapped(wrapper: Value, codec: str, switch: Switch) -> list[Value]:
    stored, wrong = wrapper["messages"], switch.at("wrapper")
    if stored is None:
        if wrong == "null-as-empty":
            return []
        raise Refused
    with switch.within(codec):
        data = decompressed(codec, stored, switch, legacy=not wrapper["magic"])
    chunks = list(_chunks(data, switch, wrong))
    _check_offset(wrapper, chunks, switch)
    with switch.within("in-a-wrapper"):
        messages = [_inner(chunk, switch, index) for index, chunk in enumerate(chunks)]
    if not messages and wrong != "empty-taken":
        raise Refused
    if wrong == "other-magic-refused" and any(each["magic"] != wrapper["magic"] for each in messages):
        raise Refused
    return messages[:1] if wrong == "second-message-ignored" else messages


def _inner(chunk: bytes, switch: Switch, index: int) -> Value:
    with switch.within(*(["second-message"] if index else [])):
        return read_message(chunk, switch, inner=True)


def _chunks(data: bytes, switch: Switch, wrong: str) -> Any:
    """Yield the messages of a set; one that is cut is dropped."""
    cursor = Cursor(data, switch)
    while cursor.left >= ENTRY:
        size = int.from_bytes(data[cursor.at + 8 : cursor.at + ENTRY], "big", signed=True)
        if size < SMALLEST:
            if wrong == "short-as-the-end":
                return
            raise Refused
        if cursor.left < ENTRY + size:
            break
        yield cursor.take(ENTRY + size)
    if cursor.left and wrong == "cut-message-refused":
        raise Refused


def _check_offset(wrapper: Value, chunks: list[bytes], switch: Switch) -> None:
    """Compare the offset of a wrapper of magic 1 with that of its last message; 0 means that they count from 0."""
    wrong, offset = switch.at("wrapper.offset"), wrapper["offset"]
    if not chunks:
        return
    first, last = (int.from_bytes(chunk[:8], "big", signed=True) for chunk in (chunks[0], chunks[-1]))
    refused = {
        "zero-refused": offset == 0 and last > 0,
        "above-the-last-refused": offset > last,
        "not-the-last-refused": offset != last,
        "first-not-0-refused": first != 0,
        "gaps-refused": last - first != len(chunks) - 1,
        "below-the-last-in-magic-0-refused": not wrapper["magic"] and offset < last,
    }
    is_below = wrapper["magic"] and offset != 0 and offset < last
    if refused.get(wrong, False) or (is_below and wrong != "left-out"):
        raise Refused


def _messages(message: Value) -> list[Value]:
    messages: list[Value] = message.get("messages", [])
    return messages


REFUSED_MESSAGES: dict[str, Any] = {
    "key-of-a-wrapper": lambda message: "messages" in message and message["key"] is not None,
    "one-message-in-a-wrapper": lambda message: len(_messages(message)) == 1,
    "more-than-two-messages": lambda message: len(_messages(message)) > 2,
    "inner-log-append": lambda message: any(each.get("timestampType") == "log-append" for each in _messages(message)),
    "wrapper-log-append": lambda message: "messages" in message and message.get("timestampType") == "log-append",
    "wrapper-time-not-the-highest": lambda message: (
        "messages" in message
        and "timestamp" in message
        and message["timestamp"] < max(each.get("timestamp", -1) for each in _messages(message))
    ),
    "inner-offsets-that-descend": lambda message: (
        (offsets := [each["offset"] for each in _messages(message)]) != sorted(offsets)
    ),
    "no-timestamp": lambda message: message.get("timestamp") == -1,
    "timestamp-0": lambda message: message.get("timestamp") == 0,
    "offset-0": lambda message: message["offset"] == 0,
    "offset-above-31-bits": lambda message: message["offset"] > 2**31 - 1,
    "key-and-value-null": lambda message: message["key"] is None and message.get("value", b"") is None,
    "key-of-128": lambda message: len(message["key"] or b"") >= 128,
    "value-of-256": lambda message: len(message.get("value") or b"") >= 256,
    "value-of-65536": lambda message: len(message.get("value") or b"") >= 65536,
}
"""Valid messages, each with something that a reader may take exception to."""


def _changed_inside(name: str, of: Any) -> Any:
    return lambda message: [each.update({name: of(message, each)}) for each in _messages(message) if name in each]


CHANGED_MESSAGES: dict[str, Any] = {
    "time-of-the-wrapper": _changed_inside("timestamp", lambda wrapper, each: wrapper["timestamp"]),
    "type-of-the-wrapper": _changed_inside("timestampType", lambda wrapper, each: wrapper["timestampType"]),
    "offsets-of-the-wrapper-added": _changed_inside(
        "offset", lambda wrapper, each: each["offset"] + wrapper["offset"] - wrapper["messages"][-1]["offset"]
    ),
    "offsets-from-the-first": lambda message: [
        each.update(offset=each["offset"] - _messages(message)[0]["offset"]) for each in reversed(_messages(message))
    ],
    "key-of-the-wrapper-lost": lambda message: "messages" in message and message.update(key=None),
    "wrapper-time-from-the-messages": lambda message: (
        "messages" in message
        and message["magic"]
        and message.update(timestamp=max(each.get("timestamp", -1) for each in _messages(message)))
    ),
    "messages-reversed": lambda message: _messages(message).reverse(),
    "nulls-lost": lambda message: (
        "messages" in message
        and message.update(messages=[each for each in _messages(message) if each.get("value", b"") is not None])
    ),
}
"""Changes of messages after they were read."""
