"""Messages of magic 0 and 1, alone and in wrappers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.record_building import (
    TIME,
    batch,
    compressed_message,
    is_valid,
    message,
    wire,
    wrapper,
)
from conformance.targets.records.edge import (
    CODECS,
    HIGHEST_INT64,
    OF_WRAPPERS,
    RULES_OF_CODECS,
    SIZES,
    RecordsEdge,
    field,
)
from conformance.targets.records.lz4_streams import OF_MAGIC_0
from conformance.targets.records.streams import stream_forms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.targets.records.edge import Value

GROUP = "message-sets"


def message_sets() -> Iterator[RecordsEdge]:
    """Yield messages and wrappers."""
    for magic in (0, 1):
        yield from _messages(magic)
        yield from _wrappers(magic)
        yield from _streams(magic)
    yield from _of_magic_1()
    mixed, needs = field(message(), batch(baseOffset=1)), ("magic-1", "two-batches")
    yield RecordsEdge("magics-mixed", "field.mixed-magic", mixed, GROUP, needs)
    after_batch = field(batch(), message(1, key=None, value=None))
    yield RecordsEdge("message-behind-a-batch", "field.mixed-magic", after_batch, GROUP, ("magics-mixed",))


def _messages(magic: int) -> Iterator[RecordsEdge]:
    first = f"magic-{magic}"

    def edge(name: str, **changes: Any) -> RecordsEdge:
        fields: Value = {"magic": magic, "key": b"k"} | changes
        return RecordsEdge(f"{first}-{name}", "message.layout", field(message(**fields)), GROUP, (first,))

    yield edge("")._replace(name=first, needs=())
    yield from (edge(f"{name}-null", **{name: None}) for name in ("key", "value"))
    yield from (edge(f"{name}-empty", **{name: b""}) for name in ("key", "value"))
    yield from (edge(f"{name}-of-{size}", **{name: bytes(size)}) for name in ("key", "value") for size in (256, *SIZES))
    offsets = {"no-offset": -1, "highest-offset": HIGHEST_INT64, "offset-of-bytes-that-differ": 0x0102030405060708}
    yield from (edge(name, offset=offset) for name, offset in offsets.items())
    several = field(message(3, magic=magic), message(4, magic=magic, value=None), message(9, magic=magic, key=b""))
    yield RecordsEdge(f"{first}-several", "message.layout", several, GROUP, (first,))


def _wrappers(magic: int) -> Iterator[RecordsEdge]:
    first = f"magic-{magic}"
    held = message(0, magic=magic, value=b"a" * 40), message(1, magic=magic, value=None)
    for codec in OF_WRAPPERS:
        # Old writers of magic 0 made the checksum of the lz4 header wrongly, and readers ignore it there (KAFKA-3160).
        rule = "lz4.legacy-header-checksum" if (codec, magic) == ("lz4", 0) else "message.wrapper"
        needs = (first, codec) if codec == CODECS[0] else (f"{first}-{CODECS[0]}", codec)
        yield RecordsEdge(f"{first}-{codec}", rule, field(wrapper(*held, codec=codec)), GROUP, needs)
    wrapped = (f"{first}-gzip",)
    gapped = [message(offset, magic=magic) for offset in (0, 2, 5)]
    offsets = field(wrapper(*gapped, offset=105) if magic else wrapper(*gapped))
    yield RecordsEdge(f"{first}-offsets", "message.offsets", offsets, GROUP, wrapped)
    later = [message(offset, magic=magic, value=b"") for offset in (3, 5, 9)]
    value = field(wrapper(*later, offset=109) if magic else wrapper(*later))
    yield RecordsEdge(f"{first}-offsets-from-3", "message.offsets", value, GROUP, wrapped)
    alone = field(wrapper(message(0, magic=magic)))
    yield RecordsEdge(f"{first}-one-in-a-wrapper", "message.wrapper", alone, GROUP, wrapped)
    keyed = field(wrapper(*held, key=b"kk"))
    yield RecordsEdge(f"{first}-key-of-a-wrapper", "message.wrapper", keyed, GROUP, wrapped)


def _streams(magic: int) -> Iterator[RecordsEdge]:
    """Yield wrappers with streams in every valid form."""
    held = message(0, magic=magic, value=b"a" * 40), message(1, magic=magic, value=None)
    for codec in OF_WRAPPERS:
        inner = f"magic-{magic}-{codec}"
        value = field(wrapper(*held, codec=codec))
        for name, stream in stream_forms(codec, wire(*held)):
            other = compressed_message(stream, magic=magic, offset=1, codec=codec)
            needs = (inner,) if name in OF_MAGIC_0 else (inner, f"{codec}-{name}")
            if is_valid(other):
                yield RecordsEdge(f"{inner}-{name}", RULES_OF_CODECS[codec], value, GROUP, needs, other)


def _of_magic_1() -> Iterator[RecordsEdge]:
    rule, wrapped = "message.timestamps", ("magic-1-gzip",)
    distinct = 0x1112131415161718
    for name, time in {"no": -1, "zero": 0, "highest": HIGHEST_INT64, "distinct": distinct}.items():
        value = field(message(timestamp=time))
        yield RecordsEdge(f"magic-1-timestamp-{name}", "message.layout", value, GROUP, ("magic-1",))
    append: Value = {"timestampType": "log-append"}
    alone = field(message(**append, value=None))
    yield RecordsEdge("magic-1-alone-log-append", rule, alone, GROUP, ("magic-1",))
    held = message(0), message(1)
    yield RecordsEdge("magic-1-log-append", rule, field(wrapper(*held, **append, timestamp=TIME + 5)), GROUP, wrapped)
    times = message(0, timestamp=-1), message(1, timestamp=distinct)
    yield RecordsEdge("magic-1-times-in-a-wrapper", rule, field(wrapper(*times)), GROUP, wrapped)
    inner = field(wrapper(message(0, **append), message(1), timestamp=TIME + 5))
    yield RecordsEdge("magic-1-log-append-inside", rule, inner, GROUP, wrapped)
