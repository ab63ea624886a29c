"""What the protocol leaves open, side by side: who accepts which bytes, with which value; who does the same as whom."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

from conformance.campaign.attempts import MANIFEST, NotThisCampaign, outcomes_name
from conformance.campaign.folder import manifest_of
from conformance.campaign.kernel import AS_APACHE_KAFKA
from conformance.campaign.outcomes import read_outcomes
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

    from conformance.pipeline.storage import Storage

COLUMNS = ("id", "direction", "outcome", "open", "reading")
REJECTS = "rejects"
ENDS = "ends"
ANOTHER = "reads another value"


@dataclass
class Open:
    """What the implementations do with bytes that one rule leaves open."""

    rule: str
    answers: defaultdict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    """By implementation and id: `rejects`, `as Apache Kafka`, `ends`, or the hash of what is read."""

    def counts(self, implementation: str) -> Counter[str]:
        """Return how often an implementation does what; values that Apache Kafka does not read are one sort."""
        known = {REJECTS, ENDS, AS_APACHE_KAFKA}
        answers = self.answers[implementation].values()
        return Counter(answer if answer in known else ANOTHER for answer in answers)

    def classes(self) -> list[list[str]]:
        """Return the implementations, in classes that do the same with all bytes that both were given.

        One is in the class of the first one that it agrees with.
        """
        found: list[list[str]] = []
        for name in sorted(self.answers):
            for members in found:
                if self._agree(name, members[0]):
                    members.append(name)
                    break
            else:
                found.append([name])
        return found

    def _agree(self, one: str, other: str) -> bool:
        mine, theirs = self.answers[one], self.answers[other]
        common = mine.keys() & theirs.keys()
        return bool(common) and all(mine[key] == theirs[key] for key in common)


def compared(folder: Storage) -> list[Open]:
    """Return what was done with unspecified bytes, by rule. Errors are as of `outcomes_of`."""
    found: dict[str, Open] = {}
    for table in outcomes_of(folder, COLUMNS):
        for row in table.filter(table["open"].is_valid()).to_pylist():
            answer = _answer(row["outcome"], row["reading"])
            if answer and row["direction"] == "decode":
                rule = row["open"]
                found.setdefault(rule, Open(rule)).answers[row["implementation"]][row["id"]] = answer
    return [found[rule] for rule in sorted(found)]


def outcomes_of(folder: Storage, columns: Sequence[str] | None = None) -> Iterator[pa.Table]:
    """Yield the outcomes of each task of a finished campaign.

    Raises:
        NotThisCampaign: it is a night, which keeps none; or a file is missing, or not as the manifest says.
    """
    for task in manifest_of(folder)["tasks"]:
        if task["file"] is None:
            raise NotThisCampaign(f"{folder} is a night: it keeps findings, and no outcomes. Run a campaign.")
        name = outcomes_name(task["implementation"], task["file"])
        content = folder.read(name)
        if content is None or sha256(content).hexdigest() != task["fileSha256"]:
            raise NotThisCampaign(f"{folder.within(name)} is missing, or not as {MANIFEST} says")
        yield read_outcomes(content, task["implementation"], columns)


def _answer(outcome: str, reading: str | None) -> str | None:
    """Return what was done; None where nothing was."""
    kind = Kind(outcome)
    if kind in ABSENT:
        return None
    if kind in FATAL:
        return ENDS
    return REJECTS if kind in REFUSALS else reading
