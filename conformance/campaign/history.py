"""The history of campaigns, a JSON file for each.

A comparison with it gives a campaign's new, gone and known findings, with the date of the first appearance.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct

from conformance.campaign.folder import FINDINGS, NotThisCampaign, manifest_of
from conformance.judge.events import Count  # noqa: TC001  # msgspec looks it up
from conformance.report.changes import CampaignFacts, Trend
from reference import ConformanceError
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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
    """A finding of a campaign.

    Attributes:
        known: its identity across campaigns.
        count: the number of its cases.
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
        tested: its implementations.
        seen: its findings.
    """

    campaign: str
    finished: str
    tested: tuple[Totals, ...]
    seen: tuple[PastFinding, ...]

    @property
    def file(self) -> str:
        """The name of its file in a history.

        Another campaign may have the same outcomes, so the end belongs to the identity of a campaign.
        """
        return f"{self.finished.replace(':', '-')}-{self.campaign[:8]}{SUFFIX}"

    @property
    def implementations(self) -> dict[str, Totals]:
        """The implementations by name."""
        return {each.implementation: each for each in self.tested}

    @property
    def findings(self) -> dict[FindingId, PastFinding]:
        """The findings by identity."""
        return {each.known: each for each in self.seen}


class Changes(NamedTuple):
    """The differences between a campaign and earlier ones.

    Attributes:
        new: findings absent from the implementation's previous campaign.
        gone: findings of that campaign, absent now.
        known: the other findings, with the time of the first campaign with them.
        first: implementations without an earlier campaign: all their findings are new.
    """

    new: list[FindingId]
    gone: list[FindingId]
    known: dict[FindingId, str]
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
        return _night(manifest, msgspec.convert(parse_json(text, FINDINGS), list[FindingForm]))
    except (KeyError, BadInput, msgspec.ValidationError) as error:
        problem = f"{FINDINGS} of {folder} is not as this version writes it: {error}"
        raise NotThisCampaign(f"{problem}. Run the campaign again") from error


class FindingForm(Struct):
    """The form of a finding in findings.json, but for its example."""

    implementation: str
    rule: str
    outcome: str
    cluster: str
    count: Count
    pairs: list[str]
    replay: str

    @property
    def past(self) -> PastFinding:
        """The finding in the form of a history."""
        known = FindingId(self.implementation, self.rule, self.outcome, self.cluster)
        return PastFinding(known, self.count, len(self.pairs), self.replay)


def _night(manifest: dict[str, Any], findings: Iterable[FindingForm]) -> Night:
    versions = {each["label"]: each["version"] for each in manifest["parameters"]["subjects"]}
    tested = (
        Totals(name, versions[name], each["cases"], each["casesPerSecond"])
        for each in manifest["implementations"]
        for name in [each["implementation"]]
    )
    return Night(
        manifest.get("hash") or manifest["sha256"],
        manifest["finished"],
        tuple(tested),
        tuple(each.past for each in findings),
    )


def keep_night(history: Storage, night: Night) -> None:
    """Add a campaign to a history, unless the history has it already.

    Other errors are those of `Storage.write`.

    Raises:
        NotThisCampaign: the folder has files, and no campaigns.
    """
    names = history.names()
    if names and not nights(history):
        raise NotThisCampaign(f"{history} holds something that is no history of campaigns. Name a new or empty folder.")
    if night.file not in names:
        history.write(night.file, (json.dumps(msgspec.to_builtins(night), indent=1) + "\n").encode())


def nights(history: Storage) -> list[Night]:
    """Return the campaigns of a history, the oldest first.

    Raises:
        NotThisCampaign: a file in it is no campaign.
    """
    found = []
    for name, content in history.files(SUFFIX):
        try:
            found.append(msgspec.convert(parse_json(content, name), Night))
        except (BadInput, msgspec.ValidationError) as error:
            raise NotThisCampaign(f"{history}/{name} is no night of a history: {error}") from error
    return sorted(found, key=lambda night: night.finished)


def news(night: Night, before: Sequence[Night]) -> Changes:
    """Compare a campaign with the earlier ones."""
    past = earlier(night, before)
    last, now = last_known(night.implementations, past), set(night.findings)
    first = [name for name in night.implementations if not any(name in each.implementations for each in past)]
    since = _since(past)
    return Changes(sorted(now - last), sorted(last - now), {known: since[known] for known in sorted(now & last)}, first)


def earlier(night: Night, history: Iterable[Night]) -> list[Night]:
    """Return the campaigns of a history before one."""
    return [each for each in history if each.finished <= night.finished and each.file != night.file]


def last_known(names: Iterable[str], before: Sequence[Night]) -> set[FindingId]:
    """Return the findings of the last campaign of each implementation."""
    last: set[FindingId] = set()
    for name in names:
        own = [each for each in before if name in each.implementations]
        last |= {known for known in (own[-1].findings if own else ()) if known.implementation == name}
    return last


def _since(earlier: Iterable[Night]) -> dict[FindingId, str]:
    """Return the time of the first campaign with each finding."""
    since: dict[FindingId, str] = {}
    for night in earlier:
        for known in night.findings:
            since.setdefault(known, night.finished)
    return since


def trends_of(nights: Sequence[Night]) -> list[Trend]:
    """Return the trends of a history, ordered from the oldest campaign."""
    found: dict[str, list[CampaignFacts]] = {}
    for index, night in enumerate(nights):
        for name, facts in _facts(night, nights[:index]).items():
            found.setdefault(name, []).append(facts)
    return [Trend(name, tuple(campaigns)) for name, campaigns in sorted(found.items())]


def _facts(night: Night, before: Sequence[Night]) -> dict[str, CampaignFacts]:
    """Return a campaign's facts about each implementation.

    New and gone findings are counted in relation to the implementation's previous campaign.
    """
    changes = news(night, before)
    findings = [known.implementation for known in night.findings]
    new, gone = ([known.implementation for known in each] for each in (changes.new, changes.gone))
    return {
        name: CampaignFacts(
            night.finished,
            tested.version,
            tested.cases,
            tested.cases_per_second,
            findings.count(name),
            None if name in changes.first else new.count(name),
            None if name in changes.first else gone.count(name),
        )
        for name, tested in night.implementations.items()
    }


class NotInCampaign(ConformanceError):
    """A run of an implementation without results in the campaign."""


class RuleBeside(NamedTuple):
    """One rule in a run and in a campaign.

    Attributes:
        rule: its id.
        run: the number of cases of the run that break it, known failures included.
        campaign: the same in the campaign.
    """

    rule: str
    run: int
    campaign: int

    @property
    def is_missing(self) -> bool:
        """Whether the campaign lacks the rule though the run has it."""
        return bool(self.run) and not self.campaign


def beside(night: Night, run: RunReport) -> list[RuleBeside]:
    """Return the rules found broken by a run or a campaign, by name.

    Both are of the same implementation of a codec.

    Raises:
        NotInCampaign: the campaign does not have the run's implementation.
    """
    name = _label(night, run)
    in_campaign: Counter[str] = Counter()
    for known, seen in night.findings.items():
        if known.implementation == name:
            in_campaign[known.rule] += seen.count
    in_run: Counter[str] = Counter()
    for finding in run.all_findings:
        in_run[finding.key.rule] += finding.count
    return [RuleBeside(rule, in_run[rule], in_campaign[rule]) for rule in sorted(in_run.keys() | in_campaign.keys())]


def _label(night: Night, run: RunReport) -> str:
    """Return the campaign's name of the implementation."""
    # A campaign labels an implementation with its version, or as the user does, if two have the same name.
    for name in (run.implementation, run.title, run.impl):
        if name in night.implementations:
            return name
    raise NotInCampaign(
        f"{run.source} is of {run.title}, but the campaign has {', '.join(sorted(night.implementations))}"
    )
