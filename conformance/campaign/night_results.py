"""The results of a night's parts, kept as they come."""

from __future__ import annotations

import json
import time
from itertools import count
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from conformance.campaign.folder import MOST_FAULTS, NotThisCampaign, manifest_head, work_of
from conformance.campaign.pipeline.batches import OF_PART, hash_text
from conformance.campaign.pipeline.errors import JobFailed
from conformance.campaign.rows import FINDING, IMPLEMENTATION
from conformance.judge.events import Count  # noqa: TC001  # msgspec looks it up
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conformance.campaign.pipeline.engines import Row
    from conformance.campaign.pipeline.storage import Storage
    from conformance.campaign.plan import Parameters


class KeptParts:
    """The results of a night's parts, in files of some seconds each.

    Findings of the same key, pair and field are one, with the smallest example.

    Args:
        folder: the folder of the files; the results in it count.
    """

    def __init__(self, folder: Storage) -> None:
        self._folder = folder
        self._waiting: list[Row] = []
        self._written = time.monotonic()
        self._files = folder.names()
        self.parts: dict[int, Row] = {}
        self.findings: dict[tuple[Any, ...], Row] = {}
        for name, content in folder.files(SUFFIX):
            self._read(name, content)

    def _read(self, name: str, content: bytes) -> None:
        try:
            rows = parse_json(content, name)
            msgspec.convert(rows, list[_OfPart | _OfFinding])
            for row in rows:
                self._take(row)
        except (BadInput, msgspec.ValidationError) as error:
            problem = f"{self._folder.within(name)} has no results of a night: {error}"
            raise NotThisCampaign(f"{problem}. Delete it, and run the night again.") from error

    def add(self, rows: Iterable[Row]) -> None:
        """Add the rows of whole parts."""
        for row in rows:
            if row.get("problem"):
                raise JobFailed("night", row["problem"], "The results of the other parts are kept.")
            own = {name: value for name, value in row.items() if value is not None}
            self._waiting.append(own)
            self._take(own)
        if time.monotonic() - self._written > SECONDS:
            self.write()

    def write(self) -> None:
        """Write the results added since the last time."""
        if self._waiting:
            names = (f"{number:06}{SUFFIX}" for number in count())
            name = next(name for name in names if name not in self._files)  # a user may have deleted one
            self._folder.write(name, json.dumps(self._waiting).encode())
            self._files.add(name)
            self._waiting = []
        self._written = time.monotonic()

    def _take(self, row: Row) -> None:
        if row["kind"] != FINDING:
            self.parts[row["number"]] = row
            return
        key = tuple(row.get(name) for name in _OF_FINDING)
        known = self.findings.setdefault(key, {**row, "cases": 0})
        known["cases"] += row["cases"]
        known["example"] = min(filter(None, (known.get("example"), row.get("example"))), default=None)


SECONDS = 10
"""The time between two files of results."""

PARTS, SUFFIX = "parts", ".json"
_OF_FINDING = (IMPLEMENTATION, "rule", "outcome", "error", "message", "version", "place")


class _OfPart(Struct, tag_field="kind", tag=OF_PART):
    """The form of a row about a part in a file."""

    implementation: str
    number: Count
    rows: Count
    hash: int
    cases: Count
    deaths: Count
    seconds: float
    faults: str = "[]"


class _OfFinding(Struct, tag_field="kind", tag=FINDING):
    """The form of a row of a finding in a file."""

    implementation: str
    rule: str
    outcome: str
    error: str
    message: str
    version: int
    place: str
    cases: Count
    example: str = ""


def night_manifest(parameters: Parameters, kept: KeptParts, seconds: float) -> dict[str, Any]:
    """Return the manifest of a night."""
    parts = list(kept.parts.values())
    return {
        **manifest_head(parameters, seconds),
        "rows": sum(part["rows"] for part in parts),
        "hash": hash_text(part["hash"] for part in parts),
        "implementations": [
            _sum(subject.label, [part for part in parts if part[IMPLEMENTATION] == subject.label])
            for subject in parameters.subjects
        ],
        "parts": len(parts),
    }


def _sum(label: str, parts: Sequence[Row]) -> dict[str, Any]:
    cases, seconds, deaths = (sum(part[name] for part in parts) for name in ("cases", "seconds", "deaths"))
    faults = [fault for part in parts for fault in json.loads(part.get("faults") or "[]")]
    return {IMPLEMENTATION: label, **work_of(cases, seconds, deaths), "faults": faults[:MOST_FAULTS]}
