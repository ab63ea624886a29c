"""The text of diagnostics for snapshots, as `bridge check` shows them."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.codec.bridge.transcript import Diagnostic

MAXIMUM_SHOWN = 5


def text_of(diagnostics: Iterable[Diagnostic], maximum: int | None = MAXIMUM_SHOWN) -> str:
    """Return problem and hint of the first diagnostics, without counts that grow with the values asked for."""
    parts = (
        f"{'note' if each.is_note else 'wrong'}{' of the mapping' * each.is_of_mapping}: {each.problem}\n"
        f"  -> {each.hint}"
        for each in islice(diagnostics, maximum)
    )
    return re.sub(r"\d+(?= more like this| of \d+ )", "some", "\n".join(parts))
