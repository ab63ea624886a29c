"""A plugin of pytest that notes every violation of a run of the suite, known or new, in a file for each process."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.judge.recording import ItemRecord

if TYPE_CHECKING:
    from conformance.judge.findings.violations import Violation

FOLDER = "KAFKA_NET_FOLDER"
"""The variable that names the folder of the files."""

SEPARATOR = "\t"


def line_of(violation: Violation) -> str:
    """Return what tells a violation from all others, and what a reader of the run sees of it."""
    about = (violation.rule, violation.message, violation.version, violation.direction, violation.outcome)
    facts = (*about, violation.case.kind, violation.case.name, violation.path, violation.cluster)
    return SEPARATOR.join(str(fact).encode("unicode_escape").decode() for fact in facts)


def _noting(take: object) -> object:
    def noted(record: ItemRecord, violation: Violation) -> None:
        with (Path(os.environ[FOLDER]) / str(os.getpid())).open("a", encoding="utf-8") as file:
            file.write(f"{line_of(violation)}\n")
        take(record, violation)  # type: ignore[operator]

    return noted


ItemRecord._take = _noting(ItemRecord._take)  # type: ignore[method-assign,assignment]
