"""The trend of campaigns: how many findings each implementation had, from one campaign to the next.

The facts are those of a history of campaigns, whoever has read it; pages draw them.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CampaignFacts:
    """What one campaign found in one implementation.

    Attributes:
        finished: when, in UTC, as ISO 8601.
        version: of the implementation.
        cases: how many it was given.
        cases_per_second: None: the history does not say.
        findings: how many, told apart by rule, outcome and what the implementation says.
        new, gone: how many the campaign of it before did not have, and had alone; None: there was none.
    """

    finished: str
    version: str
    cases: int
    cases_per_second: float | None
    findings: int
    new: int | None = None
    gone: int | None = None


@dataclass(frozen=True)
class Trend:
    """The campaigns of one implementation, the oldest first."""

    implementation: str
    campaigns: tuple[CampaignFacts, ...]
