"""Allocations of Apache Kafka's own readers for hostile bytes with a broken rule (`allocations.toml`)."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from reference.inputs.toml_text import packaged_toml


class Allocation(NamedTuple):
    """The largest measured allocation for a rule, in MiB rounded up, for a number of bytes that were sent.

    Other inputs may need more than the heap.
    """

    release: str
    sent: int
    mib: int
    exceeds_heap: bool

    def __str__(self) -> str:
        others = ", and more than its heap for others of them" if self.exceeds_heap else ""
        return f"Apache Kafka {self.release} takes up to {self.mib:,} MiB for {self.sent:,}{others}"


def allocation_of(rule: str) -> Allocation | None:
    """Return the measured allocation for a rule, or None if there is none."""
    table = _table()
    row = table["rules"].get(rule)
    return row and Allocation(table["release"], row["sent"], row["mib"], row.get("deadly", False))


@cache
def _table() -> dict[str, Any]:
    return packaged_toml("conformance.definitions", "allocations.toml")
