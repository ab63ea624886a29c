"""The folder of a campaign: the results of tasks, finished in any order by any number of workers, and a manifest.

    campaign.json                                   the parameters; written first
    outcomes/implementation=kio/000012-….parquet    the outcomes of an attempt at a task, but of a night
    _tasks/000012-….json                            the record of an attempt: its parts, hashes and findings
    manifest.json                                   the attempts that count, sums, and one hash over all outcomes
    findings.json                                   the findings, with a smallest case of each

`outcomes` is a dataset: Spark, pandas and DuckDB read it as it is. When the manifest is written, what it does not name
is deleted there.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from conformance.campaign.attempts import MANIFEST, Attempts, Json, NotThisCampaign, kept, readable, remove_others
from conformance.campaign.spark.corpus_rows import root
from conformance.campaign.spark.storage import keep_parameters
from reference.inputs.errors import BadInput
from reference.inputs.schemas import conform, packaged

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from conformance.campaign.plan import Parameters, Part
    from conformance.campaign.spark.storage import Storage

FORMAT = 2
CAMPAIGN = "campaign.json"
FINDINGS = "findings.json"
SCHEMA = "manifest.schema.json"

OF_TASKS = ("name", "implementation", "file", "bytes", "fileSha256")
"""What the manifest has of the record of a task."""


def prepare(folder: Storage, parameters: Parameters) -> None:
    """Prepare the folder, or check that it holds this campaign.

    Raises:
        NotThisCampaign: the folder holds something else, which is not changed.
        StorageFailed: it cannot be read or written.
    """
    wanted = {"format": FORMAT, **parameters.without_places().as_json()}
    keep_parameters(folder, CAMPAIGN, wanted, "campaign", NotThisCampaign)


def reopen(folder: Storage) -> None:
    """Let attempts be written to a campaign that was finished, and of which something is missing."""
    folder.remove(MANIFEST)


def all_kept(folder: Storage, parameters: Parameters, planned: Mapping[int, Part]) -> Attempts:
    """Return the attempts that count, as `kept` does.

    Raises:
        NotThisCampaign: a part is not finished.
    """
    found = kept(folder, parameters, planned)
    missing = [number for number in planned if number not in found.parts]
    if missing:
        raise NotThisCampaign(f"{folder} lacks {len(missing)} parts, the first is {missing[0]}. Run it again.")
    return found


def finish(folder: Storage, parameters: Parameters, found: Attempts, seconds: float) -> Json:
    """Write the manifest, delete what it does not name, and return it.

    Args:
        folder: of the campaign.
        parameters: of the campaign.
        found: the attempts that count.
        seconds: how long they took.
    """
    entries = list(found.parts.values())
    manifest = {
        "format": FORMAT,
        "parameters": parameters.without_places().as_json(),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 1),
        "rows": sum(entry["rows"] for entry in entries),
        "sha256": root(bytes.fromhex(entry["sha256"]) for entry in entries),
        "implementations": [_sum(index, subject.label, entries) for index, subject in enumerate(parameters.subjects)],
        "parts": len(entries),
        "tasks": [{name: record[name] for name in OF_TASKS} for record in found.records],
    }
    folder.write(MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())
    remove_others(folder, parameters, found.records)
    return manifest


def _sum(index: int, label: str, entries: Sequence[Json]) -> Json:
    """Return the sums over the parts of one implementation."""
    own = [entry for entry in entries if entry["subject"] == index]
    outcomes = Counter[tuple[str, str]]()
    for entry in own:
        outcomes.update({(direction, kind): count for direction, kind, count in entry["outcomes"]})
    seconds = sum(entry["seconds"] for entry in own)
    cases = sum(entry["cases"] for entry in own)
    return {
        "implementation": label,
        "sha256": root(bytes.fromhex(entry["sha256"]) for entry in own),
        "cases": cases,
        "secondsOfWork": round(seconds, 3),
        "casesPerSecond": round(cases / seconds, 1) if seconds else None,
        "deaths": sum(entry["deaths"] for entry in own),
        "outcomes": [[*key, count] for key, count in sorted(outcomes.items())],
        "faults": [fault for entry in own for fault in entry["faults"]],
    }


def manifest_of(folder: Storage) -> Json:
    """Return the manifest of a finished campaign.

    Raises:
        NotThisCampaign: there is none.
    """
    manifest = readable(folder.read(MANIFEST))
    if manifest is None or manifest.get("format") != FORMAT:
        raise NotThisCampaign(f"{folder} holds no finished campaign: {MANIFEST} is missing, or of another format")
    try:
        conform(manifest, packaged("conformance.campaign", SCHEMA), MANIFEST)
    except BadInput as error:
        raise NotThisCampaign(f"{folder} holds no finished campaign: {error}") from error
    return manifest
