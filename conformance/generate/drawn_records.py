"""Random values of whole `records` fields.

They are batches of all codecs and flags, message sets, and the gaps left by compaction. Each has an encoding:
`encode_records` accepts it. A value is made from `Choices`, so random search can shrink it, and a seed gives the same
one for ever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.choices import SeededChoices, pick
from reference.records.compression import NAMES as CODECS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.generate.choices import Choices

HIGHEST_INT16, HIGHEST_INT32, HIGHEST_INT64 = 2**15 - 1, 2**31 - 1, 2**63 - 1
ABSENT = -1
NOW = 1_700_000_000_000
TIMESTAMPS = (NOW, 0, ABSENT, NOW + 1, HIGHEST_INT64)
OFFSETS = (0,) * 9 + (1, 1 << 32, HIGHEST_INT64 - HIGHEST_INT32)
EPOCHS = (ABSENT, 0, 1, HIGHEST_INT32)
SEQUENCES = (0, 1, HIGHEST_INT32 - 1, HIGHEST_INT32)
GAPS = (1, 1, 1, 2, 100)
DELTAS = (0, 1, -1, 64, -65, 1 << 31, HIGHEST_INT64, ABSENT - HIGHEST_INT64)
"""Deltas of timestamps without meaning to readers, since the batch has a log-append time."""
CONTROL_TYPES = (0, 1, 2, 3, 4, 5, 6, 7, HIGHEST_INT16)
SIZES = (0, 1, 3, 63, 64, 300)
LARGE = 70_000
"""More than one block of lz4 and two of snappy."""
HEADER_KEYS = ("", "h", "h", "trace-id", "\0", "é", "\N{GRINNING FACE}")
MOST_RECORDS, MOST_HEADERS, MOST_BATCHES = 5, 3, 3
LEGACY_CODECS = CODECS[:4]


def sample_records(seed: str) -> dict[str, Any]:
    """Return the value of a field of batches, always the same for the same seed."""
    return records_value(SeededChoices(seed))


def sample_message_set(seed: str) -> dict[str, Any]:
    """Return the value of a field of messages of magic 0 and 1, always the same for the same seed."""
    return message_set_value(SeededChoices(seed))


def records_value(choices: Choices, codecs: Sequence[str] = CODECS) -> dict[str, Any]:
    """Return the value of a field of batches of these codecs, mostly one, sometimes several or none."""
    count = pick(choices, (1,) * 10 + (2, MOST_BATCHES, 0))
    return {"batches": [choices.together(lambda: batch_value(choices, codecs)) for _ in range(count)], "partial": b""}


def message_set_value(choices: Choices) -> dict[str, Any]:
    """Return the value of a field of messages and wrappers, with a batch after them in one field of ten."""
    count = pick(choices, (1, 1, 2, 3))
    entries = [choices.together(lambda: entry_value(choices)) for _ in range(count)]
    if not choices.below(10):
        entries.append(batch_value(choices))
    return {"batches": entries, "partial": b""}


def batch_value(choices: Choices, codecs: Sequence[str] = CODECS) -> dict[str, Any]:
    """Return the value of a batch of one of these codecs.

    One in sixteen is a control batch, and one in sixteen is empty.
    """
    kind = pick(choices, ("data",) * 14 + ("control", "empty"))
    log_append = not choices.below(4)
    base = pick(choices, TIMESTAMPS)
    records = [] if kind == "empty" else _records(choices, base, control=kind == "control", log_append=log_append)
    last = records[-1]["offsetDelta"] if records else choices.below(5)
    highest = max((base + record["timestampDelta"] for record in records), default=ABSENT)
    return {
        "magic": 2,
        "baseOffset": pick(choices, OFFSETS),
        "partitionLeaderEpoch": pick(choices, EPOCHS),
        # An empty batch with a codec has no encoding.
        "compression": "none" if kind == "empty" else pick(choices, codecs),
        "timestampType": "log-append" if log_append else "create",
        "transactional": not choices.below(4),
        "control": kind == "control",
        "deleteHorizon": not choices.below(8),
        "unusedAttributes": pick(choices, (0,) * 22 + (1, 0x100, 0x1FF)),
        "lastOffsetDelta": last + pick(choices, (0,) * 8 + (1, 1000)),
        "baseTimestamp": base,
        "maxTimestamp": pick(choices, TIMESTAMPS) if log_append or not records else highest,
        **_producer(choices),
        "records": records,
    }


def _producer(choices: Choices) -> dict[str, Any]:
    if choices.below(2):
        return {"producerId": ABSENT, "producerEpoch": ABSENT, "baseSequence": ABSENT}
    return {
        "producerId": pick(choices, (0, 4711, HIGHEST_INT64)),
        "producerEpoch": pick(choices, (0, 7, HIGHEST_INT16)),
        "baseSequence": pick(choices, (*SEQUENCES, *SEQUENCES, ABSENT)),
    }


def _records(choices: Choices, base: int, *, control: bool, log_append: bool) -> list[dict[str, Any]]:
    records = []
    offset = pick(choices, (0,) * 7 + (3,))
    gaps = pick(choices, ((1,), (1,), GAPS))
    for index in range(1 if control else 1 + choices.below(MOST_RECORDS)):
        key, value = _control(choices) if control else (_bytes(choices), _bytes(choices))
        record = {
            "attributes": 0 if choices.below(40) else ABSENT,
            "timestampDelta": pick(choices, DELTAS) if log_append else _delta(choices, base, index),
            "offsetDelta": offset,
            "key": key,
            "value": value,
            "headers": [_header(choices) for _ in range(choices.below(MOST_HEADERS + 1))],
        }
        records.append(record)
        offset += pick(choices, gaps)
    return records


def _delta(choices: Choices, base: int, index: int) -> int:
    """Return the delta of a nonnegative timestamp, or of -1.

    The first timestamp is mostly the base itself.
    """
    if not index and choices.below(8):
        return 0
    timestamp = pick(choices, (base, base, *TIMESTAMPS))
    return min(timestamp - base, HIGHEST_INT64)


def _control(choices: Choices) -> tuple[bytes | None, bytes | None]:
    """Return key and value of a control record, sometimes of a later version or incomplete."""
    version = pick(choices, (0, 0, 0, 1))
    key = version.to_bytes(2, "big") + pick(choices, CONTROL_TYPES).to_bytes(2, "big") + bytes(version)
    value = bytes(2) + pick(choices, (0, 1, HIGHEST_INT32)).to_bytes(4, "big")
    return pick(choices, (key, key, key, key[:3], None)), pick(choices, (value, value, value, value[:4], None))


def _header(choices: Choices) -> tuple[str, bytes | None]:
    return pick(choices, HEADER_KEYS), _bytes(choices)


def _bytes(choices: Choices) -> bytes | None:
    if not choices.below(5):
        return None
    size = pick(choices, SIZES) if choices.below(400) else LARGE
    return bytes(size) if choices.below(3) else _noise(choices, size)


def _noise(choices: Choices, size: int) -> bytes:
    """Return bytes of low compressibility, made of one repeated block."""
    block = choices.below(1 << 512).to_bytes(64, "big")
    return (block * (size // len(block) + 1))[:size]


def entry_value(choices: Choices) -> dict[str, Any]:
    """Return the value of a message of magic 0 or 1, or of a wrapper of several."""
    magic = choices.below(2)
    codec = pick(choices, ("none", *LEGACY_CODECS))
    if codec == "none":
        return _message(choices, magic, pick(choices, OFFSETS))
    messages = [_message(choices, magic, offset) for offset in _inner_offsets(choices)]
    last = messages[-1]["offset"]
    wrapper = _message(choices, magic, last if not magic else pick(choices, (last, last + 1000, 0)))
    del wrapper["value"]
    return wrapper | {"compression": codec, "key": pick(choices, (None, None, None, b"key")), "messages": messages}


def _inner_offsets(choices: Choices) -> list[int]:
    offsets = [pick(choices, (0, 0, 5))]
    for _ in range(choices.below(MOST_RECORDS)):
        offsets.append(offsets[-1] + pick(choices, GAPS))
    return offsets


def _message(choices: Choices, magic: int, offset: int) -> dict[str, Any]:
    value: dict[str, Any] = {"magic": magic, "offset": offset, "compression": "none"}
    if magic:
        value["timestampType"] = pick(choices, ("create", "create", "create", "log-append"))
        value["timestamp"] = pick(choices, TIMESTAMPS)
    unused = 0 if choices.below(20) else 1
    return value | {"unusedAttributes": unused, "key": _bytes(choices), "value": _bytes(choices)}
