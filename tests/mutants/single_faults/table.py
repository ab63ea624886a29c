"""The table of known misses, misses.toml: the faults that the suite or the vectors do not show, and why."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from pathlib import Path

from conformance.system.whole_files import write_text
from tests.mutants.single_faults.fault import Fault, Seen

PATH = Path(__file__).with_name("misses.toml")
FIXED, GENERATED, VECTORS = "fixed", "generated", "vectors"


@dataclass(frozen=True, order=True)
class Miss:
    """A fault, and what does not show it."""

    family: str
    fault: str
    by: tuple[str, ...]
    """`fixed` and `generated` for the checks of the suite, `vectors` for the vectors."""
    reason: str = ""
    """The letter of a reason that the head of the file explains."""

    @property
    def key(self) -> tuple[str, str]:
        """Return what it is known by."""
        return self.family, self.fault


@dataclass(frozen=True)
class Comparison:
    """What a run says of the table."""

    misses: tuple[Miss, ...]
    """The misses of the run, with the reasons that the table has."""
    new: tuple[Miss, ...]
    """Those that the table does not have, or not so."""
    stale: tuple[Miss, ...]
    """Entries of faults that were tried and are shown, or that are there no more."""


def miss_of(fault: Fault, seen: Seen) -> Miss | None:
    """Return what does not show a fault; None if everything does, or it is none."""
    if fault.legal or not seen.differs:
        return None
    shown = {FIXED: seen.fixed, GENERATED: seen.fixed or seen.generated, VECTORS: seen.vectors}
    by = tuple(what for what, first in shown.items() if not first)
    return Miss(fault.family, fault.name, by) if by else None


def compared(table: Sequence[Miss], results: Mapping[Fault, Seen], known: Iterable[Fault]) -> Comparison:
    """Compare the table with a run; `known`: all faults that there are, of families that took part."""
    reasons = {miss.key: miss.reason for miss in table}
    found = [miss for fault, seen in results.items() if (miss := miss_of(fault, seen))]
    misses = tuple(Miss(*each.key, each.by, reasons.get(each.key, "")) for each in found)
    tried = {(fault.family, fault.name) for fault in results}
    every = [(fault.family, fault.name) for fault in known]
    families = {family for family, _ in every}
    gone = {miss.key for miss in table if miss.family in families} - set(every)
    new = tuple(miss for miss in misses if miss not in table)
    stale = tuple(miss for miss in table if miss.key in tried | gone and miss not in misses)
    return Comparison(misses, new, stale)


def read_table(path: Path = PATH) -> list[Miss]:
    """Return the table."""
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("miss", [])
    return [Miss(row["family"], row["fault"], tuple(row["by"]), row["reason"]) for row in rows]


def write_table(misses: Iterable[Miss], path: Path = PATH) -> None:
    """Write the table below the head of the file."""
    head = path.read_text(encoding="utf-8").partition("[[miss]]")[0]
    texts = [
        f"[[miss]]\nfamily = {dumps(miss.family)}\nfault = {dumps(miss.fault)}\n"
        f"by = {dumps(list(miss.by))}\nreason = {dumps(miss.reason, ensure_ascii=False)}\n"
        for miss in sorted(misses)
    ]
    write_text(path, head + "\n".join(texts))
