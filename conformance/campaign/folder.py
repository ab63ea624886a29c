"""The folder of a campaign, with the results of its tasks and a manifest.

    campaign.json                                   the parameters; written first
    outcomes/implementation=kio/000012-….parquet    the outcomes of an attempt at a task, except in a night
    _tasks/000012-….json                            the record of an attempt: its parts, hashes and findings
    manifest.json                                   the attempts that count, sums, and one hash over all outcomes
    findings.json                                   the findings, with a smallest case of each

Any number of workers finish the tasks in any order. `outcomes` is a dataset: Spark, pandas and DuckDB read it as it is.
Files of other attempts are deleted there after the manifest is written.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from conformance.campaign.attempts import MANIFEST, Attempts, Json, NotThisCampaign, json_object, kept, remove_others
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
"""The members of a task's record that the manifest has too."""


def prepare(folder: Storage, parameters: Parameters) -> None:
    """Prepare the folder, or check that it holds this campaign.

    Raises:
        NotThisCampaign: the folder holds something else, and is unchanged.
        StorageFailed: the folder cannot be read or written.
    """
    # Places differ between machines, and a campaign may be continued on another one.
    expected = {"format": FORMAT, **parameters.without_places().as_json()}
    keep_parameters(folder, CAMPAIGN, expected, "campaign", NotThisCampaign)


def reopen(folder: Storage) -> None:
    """Delete the manifest of an incomplete campaign, to let attempts write again."""
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
    """Write and return the manifest, and delete the files of other attempts.

    Args:
        folder: the campaign's folder.
        parameters: the campaign's parameters.
        found: the attempts that count.
        seconds: the duration of the campaign.
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
    manifest = json_object(folder.read(MANIFEST))
    if manifest is None or manifest.get("format") != FORMAT:
        raise NotThisCampaign(f"{folder} holds no finished campaign: {MANIFEST} is missing, or of another format")
    try:
        conform(manifest, packaged("conformance.campaign", SCHEMA), MANIFEST)
    except BadInput as error:
        raise NotThisCampaign(f"{folder} holds no finished campaign: {error}") from error
    return manifest
