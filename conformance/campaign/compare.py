"""A comparison of implementations on bytes that the protocol leaves open, by acceptance, value and equal behaviour."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from conformance.campaign.folder import NotThisCampaign, manifest_of, outcomes_of
from conformance.campaign.kernel import AS_APACHE_KAFKA
from conformance.targets.outcome import ABSENT, FATAL, REFUSALS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.campaign.pipeline.engines import Dataset, Engine
    from conformance.campaign.pipeline.storage import Storage

REJECTS = "rejects"
ENDS = "ends"
ANOTHER = "reads another value"


def _listed(kinds: Iterable[object]) -> str:
    return ", ".join(sorted(f"'{kind}'" for kind in kinds))


_ANSWERS = f"""
with answers as (
    select open as rule, id, implementation,
           case when outcome in ({_listed(FATAL)}) then '{ENDS}' when outcome in ({_listed(REFUSALS)}) then '{REJECTS}'
                else reading end as answer
    from {{outcomes}} where open is not null and direction = 'decode' and outcome not in ({_listed(ABSENT)})
)
"""  # noqa: S608  # own names
_COUNTS = f"""{_ANSWERS}
select rule, implementation,
       case when answer in ('{ENDS}', '{REJECTS}', '{AS_APACHE_KAFKA}') then answer else '{ANOTHER}' end as answer,
       count(*) as times
from answers where answer is not null group by all
"""  # noqa: S608  # own names
_AGREEMENT = f"""{_ANSWERS}
select a.rule, a.implementation as one, b.implementation as other,
       sum(case when a.answer = b.answer then 0 else 1 end) as different
from answers a join answers b on a.rule = b.rule and a.id = b.id and a.implementation < b.implementation
where a.answer is not null and b.answer is not null
group by a.rule, a.implementation, b.implementation
"""  # noqa: S608  # own names


@dataclass
class Open:
    """The behaviour of implementations on bytes left open by one rule."""

    rule: str
    counts: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """The number of each answer, by implementation. All values other than Apache Kafka's are one answer."""
    agreeing: set[frozenset[str]] = field(default_factory=set)
    """Pairs of implementations with the same answers to all bytes given to both."""

    @property
    def implementations(self) -> list[str]:
        """The implementations with an answer, by name."""
        return sorted(self.counts)

    def classes(self) -> list[list[str]]:
        """Return the implementations in classes with the same behaviour.

        Members of a class agree on all bytes given to both. An implementation is in the first class with a first member
        that agrees with it.
        """
        found: list[list[str]] = []
        for name in self.implementations:
            agreeing = [members for members in found if frozenset((name, members[0])) in self.agreeing]
            if agreeing:
                agreeing[0].append(name)
            else:
                found.append([name])
        return found


def compared(engine: Engine, folder: Storage) -> list[Open]:
    """Return the behaviour of all implementations on unspecified bytes, by rule.

    Raises:
        NotThisCampaign: there is no finished campaign, or it is a night, without outcomes.
        JobFailed: the outcomes cannot be read.
    """
    manifest = manifest_of(folder)
    if not manifest["parameters"].get("keeps_rows", True):
        raise NotThisCampaign(f"{folder} is a night: it keeps findings, and no outcomes. Run a campaign.")
    form = manifest.get("files", "parquet")
    if form not in engine.formats:
        raise NotThisCampaign(f"{folder} has outcomes in the format {form}, which is read on Spark: see --master.")
    return answers_in(engine, outcomes_of(folder, form))


def answers_in(engine: Engine, outcomes: Dataset) -> list[Open]:
    """Return the behaviour of implementations in a dataset of outcomes, by rule."""
    found: dict[str, Open] = {}
    for row in engine.query(_COUNTS, outcomes=outcomes):
        own = found.setdefault(row["rule"], Open(row["rule"]))
        own.counts[row["implementation"]][row["answer"]] += row["times"]
    for row in engine.query(_AGREEMENT, outcomes=outcomes):
        if not row["different"]:
            found[row["rule"]].agreeing.add(frozenset((row["one"], row["other"])))
    return [found[rule] for rule in sorted(found)]
