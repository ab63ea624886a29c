"""The history of campaigns: a Parquet file for each; and what is new in one, gone, and known since when."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa
from pyarrow import parquet

from conformance.campaign.distil import FINDINGS
from conformance.campaign.folder import NotThisCampaign, manifest_of
from conformance.reports.trend import CampaignFacts, Trend
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conformance.pipeline.storage import Storage

SUFFIX = ".parquet"

COLUMNS = pa.schema(
    [
        pa.field("campaign", pa.string(), nullable=False),
        pa.field("finished", pa.string(), nullable=False),
        pa.field("implementation", pa.string(), nullable=False),
        pa.field("version", pa.string(), nullable=False),
        pa.field("cases", pa.int64(), nullable=False),
        pa.field("cases_per_second", pa.float64()),
        pa.field("rule", pa.string()),
        pa.field("outcome", pa.string()),
        pa.field("cluster", pa.string()),
        pa.field("count", pa.int64()),
        pa.field("pairs", pa.int64()),
        pa.field("replay", pa.string()),
    ]
)
"""A row for each finding; one without a rule for each implementation, so that a night without findings is a night."""


class Known(NamedTuple):
    """What makes a finding the same one in two campaigns."""

    implementation: str
    rule: str
    outcome: str
    cluster: str

    def __str__(self) -> str:
        said = f": {self.cluster}" if self.cluster else ""
        return f"{self.implementation}: {self.rule} ({self.outcome}){said}"


@dataclass(frozen=True)
class Night:
    """One campaign of the history."""

    campaign: str
    """The hash of its outcomes."""
    finished: str
    """When, in UTC, as ISO 8601."""
    rows: tuple[dict[str, Any], ...]

    @property
    def implementations(self) -> dict[str, dict[str, Any]]:
        """The rows about the implementations, by name."""
        return {row["implementation"]: row for row in self.rows if row["rule"] is None}

    @property
    def findings(self) -> dict[Known, dict[str, Any]]:
        """The rows about findings."""
        return {Known(*(row[name] for name in Known._fields)): row for row in self.rows if row["rule"] is not None}


class News(NamedTuple):
    """A campaign beside those before it.

    Attributes:
        new: findings that the last campaign of the same implementation did not have.
        gone: findings that it had, and that are no more.
        known: the others, with the time of the first campaign that had them.
        first: implementations that no campaign had before: all their findings are new.
    """

    new: list[Known]
    gone: list[Known]
    known: dict[Known, str]
    first: list[str]


def night_of(folder: Storage) -> Night:
    """Return a finished and distilled campaign as a night of a history.

    Raises:
        NotThisCampaign: it is not finished, or not distilled.
    """
    manifest, text = manifest_of(folder), folder.read(FINDINGS)
    if text is None:
        raise NotThisCampaign(f"{folder} has no {FINDINGS}: run the campaign to its end")
    try:
        return _night(manifest, parse_json(text, FINDINGS))
    except (KeyError, TypeError, AttributeError) as error:
        raise NotThisCampaign(f"{FINDINGS} of {folder} is not as this version writes it: {error!r}") from error


def _night(manifest: dict[str, Any], findings: Any) -> Night:
    about = {"campaign": manifest["sha256"], "finished": manifest["finished"]}
    versions = {each["label"]: each["version"] for each in manifest["parameters"]["subjects"]}
    sums: dict[str, dict[str, Any]] = {
        each["implementation"]: {
            **about,
            "implementation": each["implementation"],
            "version": versions[each["implementation"]],
            "cases": each["cases"],
            "cases_per_second": each["casesPerSecond"],
        }
        for each in manifest["implementations"]
    }
    empty = dict.fromkeys(COLUMNS.names)
    rows = [{**empty, **facts} for facts in sums.values()]
    for finding in findings:
        own = {name: finding[name] for name in ("rule", "outcome", "cluster", "count", "replay")}
        rows.append({**empty, **sums[finding["implementation"]], **own, "pairs": len(finding["pairs"])})
    return Night(manifest["sha256"], manifest["finished"], tuple(rows))


def keep_night(history: Storage, night: Night) -> None:
    """Add a campaign to a history; one that it has is left as it is. Errors are as of `Storage.write`."""
    if any(each.campaign == night.campaign for each in nights(history)):
        return
    buffer = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(list(night.rows), schema=COLUMNS), buffer, compression="zstd")
    history.write(f"{night.finished.replace(':', '-')}-{night.campaign[:8]}{SUFFIX}", buffer.getvalue())


def nights(history: Storage) -> list[Night]:
    """Return the campaigns of a history, the oldest first.

    Raises:
        NotThisCampaign: a file in it is none.
    """
    found = []
    for name, content in history.files("", SUFFIX):
        try:
            rows = parquet.read_table(pa.BufferReader(content), columns=COLUMNS.names).to_pylist()
        except (pa.ArrowException, OSError, KeyError) as error:
            raise NotThisCampaign(f"{history}/{name} is no night of a history: {error}") from error
        if rows:
            found.append(Night(rows[0]["campaign"], rows[0]["finished"], tuple(rows)))
    return sorted(found, key=lambda night: night.finished)


def news(night: Night, before: Sequence[Night]) -> News:
    """Compare a campaign with those before it."""
    earlier = [each for each in before if each.finished < night.finished and each.campaign != night.campaign]
    last: set[Known] = set()
    first = []
    for name in night.implementations:
        own = [each for each in earlier if name in each.implementations]
        last |= {known for known in (own[-1].findings if own else ()) if known.implementation == name}
        first += [] if own else [name]
    now = set(night.findings)
    since = _since(earlier)
    return News(sorted(now - last), sorted(last - now), {known: since[known] for known in sorted(now & last)}, first)


def _since(earlier: Iterable[Night]) -> dict[Known, str]:
    """Return when each finding was first seen."""
    since: dict[Known, str] = {}
    for night in earlier:
        for known in night.findings:
            since.setdefault(known, night.finished)
    return since


def trends_of(nights: Sequence[Night]) -> list[Trend]:
    """Return the trends of a history, whose campaigns come oldest first."""
    found: dict[str, list[CampaignFacts]] = {}
    for index, night in enumerate(nights):
        for name, facts in _facts(night, nights[:index]).items():
            found.setdefault(name, []).append(facts)
    return [Trend(name, tuple(campaigns)) for name, campaigns in sorted(found.items())]


def _facts(night: Night, before: Sequence[Night]) -> dict[str, CampaignFacts]:
    """Return what a campaign says of each implementation, beside the one before of the same."""
    told = news(night, before)
    findings = [known.implementation for known in night.findings]
    new, gone = ([known.implementation for known in each] for each in (told.new, told.gone))
    return {
        name: CampaignFacts(
            night.finished,
            row["version"],
            row["cases"],
            row["cases_per_second"],
            findings.count(name),
            None if name in told.first else new.count(name),
            None if name in told.first else gone.count(name),
        )
        for name, row in night.implementations.items()
    }
