"""The folder of a campaign.

    campaign.json                      the parameters; written first
    batches/batch=0/…                  the rows of each finished batch, until the campaign is finished
    outcomes/implementation=kio/…      the outcomes
    findings.json                      the findings, with a smallest case of each
    found/                             these cases as files
    reports/                           a report of each implementation, as of a run
    manifest.json                      sums, and a hash over all outcomes; written last

`outcomes` is a dataset: Spark, pandas and DuckDB read it as it is.
"""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from conformance.campaign.inputs import kept_rows
from conformance.campaign.part_rows import tried
from conformance.campaign.pipeline.batches import BATCHES, OF_PART, Batches, hash_text, kept_sums, planned
from conformance.campaign.pipeline.engines import GO_ON, Dataset, Work
from conformance.campaign.pipeline.errors import JobFailed
from conformance.campaign.pipeline.storage import Storage, keep_parameters, manifest_in
from conformance.campaign.rows import COLUMNS, IMPLEMENTATION, OUTCOME, OUTCOME_COLUMNS, OUTCOMES, hash_of_columns
from reference.errors import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.campaign.pipeline.engines import Engine, Row
    from conformance.campaign.plan import Parameters
    from conformance.campaign.preparation import Campaign

Json = dict[str, Any]
Form = TypeVar("Form")

FORMATS = (2, 3)
"""The formats of a manifest, those of its schema; the last one is written. The first has other hashes."""

CAMPAIGN, FINDINGS, MANIFEST = "campaign.json", "findings.json", "manifest.json"
FORMAT = "format"

FOLDERS = ("kind", IMPLEMENTATION)
KEYS, SUMMED = (IMPLEMENTATION, "direction", "outcome"), ("cases", "deaths", "seconds", "has_faults")
MEMBERS = frozenset(("rows", "hash", "cases", "casesPerSecond", "deaths", "outcomes", "faults"))
"""The members of a finished campaign's manifest for each implementation, with what is printed of them."""
MOST_FAULTS = 100


class NotThisCampaign(ConformanceError):
    """A folder without the requested campaign, or without a finished one."""


def prepare(folder: Storage, parameters: Parameters, form: str = "parquet") -> None:
    """Prepare the folder, or check that it holds this campaign, with the errors of `keep_parameters`."""
    # Places differ between machines, and a campaign may be continued on another one.
    files = {"files": form} if form != "parquet" else {}
    expected = {FORMAT: FORMATS[-1], **files, **parameters.without_places().as_json()}
    keep_parameters(folder, CAMPAIGN, expected, "campaign", NotThisCampaign)


def batches_of(folder: Storage, campaign: Campaign, run: str, form: str = "parquet") -> Batches:
    """Return the batches of a campaign in its folder, for a run of it with a name of its own."""
    parameters = campaign.parameters
    parts = planned(parameters.digest, [part.planned for part in campaign.parts])
    about = f"campaign of {', '.join(subject.label for subject in parameters.subjects)}"
    work = Work(partial(tried, parameters, run), COLUMNS, about, GO_ON)
    given = kept_rows(Storage(parameters.corpus), parameters.release) if parameters.corpus else None
    return Batches(folder, parts, work, FOLDERS, KEYS, SUMMED, form, given)


def outcomes_of(folder: Storage, form: str = "parquet") -> Dataset:
    """Return the outcomes of a finished campaign."""
    return Dataset(folder.within(OUTCOMES), OUTCOME_COLUMNS, (IMPLEMENTATION,), form)


def publish(engine: Engine, batches: Batches) -> None:
    """Write the outcomes of all batches as one dataset."""
    names = ", ".join(OUTCOME_COLUMNS)
    sql = f"select {names} from {{batches}} where kind = 'outcome'"  # noqa: S608  # own names
    engine.publish(sql, outcomes_of(batches.folder, batches.format), batches=batches.dataset)


_FAULTS = "select implementation, faults from {batches} where faults is not null order by implementation, number"


def manifest_of_batches(
    engine: Engine, batches: Batches, parameters: Parameters, sums: Sequence[Row], seconds: float
) -> Json:
    """Return the manifest of a campaign of some seconds, by the sums of all batches."""
    has_faults = any(row["has_faults"] for row in sums)
    faults = engine.query(_FAULTS, batches=batches.dataset) if has_faults else []
    return {**manifest_of_sums(parameters, sums, faults, seconds, len(batches.parts)), "files": batches.format}


