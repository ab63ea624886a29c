"""A campaign beside runs of the suite: which rules that a run shows to be broken the campaign shows, too."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from reference import ConformanceError

if TYPE_CHECKING:
    from conformance.campaign.history import Night
    from conformance.report.facts import RunReport


class NotInCampaign(ConformanceError):
    """A run is of an implementation that the campaign does not have."""


class RuleBeside(NamedTuple):
    """One rule.

    Attributes:
        rule: its id.
        run: the cases that break it in the run, known failures included; 0: none.
        campaign: the same in the campaign.
    """

    rule: str
    run: int
    campaign: int

    @property
    def is_missing(self) -> bool:
        """Whether the campaign should have it, and has not."""
        return bool(self.run) and not self.campaign


def beside(night: Night, run: RunReport) -> list[RuleBeside]:
    """Return the rules that a run of a codec, or the campaign for the same implementation, found broken, by name.

    Raises:
        NotInCampaign: the campaign does not have the run's implementation.
    """
    name = _label(night, run)
    found: Counter[str] = Counter()
    for known, seen in night.findings.items():
        if known.implementation == name:
            found[known.rule] += seen.count
    told: Counter[str] = Counter()
    for finding in run.all_findings:
        told[finding.key.rule] += finding.count
    return [RuleBeside(rule, told[rule], found[rule]) for rule in sorted(told.keys() | found.keys())]


def _label(night: Night, run: RunReport) -> str:
    """Return the campaign's name of the implementation."""
    for name in (run.implementation, run.title, run.impl):
        if name in night.implementations:
            return name
    raise NotInCampaign(
        f"{run.source} is of {run.title}, but the campaign has {', '.join(sorted(night.implementations))}"
    )
