"""Control records, markers of transactions and of the metadata log, with their type in the key, the rest in the value.

    key    00 00 00 01              int16 version, int16 type: commit
    value  00 00 00 00 00 07        int16 version, int32 epoch of the coordinator

A key or value of a later version is read as version 0, without its further bytes. Unknown types are ignored. Values of
the metadata log's records have no prefix: they are messages of version 0.

>>> decode_control(bytes.fromhex("00000001"), bytes.fromhex("000000000007"))
{'type': 'commit', 'version': 0, 'coordinatorEpoch': 7}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.codec import decode_leniently, encode
from reference.errors import Malformed, Reason, Refusal
from reference.layouts import Layout
from reference.records.layouts import HEADER_SIZE
from reference.release import load_release, newest_release
from reference.wire.numbers import INT16, INT32
from reference.wire.stream import LenientReader, Reader, refuse

if TYPE_CHECKING:
    from reference.paths import Path

CONTROL_KEY = Layout(
    "Key of a control record",
    ("version", INT16, "control.key", "0; later versions may be longer"),
    ("type", INT16, "control.key", "the type of the record"),
)

END_TRANSACTION_MARKER = Layout(
    "Value of an end-transaction marker",
    ("version", INT16, "control.end-transaction-marker", "0; later versions may be longer"),
    ("coordinatorEpoch", INT32, "control.end-transaction-marker", "the epoch of the transaction coordinator"),
)

CONTROL_LAYOUTS = (CONTROL_KEY, END_TRANSACTION_MARKER)
"""The layouts of control records, in the order of the book."""

MARKERS = ("abort", "commit")
MESSAGES = {
    "leader-change": "LeaderChangeMessage",
    "snapshot-header": "SnapshotHeaderRecord",
    "snapshot-footer": "SnapshotFooterRecord",
    "kraft-version": "KRaftVersionRecord",
    "kraft-voters": "VotersRecord",
}
"""The message in the value of a record, by the type of the record."""
TYPES = (*MARKERS, *MESSAGES)
"""The types of control records by their number."""


def decode_control(key: bytes | None, value: bytes | None) -> dict[str, Any]:
    """Return the type and the content of a control record.

    Returns:
        `type`, a name, or a number if unknown; for a marker also `version` and `coordinatorEpoch`; for a record of
        the metadata log also `message`, the value of its message.

    Raises:
        Malformed: key or value is null, too short, or of a negative version; the path begins with `key` or `value`.
    """
    number = _read(CONTROL_KEY, key, "key")["type"]
    if not 0 <= number < len(TYPES):
        return {"type": number}
    name = TYPES[number]
    if name in MARKERS:
        return {"type": name, **_read(END_TRANSACTION_MARKER, value, "value")}
    if value is None:
        raise Malformed("control.kraft-value", Reason.NULL_NOT_ALLOWED, 0, "value")
    schema = load_release(newest_release()).schema(MESSAGES[name], 0)
    return {"type": name, "message": decode_leniently(schema, value)[0]}


def encode_control(control: dict[str, Any]) -> tuple[bytes, bytes]:
    """Return key and value of a control record in the form returned by `decode_control`.

    Raises:
        Unencodable: the type is unknown, or a part is missing or out of range.
    """
    name = control.get("type")
    if name not in TYPES:
        refuse(Refusal.OUT_OF_RANGE, ("", "type"), f"{name!r} is none of {', '.join(TYPES)}", "control.key")
    key = CONTROL_KEY.write({"version": 0, "type": TYPES.index(name)}, ("", "key"))
    if name in MARKERS:
        return key, END_TRANSACTION_MARKER.write(control, ("", "value"))
    schema = load_release(newest_release()).schema(MESSAGES[name], 0)
    return key, encode(schema, control.get("message", {}))


def check_control(reader: Reader, batch: dict[str, Any], start: int, path: Path) -> None:
    """Report malformed records of a control batch to the reader, as a consumer fails if it looks at them."""
    for index, record in enumerate(batch["records"]):
        try:
            decode_control(record["key"], record["value"])
        except Malformed as error:
            reader.deviation(
                error.rule if error.rule.startswith("control.") else "control.kraft-value",
                start + HEADER_SIZE,
                ((path, "records"), index),
            )


def _read(layout: Layout, data: bytes | None, path: str) -> dict[str, Any]:
    rule = layout.parts[0].rule
    if data is None:
        raise Malformed(rule, Reason.NULL_NOT_ALLOWED, 0, path)
    if len(data) < (layout.width or 0):
        raise Malformed(rule, Reason.TRUNCATED, len(data), path)
    value: dict[str, Any] = layout.read(LenientReader(data), path)
    if value["version"] < 0:
        raise Malformed(rule, None, 0, f"{path}.version", f"the version is {value['version']}")
    return value
