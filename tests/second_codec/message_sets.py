"""Messages of magic 0 and 1, and wrappers of them, read and written by chapter 16 of the book.

offset 8, size 4, CRC 4, magic 1, attributes 1, in magic 1 a timestamp 8, length 4, key, length 4, value

The contexts are `magic-0`, `magic-1`, `log-append`, `in-a-wrapper` and `second-message`.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from zlib import crc32

from tests.second_codec.record_checks import MESSAGE_CHECKS
from tests.second_codec.steps import Input, Output
from tests.second_codec.streams import CODECS, compressed, decompressed
from tests.second_codec.ways import CONTENT, CRC, Counting, NotTaken

Value = dict[str, Any]
ENTRY, SMALLEST = 12, 14
LOG_APPEND = 8
HIGHEST_CODEC = 3
"""The codec before zstd, which came after message sets."""
NAMES = {"magic", "offset", "compression", "unusedAttributes", "key"}
OF_TIME = {"timestampType", "timestamp"}
TYPES = ("create", "log-append")
CODEC_NAMES = ("none", *CODECS)
NULLABLE = replace(Counting(), nullable=True)


def read_message(source: Input, chunk: bytes, *, inner: bool = False) -> Value:
    """Read one message with its offset and size, an `inner` one in a wrapper."""
    magic, attributes = chunk[16], chunk[17]
    with source.within(f"magic-{magic}", *["log-append"] * bool(magic and attributes & LOG_APPEND)):
        number = source.changed("message.codec", attributes & 7)
        source.check("message.codec", number > HIGHEST_CODEC, number)
        source.check("message.nested", inner and number > 0)
        stored, right = chunk[12:16], crc32(chunk[16:]).to_bytes(4)
        source.check("message.crc", number == 0 and stored != right, chunk)  # no consumer compares that of a wrapper
        message = _fields(source.inside(chunk), CODEC_NAMES[number])
        source.accept("message", message)
        changed: Value = source.changed("message", message)
        return changed


def _fields(source: Input, codec: str) -> Value:
    magic = source.data[16]
    message: Value = {"magic": magic, "offset": source.fixed("message.offset", 8), "compression": codec}
    source.at = 17
    attributes = source.changed("message.attributes", source.take(1)[0])
    source.accept("message.attributes", attributes)
    if magic:
        message["timestampType"] = TYPES[bool(attributes & LOG_APPEND)]
        message["timestamp"] = source.fixed("message.timestamp", 8)
    message["unusedAttributes"] = attributes >> (4 if magic else 3)
    message |= _contents(source, codec)
    source.accept("message.rest", source.left)
    return message | ({"messages": _unwrapped(source, message, codec)} if codec != "none" else {})


def _contents(source: Input, codec: str) -> Value:
    names = {"key": "message.key", "value": "message.value"}
    if codec != "none":
        names = {"key": "message.key", "messages": "message.wrapped"}
    order = source.changed("message.fields", list(names))
    return {name: source.blob(names[name], NULLABLE) for name in order}


def _unwrapped(source: Input, wrapper: Value, codec: str) -> list[Value]:
    stored = wrapper["messages"]
    source.check("wrapper.null", stored is None)
    if stored is None:
        return []
    with source.within(codec):
        data = decompressed(source, codec, stored)
    chunks = list(_chunks(source, data))
    offsets = [int.from_bytes(chunk[:8], signed=True) for chunk in chunks]
    is_below = wrapper["magic"] and 0 != wrapper["offset"] < (offsets or [0])[-1]
    source.check("wrapper.offset", bool(offsets and is_below), wrapper, offsets)
    with source.within("in-a-wrapper"):
        messages = [_inner(source, chunk, index) for index, chunk in enumerate(chunks)]
    source.check("wrapper.messages", not messages, wrapper, messages)
    read: list[Value] = source.changed("wrapper.messages", messages)
    return read


def _inner(source: Input, chunk: bytes, index: int) -> Value:
    with source.within(*["second-message"] * bool(index)):
        return read_message(source, chunk, inner=True)


def _chunks(source: Input, data: bytes) -> Iterator[bytes]:
    """Yield the messages of a set, without a cut one."""
    rest = Input(data)
    while rest.left >= ENTRY:
        size = int.from_bytes(data[rest.at + 8 : rest.at + ENTRY], signed=True)
        if size < SMALLEST:
            source.check("wrapper.short", size < SMALLEST)
            return
        if rest.left < ENTRY + size:
            break
        yield rest.take(ENTRY + size)
    source.accept("wrapper.cut", rest.left)


def write_message(target: Output, given: Value, *, inner: bool = False) -> None:
    """Write a message with its offset and size, an `inner` one in a wrapper."""
    if given["magic"] not in {0, 1}:
        raise NotTaken
    contexts = [f"magic-{given['magic']}", *["log-append"] * (given.get("timestampType") == "log-append")]
    with target.within(*contexts):
        _check(target, given, inner=inner)
        message = target.changed("message", given)
        body = _body(target.inside(), message)
        target.fixed("message.offset", target.changed("message.offset", message["offset"]), 8)
        target.fixed("message.size", 4 + len(body), 4)
        place = "message.crc" if "value" in message else "wrapper.crc"
        target.data += target.way(place, CRC).of(crc32(body).to_bytes(4), body) + body


def _check(target: Output, message: Value, *, inner: bool) -> None:
    codec = message["compression"]
    content = "value" if codec == "none" else "messages"
    if set(message) != NAMES | {content} | (OF_TIME if message["magic"] else set()) or codec not in CODEC_NAMES:
        raise NotTaken
    target.check("check.message-nested", inner and codec != "none")
    for name, is_broken in MESSAGE_CHECKS.items():
        target.check(f"check.message-{name}", bool(is_broken(message)))


def _body(target: Output, message: Value) -> bytes:
    codec = target.changed("message.codec", CODEC_NAMES.index(message["compression"]))
    target.data += bytes([message["magic"], codec | _attributes(target, message)])
    if message["magic"]:
        place = "message.timestamp"
        target.fixed(place, target.changed(place, message["timestamp"]), 8)
    names = [name for name in ("key", "value", "messages") if name in message]
    for name in target.changed("message.fields", names):
        if name == "messages":
            target.blob("message.wrapped", NULLABLE, _wrapped(target, message))
        else:
            target.blob(f"message.{name}", NULLABLE, message[name])
    return target.way("message.rest", CONTENT).raw(bytes(target.data))


def _attributes(target: Output, message: Value) -> int:
    unused, first = message["unusedAttributes"], 4 if message["magic"] else 3
    if not isinstance(unused, int) or not 0 <= unused < 1 << 8 - first:
        raise NotTaken
    if message.get("timestampType") not in {None, *TYPES}:
        raise NotTaken
    is_log_append = message["magic"] and message["timestampType"] == "log-append"
    attributes: int = target.changed("message.attributes", unused << first | LOG_APPEND * bool(is_log_append))
    return attributes


def _wrapped(target: Output, message: Value) -> bytes:
    if not isinstance(message["messages"], list | tuple):
        raise NotTaken
    inner = target.inside()
    for index, each in enumerate(message["messages"]):
        with inner.within("in-a-wrapper", *["second-message"] * bool(index)):
            write_message(inner, each, inner=True)
    data = target.way("wrapper", CONTENT).raw(bytes(inner.data))
    with target.within(message["compression"]):
        return compressed(target, message["compression"], data)
