"""The attributes of batches and messages, a bit field.

    bits 0 to 2   codec: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd
    bit 3         timestamp type: 0 create, 1 log append
    bit 4, 5, 6   transactional, control, delete horizon; of batches only

All other bits are unused. A batch of lz4 with a log append time: `00 0b`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.errors import Refusal
from reference.records.compression import NAMES
from reference.wire.stream import refuse, shown, wrong_type

if TYPE_CHECKING:
    from reference.paths import Path

CODEC_BITS = 0x07
CREATE, LOG_APPEND = TIMESTAMP_TYPES = ("create", "log-append")
LOG_APPEND_BIT = 0x08
FLAGS = {"transactional": 0x10, "control": 0x20, "deleteHorizon": 0x40}


def codec_name(attributes: int) -> str | None:
    """Return the name of the codec, or None if there is none of that number."""
    number = attributes & CODEC_BITS
    return NAMES[number] if number < len(NAMES) else None


def codec_number(name: Any, path: Path, names: tuple[str, ...] = NAMES, rule: str = "batch.codec") -> int:
    """Return the number of a codec, or raise Unencodable, with `rule` if the name is none of `names`."""
    if not isinstance(name, str):
        wrong_type("the name of a codec", name, path)
    if name not in names:
        detail = f"{shown(name)} is none of {', '.join(names)}"
        refuse(Refusal.OUT_OF_RANGE, path, detail, rule if name in NAMES else "batch.codec")
    return names.index(name)


def timestamp_type(attributes: int) -> str:
    """Return the name of the timestamp type."""
    return LOG_APPEND if attributes & LOG_APPEND_BIT else CREATE


def timestamp_type_bit(name: Any, path: Path) -> int:
    """Return the bit of a timestamp type, or raise Unencodable if there is none of that name."""
    if not isinstance(name, str):
        wrong_type("the name of a type of timestamp", name, path)
    if name not in TIMESTAMP_TYPES:
        detail = f"{shown(name)} is none of {', '.join(TIMESTAMP_TYPES)}"
        refuse(Refusal.OUT_OF_RANGE, path, detail, "batch.attributes")
    return LOG_APPEND_BIT if name == LOG_APPEND else 0


def flag_bits(batch: dict[str, Any], path: Path) -> int:
    """Return the bits of the flags of a batch, or raise Unencodable if one is no bool."""
    bits = 0
    for name, bit in FLAGS.items():
        if not isinstance(batch[name], bool):
            wrong_type("bool", batch[name], (path, name))
        bits |= bit if batch[name] else 0
    return bits


def unused_bits(number: Any, shift: int, width: int, path: Path) -> int:
    """Return the unused bits at their place in the attributes, or raise Unencodable if they do not fit there."""
    if not isinstance(number, int) or isinstance(number, bool):
        wrong_type("an integer", number, path)
    if not 0 <= number < 1 << width:
        refuse(Refusal.OUT_OF_RANGE, path, f"{shown(number)} does not fit into {width} bits")
    return number << shift
