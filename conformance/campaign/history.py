"""The history of campaigns, a JSON file for each, and a campaign's new, gone and known findings beside it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from msgspec import Struct

from conformance.campaign.folder import FINDINGS, NotThisCampaign, manifest_of, read_document, write_document
from conformance.judge.events import Count  # noqa: TC001  # msgspec looks it up
from conformance.report.changes import CampaignFacts, Trend
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conformance.campaign.folder import Json
    from conformance.campaign.pipeline.storage import Storage
    from conformance.report.facts import RunReport

SUFFIX = ".json"


class FindingId(NamedTuple):
    """The identity of a finding across campaigns."""

    implementation: str
    rule: str
    outcome: str
    cluster: str

    def __str__(self) -> str:
        cluster = f": {self.cluster}" if self.cluster else ""
        return f"{self.implementation}: {self.rule} ({self.outcome}){cluster}"


class Totals(Struct, frozen=True):
    """The totals of an implementation in a campaign."""

    implementation: str
    version: str
    cases: int
    cases_per_second: float | None


class PastFinding(Struct, frozen=True):
    """A finding of a campaign, with its identity across campaigns.

    Attributes:
        count: the number of its cases; 0 if a night did not try it, and so keeps it from the night before.
        pairs: the number of message versions with it.
        replay: the command to run its smallest case.
    """

    known: FindingId
    count: int
    pairs: int
    replay: str


class Night(Struct, frozen=True):
    """One campaign of a history.

    Attributes:
        campaign: the hash of its outcomes.
        finished: its end in UTC, as ISO 8601.
    """

    campaign: str
    finished: str
    tested: tuple[Totals, ...]
    seen: tuple[PastFinding, ...]

    @property
    def file(self) -> str:
        """The name of its file in a history, with its end, since another campaign may have the same outcomes."""
        return f"{self.finished.replace(':', '-')}-{self.campaign[:8]}{SUFFIX}"

    @property
    def implementations(self) -> dict[str, Totals]:
        """The implementations by name."""
        return {each.implementation: each for each in self.tested}

    @property
    def findings(self) -> dict[FindingId, PastFinding]:
        """The findings by identity."""
        return {each.known: each for each in self.seen}

    def findings_of(self, implementation: str) -> dict[FindingId, PastFinding]:
        """Return the findings of one implementation by identity."""
        return {known: seen for known, seen in self.findings.items() if known.implementation == implementation}


class Changes(NamedTuple):
    """The differences between a campaign and earlier ones.

    Attributes:
        new: findings absent from the implementation's previous campaign.
        gone: findings of that campaign, absent now.
        known: the other findings, with the time of the first campaign with them.
        untried: findings of that campaign that this one did not try, neither gone nor known.
        first: implementations without an earlier campaign: all their findings are new.
    """

    new: list[FindingId]
    gone: list[FindingId]
    known: dict[FindingId, str]
    untried: list[FindingId]
    first: list[str]


class FindingForm(Struct):
    """The form of a finding in findings.json, but for its example."""

    implementation: str
    rule: str
    outcome: str
    cluster: str
    count: Count
    pairs: list[str]
    replay: str


def night_of(folder: Storage) -> Night:
    """Return a finished and distilled campaign as a night of a history.

    Raises:
        NotThisCampaign: it is not finished, or not distilled.
    """
    manifest, text = manifest_of(folder), folder.read(FINDINGS)
    if text is None:
        raise NotThisCampaign(f"{folder} has no {FINDINGS}: run the campaign to its end")
    problem = f"{FINDINGS} of {folder} is not as this version writes it"
    return night_from(manifest, read_document(list[FindingForm], text, FINDINGS, problem, ". Run the campaign again"))


def night_from(manifest: Json, findings: Iterable[FindingForm]) -> Night:
    """Return a campaign with a manifest and findings as a night of a history."""
    versions = {each["label"]: each["version"] for each in manifest["parameters"]["subjects"]}
    tested = (
        Totals(each["implementation"], versions.get(each["implementation"], ""), each["cases"], each["casesPerSecond"])
        for each in manifest["implementations"]
    )
    seen = (
        PastFinding(
            FindingId(each.implementation, each.rule, each.outcome, each.cluster),
            *(each.count, len(each.pairs), each.replay),
        )
        for each in findings
    )
    return Night(manifest.get("hash") or manifest["sha256"], manifest["finished"], tuple(tested), tuple(seen))


def keep_night(history: Storage, night: Night) -> None:
    """Add a campaign to a history, unless the history has it already, with the errors of `Storage.write`.

    Raises:
        NotThisCampaign: the folder has files, and no campaigns.
    """
    names = history.names()
    if names and not nights(history):
        raise NotThisCampaign(f"{history} holds something that is no history of campaigns. Name a new or empty folder.")
    if night.file not in names:
        write_document(history, night.file, msgspec.to_builtins(night))


def nights(history: Storage) -> list[Night]:
    """Return the campaigns of a history, the oldest first.

    Raises:
        NotThisCampaign: a file in it is no campaign.
    """
    found = [
        read_document(Night, content, name, f"{history}/{name} is no night of a history")
        for name, content in history.files(SUFFIX)
    ]
    return sorted(found, key=lambda night: night.finished)


def news(night: Night, history: Sequence[Night]) -> Changes:
    """Compare a campaign with the earlier ones of a history."""
    before = earlier(night, history)
    tested = {name for each in before for name in each.implementations}
    last, seen = last_known(night.implementations, before).keys(), night.findings
    untried = sorted(known for known, each in seen.items() if not each.count)
    now = seen.keys() - untried
    since = {known: each.finished for each in reversed(before) for known in each.findings}
    return Changes(
        new=sorted(now - last),
        gone=sorted(last - seen.keys()),
        known={known: since[known] for known in sorted(now & last)},
        untried=untried,
        first=[name for name in night.implementations if name not in tested],
    )


def earlier(night: Night, history: Iterable[Night]) -> list[Night]:
    """Return the campaigns of a history before one."""
    return [each for each in history if each.finished <= night.finished and each.file != night.file]


def last_known(names: Iterable[str], before: Sequence[Night]) -> dict[FindingId, PastFinding]:
    """Return the findings of the last campaign of each implementation."""
    last = {name: night for night in before for name in night.implementations}
    return {known: seen for name in names if name in last for known, seen in last[name].findings_of(name).items()}


def trends_of(nights: Iterable[Night]) -> list[Trend]:
    """Return the trends of a history from the oldest campaign on, with changes since an implementation's last one."""
    campaigns: dict[str, list[CampaignFacts]] = {}
    last: dict[str, set[FindingId]] = {}
    for night in nights:
        for name, tested in night.implementations.items():
            now = set(night.findings_of(name))
            new, gone = (len(now - last[name]), len(last[name] - now)) if name in last else (None, None)
            facts = (tested.version, tested.cases, tested.cases_per_second)
            campaigns.setdefault(name, []).append(CampaignFacts(night.finished, *facts, len(now), new, gone))
            last[name] = now
    return [Trend(name, tuple(own)) for name, own in sorted(campaigns.items())]


class NotInCampaign(ConformanceError):
    """A run of an implementation without results in the campaign."""


def beside(night: Night, run: RunReport) -> tuple[Counter[str], Counter[str]]:
    """Return the numbers of cases that break each rule in a run, known failures included, and in a campaign.

    Both are of the same implementation of a codec.

    Raises:
        NotInCampaign: the campaign does not have the run's implementation.
    """
    # A campaign labels an implementation with its version, or as the user does, if two have the same name.
    names = [name for name in (run.implementation, run.title, run.impl) if name in night.implementations]
    if not names:
        tested = ", ".join(sorted(night.implementations))
        raise NotInCampaign(f"{run.source} is of {run.title}, but the campaign has {tested}")
    in_run, in_campaign = Counter[str](), Counter[str]()
    for finding in run.all_findings:
        in_run[finding.key.rule] += finding.count
    for known, seen in night.findings_of(names[0]).items():
        in_campaign[known.rule] += seen.count
    return in_run, in_campaign
