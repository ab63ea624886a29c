"""The folder of a campaign: parts, finished in any order by any number of workers, and a manifest that is written last.

    campaign.json                       the parameters; written first
    parts/part-000000-1f0c….parquet     the outcomes of a part, but of a night; every attempt has a name of its own
    parts/part-000000.json              the record of a part: which file it is, hashes, counts, findings; written last
    manifest.json                       all parts, counts, and one hash over all outcomes; written last
    findings.json                       the findings, with a smallest case of each

A part is finished when its record names a file of the size and the hash that it says. What an attempt left behind that
came to no end is named by no record, and never read.
"""

from __future__ import annotations

import json
import re
import uuid
from collections import Counter
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec

from conformance.campaign.rows import row_hash
from conformance.findings.finding import Found
from conformance.findings.forms import as_json
from conformance.pipeline.plan import FOLDER, RECORD
from conformance.pipeline.rows import root
from conformance.pipeline.storage import keep_parameters
from reference.errors import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json
from reference.inputs.schemas import conform, packaged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from conformance.campaign.kernel import PartResult
    from conformance.campaign.plan import Parameters, Part
    from conformance.campaign.rows import Row
    from conformance.pipeline.storage import Storage

Json = dict[str, Any]

FORMAT = 1
CAMPAIGN = "campaign.json"
MANIFEST = "manifest.json"
FINDINGS = "findings.json"
SCHEMA = "manifest.schema.json"


class NotThisCampaign(ConformanceError):
    """A folder that holds something else than the campaign that was asked for, or no finished one."""


def prepare(folder: Storage, parameters: Parameters) -> None:
    """Prepare the folder, or check that it holds this campaign.

    Raises:
        NotThisCampaign: the folder holds something else, which is not changed.
        StorageFailed: it cannot be read or written.
    """
    wanted = {"format": FORMAT, **parameters.without_places().as_json()}
    keep_parameters(folder, CAMPAIGN, wanted, "campaign", NotThisCampaign)


def keep_part(folder: Storage, number: int, part: Part, result: PartResult, *, has_rows: bool) -> None:
    """Write the outcomes of a part, if they are kept, then its record. Errors are as of `Storage.write`."""
    counts = Counter((row.direction, row.outcome) for row in result.rows)
    findings = [as_json(finding.found()) for finding in result.findings.ordered()]
    record = {
        **(_keep_rows(folder, number, result.rows) if has_rows else NO_FILE),
        "part": part,
        "rows": len(result.rows),
        "cases": result.cases,
        "sha256": root(map(row_hash, result.rows)),
        "seconds": round(result.seconds, 3),
        "deaths": result.deaths,
        "outcomes": [[*key, count] for key, count in sorted(counts.items())],
        "faults": result.faults,
        "findings": findings,
    }
    folder.write(f"{FOLDER}/{_record_name(number)}", (json.dumps(record) + "\n").encode())


NO_FILE: Json = {"file": None, "bytes": None, "fileSha256": None}


def _keep_rows(folder: Storage, number: int, rows: Sequence[Row]) -> Json:
    """Write outcomes, and return what the record says of their file."""
    from conformance.campaign.outcomes import as_parquet  # noqa: PLC0415  # pyarrow is an extra

    content, name = as_parquet(rows), f"part-{number:06}-{uuid.uuid4().hex[:12]}.parquet"
    folder.write(f"{FOLDER}/{name}", content)
    return {"file": name, "bytes": len(content), "fileSha256": sha256(content).hexdigest()}


def _record_name(number: int) -> str:
    return f"part-{number:06}{RECORD}"


class Watch:
    """The parts of a campaign that goes on, as its records come: each is read once."""

    def __init__(self, folder: Storage) -> None:
        self._folder = folder
        self._seen: set[str] = set()
        self._findings: set[tuple[int, Any]] = set()
        self._rows = 0
        self._deaths = 0

    def finished(self) -> int:
        """Return the number of parts that have a record."""
        for name in self._folder.sizes(FOLDER).keys() - self._seen:
            if name.endswith(RECORD):
                self._seen.add(name)
                self._take(_readable(self._folder.read(f"{FOLDER}/{name}")) or {})
        return len(self._seen)

    def _take(self, record: Json) -> None:
        self._rows += record.get("rows", 0)
        self._deaths += record.get("deaths", 0)
        self._findings |= {(record["part"][0], tuple(event["key"])) for event in record.get("findings", ())}

    def __str__(self) -> str:
        """Return what there is so far, for a line of progress."""
        return f": {self._rows:,} outcomes, {len(self._findings):,} findings, {self._deaths:,} deaths"


