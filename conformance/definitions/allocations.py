"""What Apache Kafka's own readers allocate for hostile bytes that break a rule: `allocations.toml`."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from reference.inputs.toml_text import packaged_toml


class Allocation(NamedTuple):
    """The most that was measured for a rule.

    Attributes:
        release: of Apache Kafka.
        sent: how many bytes were read.
        mib: how many MiB they took, rounded up.
        is_deadly: whether the heap is too small for others of them.
    """

    release: str
    sent: int
    mib: int
    is_deadly: bool

    def __str__(self) -> str:
        others = ", and more than its heap for others of them" if self.is_deadly else ""
        return f"Apache Kafka {self.release} takes up to {self.mib:,} MiB for {self.sent:,}{others}"


def allocation_of(rule: str) -> Allocation | None:
    """Return what was measured for a rule; None: nothing."""
    table = _table()
    row = table["rules"].get(rule)
    return row and Allocation(table["release"], row["sent"], row["mib"], row.get("deadly", False))


@cache
def _table() -> dict[str, Any]:
    return packaged_toml("conformance.definitions", "allocations.toml")
