"""Examples of the proposals' rules that no search through bytes finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.catalogue.explain.example import Worked, right
from conformance.catalogue.explain.search import bases, judged
from conformance.catalogue.explain.values import refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.catalogue.explain.example import Base

KIP_625 = "kip-625"


def unsorted(rule: str) -> Worked | None:
    """What breaks the rule of writers that tags ascend, no reader takes."""
    return judged(f"{rule.partition('.')[0]}.order-on-read")


def promoted(_rule: str) -> Worked | None:
    """A negative number in fewer bits than its type has."""
    found = (base for base in bases(KIP_625) if _has_promoted(base))
    base = next(found, None)
    return None if base is None else Worked(right(base, f"{KIP_625}.fixed"))


def _has_promoted(base: Base) -> bool:
    """Whether such a number is in it."""
    fields = (each for each in base.schema.fields if each.written_type != each.type)
    return any((base.value[each.name] or 0) < 0 for each in fields)


PROPOSED: dict[str, Callable[[str], Worked | None]] = {
    "kip-482-first-draft.tags-ascending": unsorted,
    "kip-482-second-draft.tags-ascending": unsorted,
    "kip-625.promotion": promoted,
    "kip-625.range": refusal,
}
"""By rule, what makes its example."""