def records(folder: Storage, planned: Mapping[int, Part]) -> dict[int, Json]:
    """Return the records of the finished parts, by number; of those that are as planned."""
    sizes = folder.sizes(FOLDER)
    found = {}
    for number, part in planned.items():
        name = _record_name(number)
        record = _readable(folder.read(f"{FOLDER}/{name}")) if name in sizes else None
        if record and sizes.get(record.get("file", "")) == record.get("bytes") and _is_of(part, record):
            found[number] = record
    return found


def numbers_of(folder: Storage) -> list[int]:
    """Return the numbers of the parts that have a record, in order."""
    names = (_NAME.fullmatch(name) for name in folder.sizes(FOLDER))
    return sorted(int(match[1]) for match in names if match)


def clear_parts(folder: Storage) -> None:
    """Delete the records of the parts of a finished campaign that keeps no outcomes: its manifest has their sums."""
    for number in numbers_of(folder):
        folder.remove(f"{FOLDER}/{_record_name(number)}")


_NAME = re.compile(rf"part-([0-9]+){re.escape(RECORD)}")


def _readable(text: bytes | None) -> Json | None:
    try:
        return None if text is None else dict(parse_json(text, "the record"))
    except (TypeError, ValueError, BadInput):
        return None


def _is_of(part: Part, record: Json) -> bool:
    return bool(record.get("part") == json.loads(json.dumps(part)))


def all_records(folder: Storage, planned: Mapping[int, Part]) -> dict[int, Json]:
    """Return the records of all parts, as `records` does.

    Raises:
        NotThisCampaign: a part is not finished.
    """
    kept = records(folder, planned)
    missing = [number for number in planned if number not in kept]
    if missing:
        raise NotThisCampaign(f"{folder} lacks {len(missing)} parts, the first is {missing[0]}. Run it again.")
    return kept


def finish(folder: Storage, parameters: Parameters, kept: Mapping[int, Json], seconds: float) -> Json:
    """Write the manifest, and return it.

    Args:
        folder: of the campaign.
        parameters: of the campaign.
        kept: the records of its parts, by number, in their order.
        seconds: how long they took.
    """
    ordered = list(kept.values())
    manifest = {
        "format": FORMAT,
        "parameters": parameters.without_places().as_json(),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 1),
        "rows": sum(record["rows"] for record in ordered),
        "sha256": root(bytes.fromhex(record["sha256"]) for record in ordered),
        "implementations": [_sum(index, subject.label, ordered) for index, subject in enumerate(parameters.subjects)],
        "parts": [
            {"number": number, **{key: record[key] for key in ("file", "rows", "sha256", "fileSha256")}}
            for number, record in kept.items()
        ],
    }
    folder.write(MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())
    return manifest


def _sum(index: int, label: str, kept: Sequence[Json]) -> Json:
    """Return the sums over the parts of one implementation."""
    own = [record for record in kept if record["part"][0] == index]
    outcomes = Counter[tuple[str, str]]()
    for record in own:
        outcomes.update({(direction, kind): count for direction, kind, count in record["outcomes"]})
    seconds = sum(record["seconds"] for record in own)
    cases = sum(record["cases"] for record in own)
    return {
        "implementation": label,
        "sha256": root(bytes.fromhex(record["sha256"]) for record in own),
        "cases": cases,
        "secondsOfWork": round(seconds, 3),
        "casesPerSecond": round(cases / seconds, 1) if seconds else None,
        "deaths": sum(record["deaths"] for record in own),
        "outcomes": [[*key, count] for key, count in sorted(outcomes.items())],
        "faults": [fault for record in own for fault in record["faults"]],
    }


def manifest_of(folder: Storage) -> Json:
    """Return the manifest of a finished campaign.

    Raises:
        NotThisCampaign: there is none.
    """
    manifest = _readable(folder.read(MANIFEST))
    if manifest is None or manifest.get("format") != FORMAT:
        raise NotThisCampaign(f"{folder} holds no finished campaign: {MANIFEST} is missing, or of another format")
    try:
        conform(manifest, packaged("conformance.campaign", SCHEMA), MANIFEST)
    except BadInput as error:
        raise NotThisCampaign(f"{folder} holds no finished campaign: {error}") from error
    return manifest


def findings_of(folder: Storage) -> Iterator[tuple[int, Found]]:
    """Yield each finding of each part of a finished campaign, with the number of its implementation."""
    for part in manifest_of(folder)["parts"]:
        record = _readable(folder.read(f"{FOLDER}/{_record_name(part['number'])}"))
        if record and record["sha256"] == part["sha256"]:
            for event in record["findings"]:
                yield record["part"][0], msgspec.convert(event, Found)