def manifest_of_sums(
    parameters: Parameters, sums: Sequence[Row], faults: Sequence[Row], seconds: float, parts: int
) -> Json:
    """Return the manifest of a campaign that ends now after some seconds.

    `sums` are rows about parts, or sums of these and of outcomes. `faults` are rows about parts, those with faults at
    least.
    """
    own = [_sum(each.label, sums, faults) for each in parameters.subjects]
    return {
        FORMAT: FORMATS[-1],
        "parameters": parameters.without_places().as_json(),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 1),
        "rows": sum(each["rows"] for each in own),
        "hash": hash_text(int(each["hash"], 16) for each in own),
        "implementations": own,
        "parts": parts,
    }


def _sum(label: str, sums: Sequence[Row], faults: Sequence[Row]) -> Json:
    own = [row for row in sums if row[IMPLEMENTATION] == label]
    parts = [row for row in own if row["kind"] == OF_PART]
    rows, cases, seconds, deaths = (sum(row[name] for row in parts) for name in ("rows", "cases", "seconds", "deaths"))
    outcomes = Counter[tuple[str, str]]()
    for row in own:
        if row["kind"] == OUTCOME:
            outcomes[row["direction"], row["outcome"]] += row["number"]
    texts = [fault for row in faults if row[IMPLEMENTATION] == label for fault in _faults(row)]
    return {
        IMPLEMENTATION: label,
        "rows": rows,
        "hash": hash_text(int(row["hash"]) for row in parts),
        "cases": cases,
        "secondsOfWork": round(seconds, 3),
        "casesPerSecond": round(cases / seconds, 1) if seconds else None,
        "deaths": deaths,
        "outcomes": [[*key, count] for key, count in sorted(outcomes.items())],
        "faults": texts[:MOST_FAULTS],
    }


def _faults(row: Row) -> list[str]:
    return list(json.loads(row.get("faults") or "[]"))


def finish(folder: Storage, manifest: Json) -> None:
    """Write the manifest, and delete the batches, whose outcomes are a dataset now."""
    write_document(folder, MANIFEST, manifest)
    folder.remove(BATCHES)


def write_document(folder: Storage, name: str, document: object) -> None:
    """Write a JSON file."""
    folder.write(name, (json.dumps(document, indent=1) + "\n").encode())


def read_document(form: type[Form], content: bytes, name: str, problem: str, advice: str = "") -> Form:
    """Return the content of a JSON file in a form of msgspec.

    Raises:
        NotThisCampaign: the content has another form. The text has the problem, the error and the advice.
    """
    try:
        return msgspec.convert(parse_json(content, name), form)
    except (BadInput, msgspec.ValidationError) as error:
        raise NotThisCampaign(f"{problem}: {error}{advice}") from error


def reopen(folder: Storage, engine: Engine) -> Json | str:
    """Return the manifest of a campaign if its outcomes are there, else what is wrong with them.

    In the latter case the manifest is deleted, unless they cannot be read, since the engine may be the reason. The text
    is empty if the campaign is not finished.
    """
    try:
        manifest = manifest_of(folder)
        problem = _problem(folder, manifest, engine)
    except NotThisCampaign as error:
        return "" if folder.read(MANIFEST) is None else str(error)
    except JobFailed as error:
        return f"{folder.within(OUTCOMES)} cannot be read: {error.reason}"
    if not problem:
        folder.remove(BATCHES)
        return manifest
    folder.remove(MANIFEST)
    return problem


def _problem(folder: Storage, manifest: Json, engine: Engine) -> str:
    outcomes = outcomes_of(folder, manifest.get("files", "parquet"))
    rows = kept_sums(engine, outcomes, {IMPLEMENTATION: "string"}, hash_of_columns)
    for each in manifest["implementations"]:
        if lacking := (MEMBERS - each.keys()) | ({"seconds"} - manifest.keys()):
            return f"{MANIFEST} in {folder} lacks {', '.join(sorted(lacking))}"
        own = [row for row in rows if row[IMPLEMENTATION] == each[IMPLEMENTATION]]
        count, total = sum(row["number"] for row in own), hash_text(row["hash"] for row in own)
        if (count, total) != (each["rows"], each["hash"]):
            found = f"{outcomes.place} has {count:,} outcomes of {each[IMPLEMENTATION]} with the hash {total}"
            return f"{found}, and {MANIFEST} says {each['rows']:,} and {each['hash']}"
    return "" if folder.read(FINDINGS) is not None else f"{FINDINGS} is missing"


def manifest_of(folder: Storage) -> Json:
    """Return the manifest of a finished campaign, or raise NotThisCampaign."""
    return manifest_in(folder, MANIFEST, "conformance.campaign", "campaign", NotThisCampaign)
