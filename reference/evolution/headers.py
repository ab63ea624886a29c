"""What differs in the header before a version of a request or response (rule 7.4.14)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.definitions.header_versions import APIS
from reference.evolution.change import Divergence
from reference.headers import header_before

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference.definitions.model import Definition


def header_difference(old: Definition, new: Definition, version: int) -> Iterator[Divergence]:
    """Yield that another header stands before a version now, if one of the definitions says which.

    Where a version becomes flexible or stops to be, that is a change of its own, and its header goes with it.
    """
    if old.kind != new.kind or old.kind not in APIS or old.header_versions is new.header_versions is None:
        return
    if (version in old.flexible_versions) != (version in new.flexible_versions):
        return
    before, after = header_before(old, version), header_before(new, version)
    if before != after:
        yield Divergence(
            "evolution.header-version", "", f"header {before} stood before it, and header {after} does now"
        )
