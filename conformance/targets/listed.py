"""What other rooms need to know of the fixed contents of targets, apart from targets: no child process needs it."""

from __future__ import annotations

from conformance.targets.frame.frame_contents import LARGE, WHOLE
from conformance.targets.frame.frame_damages import CLIENT_ID_AT
from conformance.targets.wire_type.wire_type_contents import (
    SECTIONS,
    VARINTS,
    around_powers,
    further_values,
    mistakable_bytes,
)

__all__ = [
    "CLIENT_ID_AT",
    "LARGE",
    "SECTIONS",
    "VARINTS",
    "WHOLE",
    "around_powers",
    "further_values",
    "mistakable_bytes",
]
