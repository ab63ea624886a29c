"""The writer of messages of magic 0 and 1, and of wrappers of them."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any
from zlib import crc32

from tests.mutants.single_faults.records.changes import Value
from tests.mutants.single_faults.records.messages import CHANGED_MESSAGES
from tests.mutants.single_faults.records.numbers import written_fixed
from tests.mutants.single_faults.records.streams import CODECS, compressed
from tests.mutants.single_faults.records.switch import Refused, Switch

CRCS = {"wrong": 1, "wrong-high": 1 << 31, "wrong-byte-1": 1 << 24, "wrong-byte-2": 1 << 16, "wrong-byte-3": 1 << 8}
"""Bits by which a checksum is wrong."""
NAMES = {"magic", "offset", "compression", "unusedAttributes", "key"}
OF_TIME = {"timestampType", "timestamp"}
TYPES = ("create", "log-append")


def written_message(message: Value, switch: Switch, *, checked: bool, inner: bool = False) -> bytes:
    """Return the bytes of a message with its offset and size; `inner`: of one in a wrapper.

    Raises:
        Refused: no writer may write it.
    """
    magic = message["magic"]
    if magic not in (0, 1):
        raise Refused
    names = {f"magic-{magic}"}
    names |= {"log-append"} if message.get("timestampType") == "log-append" else set()
    with switch.within(*names):
        if checked:
            _check(message, switch, inner=inner)
        change, _, what = switch.at("message").partition("=")
        if change == "changed":
            message = deepcopy(message)
            CHANGED_MESSAGES[what](message)
        return _written(message, switch, checked=checked)


def _check(message: Value, switch: Switch, *, inner: bool) -> None:
    codec, left_out = message["compression"], switch.at("message.check")
    content = "value" if codec == "none" else "messages"
    if set(message) != NAMES | {content} | (OF_TIME if message["magic"] else set()):
        raise Refused
    if codec not in ("none", *CODECS):
        raise Refused
    if inner and codec != "none" and left_out != "nested":
        raise Refused
    for name, is_broken in MESSAGE_CHECKS.items():
        if name != left_out and is_broken(message):
            raise Refused


def _offset_below(message: Value) -> bool:
    messages = message.get("messages")
    if not messages or not message["magic"] or type(message["offset"]) is not int:
        return False
    return bool(0 != message["offset"] < messages[-1]["offset"])


MESSAGE_CHECKS: dict[str, Callable[[Value], Any]] = {
    "zstd": lambda message: message["compression"] == "zstd",
    "no-messages": lambda message: message["compression"] != "none" and not message["messages"],
    "offset-below-the-last": _offset_below,
    "timestamp-below-none": lambda message: type(message.get("timestamp")) is int and message["timestamp"] < -1,
    "other-magic": lambda message: any(each.get("magic") != message["magic"] for each in message.get("messages") or ()),
}
"""What no writer may write."""


def _written(message: Value, switch: Switch, *, checked: bool) -> bytes:
    codec = _codec(message["compression"], switch)
    body = bytes([message["magic"], codec | _attributes(message, switch)])
    if message["magic"]:
        body += written_fixed(switch, "message.timestamp", message["timestamp"], 8)
    body += _bytes(switch, "message.key", message["key"])
    if "messages" in message:
        body += _bytes(switch, "message.wrapped", _wrapped(message, switch, checked=checked))
    else:
        body += _bytes(switch, "message.value", message["value"])
    body += bytes.fromhex(switch.at("message.rest"))
    wrong = switch.at("message.crc").removeprefix("of-wrappers-" if "messages" in message else "")
    crc = (crc32(body) ^ CRCS.get(wrong, 0)).to_bytes(4, "big")
    also = {"also-zero": bytes(4), "also-without-the-magic": crc32(body[1:]).to_bytes(4, "big")}
    crc = also.get(switch.at("message.crc"), crc)
    size = 4 + len(body) + {"one-more": 1, "one-less": -1, "overhead-counted": 12}.get(switch.at("message.size"), 0)
    head = written_fixed(switch, "message.offset", message["offset"], 8)
    return head + written_fixed(switch, "message.size", size, 4) + crc + body


def _codec(name: str, switch: Switch) -> int:
    wrong = switch.at("message.codec")
    return int(wrong) if wrong.isdigit() else ("none", *CODECS).index(name)


def _attributes(message: Value, switch: Switch) -> int:
    unused, first = message["unusedAttributes"], 4 if message["magic"] else 3
    if not isinstance(unused, int) or not 0 <= unused < 1 << 8 - first:
        raise Refused
    attributes = 0 if switch.at("message.unused") == "dropped" else unused << first
    if message["magic"]:
        wrong, type_ = switch.at("message.timestampType"), message["timestampType"]
        if type_ not in TYPES:
            raise Refused
        is_set = (type_ == "log-append" or wrong == "always") and wrong != "dropped"
        attributes |= is_set << 3
    return attributes


def _bytes(switch: Switch, place: str, data: Any) -> bytes:
    wrong = switch.at(place)
    if data is not None and not isinstance(data, bytes):
        raise Refused
    if (data is None and wrong == "null-refused") or (data == b"" and wrong == "empty-refused"):
        raise Refused
    if wrong == "null-as-empty":
        data = data or b""
    if data is None or (wrong == "empty-as-null" and not data):
        return written_fixed(switch, place, -1, 4)
    size = len(data) + {"one-more": 1, "one-less": -1}.get(wrong, 0)
    return written_fixed(switch, place, size, 4) + (b"" if wrong.startswith("=-") else data)


def _wrapped(message: Value, switch: Switch, *, checked: bool) -> bytes:
    if not isinstance(message["messages"], list | tuple):
        raise Refused
    data = b""
    with switch.within("in-a-wrapper"):
        for index, each in enumerate(message["messages"]):
            with switch.within(*(["second-message"] if index else [])):
                data += written_message(each, switch, checked=checked, inner=True)
    wrong = switch.at("wrapper")
    data = data[:-3] if wrong == "last-cut" else data + bytes.fromhex(wrong if wrong.isdigit() else "")
    with switch.within(str(message["compression"])):
        return compressed(message["compression"], data, switch, legacy=not message["magic"])
