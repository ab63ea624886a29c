"""Groups of the classic protocol, with their members and the leader's assignment."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from threading import Condition

PATIENCE = 3.0
"""Seconds to wait for members when a group is formed again."""

ILLEGAL_GENERATION, UNKNOWN_MEMBER, REBALANCE = 22, 25, 27


@dataclass
class Member:
    """A member with the facts of its JoinGroup request."""

    instance: str | None
    client: str
    protocols: dict[str, bytes]
    assignment: bytes = b""


@dataclass
class ConsumerGroup:
    """One group. Callers of its methods hold `changed`."""

    changed: Condition
    kind: str = ""
    generation: int = 0
    members: dict[str, Member] = field(default_factory=dict)
    leader: str = ""
    joined: set[str] = field(default_factory=set)
    """The members of the generation being formed."""
    is_forming: bool = False
    is_assigned: bool = False
    _number: int = 0

    def join(self, member_id: str, member: Member, kind: str) -> str:
        """Add a member, wait for all others to join, and return its id."""
        if not member_id:
            self._number += 1
            member_id = f"{member.client}-{self._number}"
        self.kind = kind
        self.members[member_id] = member
        self.is_forming, self.is_assigned = True, False
        self.joined.add(member_id)
        self.changed.notify_all()
        self._wait(lambda: self.joined >= set(self.members) or not self.is_forming)
        # The first member at the end of its wait forms the generation for all.
        if self.is_forming:
            self._form()
        return member_id

    def _form(self) -> None:
        self.members = {key: member for key, member in self.members.items() if key in self.joined}
        self.generation += 1
        self.leader = next(iter(self.members))
        self.joined.clear()
        self.is_forming = False
        self.changed.notify_all()

    @property
    def protocol(self) -> str:
        """The first protocol common to all members."""
        first, *others = [member.protocols for member in self.members.values()] or [{}]
        return next((name for name in first if all(name in other for other in others)), "")

    def sync(self, member_id: str, generation: int, assignments: list[dict[str, Any]]) -> tuple[int, bytes]:
        """Return error and assignment of a member, once the leader has assigned."""
        error = self.error(member_id, generation)
        if error:
            return error, b""
        if member_id == self.leader:
            for each in assignments:
                if each["MemberId"] in self.members:
                    self.members[each["MemberId"]].assignment = each["Assignment"]
            self.is_assigned = True
            self.changed.notify_all()
        self._wait(lambda: self.is_assigned or self.is_forming)
        error = self.error(member_id, generation)
        return error, b"" if error else self.members[member_id].assignment

    def error(self, member_id: str, generation: int) -> int:
        """Return the error code for a member with a generation."""
        if member_id not in self.members:
            return UNKNOWN_MEMBER
        if self.is_forming:
            return REBALANCE
        return ILLEGAL_GENERATION if generation != self.generation else 0

    def of_instance(self, instance: str | None) -> str:
        """Return the id of the static member with this name, or an empty text if there is none."""
        return next((key for key, one in self.members.items() if instance and one.instance == instance), "")

    def leave(self, member_id: str) -> int:
        """Remove a member, and return an error code."""
        if self.members.pop(member_id, None) is None:
            return UNKNOWN_MEMBER
        self.joined.discard(member_id)
        self.is_forming = bool(self.members)
        self.changed.notify_all()
        return 0

    @property
    def state(self) -> str:
        """Its state in the words of Apache Kafka."""
        if not self.members:
            return "Empty"
        if self.is_forming:
            return "PreparingRebalance"
        return "Stable" if self.is_assigned else "CompletingRebalance"

    def _wait(self, is_met: Any) -> None:
        end = time.monotonic() + PATIENCE
        while not is_met() and (left := end - time.monotonic()) > 0:
            self.changed.wait(left)
