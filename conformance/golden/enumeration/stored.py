"""The cases of stored messages: coordinator keys and values, consumer protocol data, records of the metadata log.

The bodies have vectors of their own: these are about the int16 or the three numbers before a body. Bytes that are no
record at all (an unknown type, bytes behind it) have no reason of the closed list, and so no vector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.stored import broken_prefixed, broken_records
from conformance.golden.enumeration.vector import Case, slug
from reference import Result, minimal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.implementation.targets import StoredForm

LONGEST_CUT = 3
"""The most bytes of a truncated stored message: the vectors of bodies are truncated everywhere."""


def stored_cases(target: StoredForm) -> Iterator[Case]:
    """Yield the smallest value, and what may stand before its body instead; no bytes twice."""
    smallest = target.write(target.content(minimal(target.schema)))
    yield Case("smallest", smallest, ("Stored",))
    seen = {smallest}
    for name, wire in (broken_records if target.form == "record" else broken_prefixed)(smallest):
        is_long_cut = name.startswith("cut/") and len(wire) > LONGEST_CUT
        if wire not in seen and not is_long_cut and target.judge(wire).result is not Result.UNSPECIFIED:
            yield Case(slug(name.replace("/", "-")), wire, ("TamperedPrefix",))
        seen.add(wire)
