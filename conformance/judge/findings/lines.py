"""The lines of a report: one event a line, each kind a class, and the JSON Schema that is made of the classes."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from conformance.definitions.catalogue import catalogue
from conformance.judge.events import Count  # noqa: TC001  # msgspec looks it up
from conformance.judge.findings.finding import Amplification
from conformance.judge.forms import Broken, Key, Limit

Status = Literal["new", "known"]

UNKNOWN_LEVEL = "must"
"""The level of a rule that this version of the catalogue does not have."""


class Run(Struct, kw_only=True, tag_field="event", tag="run"):
    """What was tested, with what.

    Attributes:
        suite: the version of the suite.
        kind: a codec by its functions, a server or a client behind a port, or the frames of a capture.
        impl: as `--impl` names it; of a server `broker:HOST:PORT`, of a client its command, of a capture its name.
        release: the Kafka release by whose definitions it was tested.
        implementation: its name.
        implementation_version: its version.
        client: the command of a client.
        capture: the name of a capture.
        options: that commands about this run need, as `--release 3.9.1`.
        depth: how many random values were tried.
        pairs: how many messages and versions were selected.
    """

    suite: str
    kind: Literal["codec", "server", "client", "capture"]
    impl: str
    release: str
    implementation: str | UnsetType = UNSET
    implementation_version: str | UnsetType = UNSET
    client: str | UnsetType = UNSET
    capture: str | UnsetType = UNSET
    options: list[str] | UnsetType = UNSET
    depth: str | UnsetType = UNSET
    pairs: Count | UnsetType = UNSET


class ExtentLine(Struct, tag_field="event", tag="extent", omit_defaults=True):
    """How much of a run it is: how it ended, what ended it or was left out, and how many tests ran."""

    state: Literal["collected", "interrupted", "stopped", "partial", "complete"]
    why: str
    items: Count | None = None


class AdapterFault(Struct, tag_field="event", tag="adapter-fault"):
    """A mistake of the adapter itself: its kind, the first example, how many there were."""

    kind: str
    text: str
    count: Count


class CaseCounts(Struct, tag_field="event", tag="case-counts"):
    """Cases by sort; outcomes by direction and kind."""

    cases: dict[str, Count]
    outcomes: list[tuple[str, str, Count]]


class SharedLine(Struct, tag_field="event", tag="shared"):
    """What is left to the run of a base release: its name, pairs, other names, and how much was selected in all."""

    release: str
    pairs: list[str]
    others: list[str]
    selected: Count


class NotTested(Struct, tag_field="event", tag="not-tested"):
    """A part of the suite that the adapter does not offer."""

    what: str
    why: str


class Representation(Struct, tag_field="event", tag="representation"):
    """What null stands for, as the adapter declares it."""

    text: str


class NotCompared(Struct, tag_field="event", tag="not-compared"):
    """What the adapter does not show, and nobody compares."""

    text: str


class Note(Struct, tag_field="event", tag="note"):
    """What the adapter says besides."""

    text: str


class Conclusive(Struct, tag_field="event", tag="conclusive"):
    """The fraction of a sort of cases that is made from values which are taken."""

    cases: str
    fraction: Annotated[float, Meta(ge=0, le=1)]


class Inconclusive(Struct, tag_field="event", tag="inconclusive"):
    """Cases of a sort that prove nothing in a pair, since the valid value behind them is refused as well."""

    cases: str
    pair: str
    count: Count


class AdaptedBase(Struct, tag_field="event", tag="adapted-base"):
    """A field in which cases have another value than the usual one, which is refused."""

    pair: str
    path: str


class UnspecifiedProfile(Struct, tag_field="event", tag="unspecified-profile"):
    """How often what a rule leaves open was accepted, or was not."""

    rule: str
    accepts: bool
    count: Count


class BeyondLimit(Struct, tag_field="event", tag="beyond-limit"):
    """Values beyond a declared limit that were refused, which is legal."""

    name: str
    count: Count


class UnspecifiedReading(Struct, tag_field="event", tag="unspecified-reading"):
    """How often accepted bytes were read as another value than by Apache Kafka."""

    rule: str
    reading: str
    count: Count


class Untried(Struct, tag_field="event", tag="unsupported"):
    """Calls for a message that the implementation does not offer."""

    message: str
    reason: str
    count: Count


class UnrepresentableLine(Untried, tag_field="event", tag="unrepresentable"):
    """Calls with values that its types cannot hold."""


class NotRun(Untried, tag_field="event", tag="not-run"):
    """Cases that were left out, since others like them had ended or stopped it."""


class ReasonLine(Struct, tag_field="event", tag="reason"):
    """How often bytes were rejected for a reason, beside that of the reference."""

    reference: str
    given: str
    count: Count


class Coverage(NamedTuple):
    """How much one test of the suite did for one pair.

    Attributes:
        tried: cases.
        failed: distinct cases that broke a rule, and not only as known failures do; of random search the findings.
        known: distinct cases that broke a rule, all of them as known failures do; of random search the findings.
        skipped: calls without an answer: not offered, not to be held by the types, not run.
        inconclusive: cases that prove nothing, since the valid value behind them is refused; they are not in `tried`.
    """

    tried: int = 0
    failed: int = 0
    known: int = 0
    skipped: int = 0
    inconclusive: int = 0

    def plus(self, other: Coverage) -> Coverage:
        """Return the sum of both."""
        return Coverage(*(one + more for one, more in zip(self, other, strict=True)))


class TestCounts(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What one test did for a pair; see `Coverage`."""

    tried: Count = 0
    failed: Count = 0
    known: Count = 0
    skipped: Count = 0
    inconclusive: Count = 0


class Pair(Struct, tag_field="event", tag="pair"):
    """How much each test did for a message and version."""

    pair: str
    tests: dict[str, TestCounts]


class RuleTried(Struct, tag_field="event", tag="rule"):
    """In how many pairs a deterministic case tried a rule."""

    rule: str
    pairs: Count


class SuiteError(Struct, tag_field="event", tag="error"):
    """A test that ended in an error of the suite."""

    item: str


class Seen(Struct, tag_field="event", tag="seen"):
    """How often a message was seen in a capture, and how often as it must be written."""

    message: str
    version: int
    frames: Count
    canonical: Count
    departing: Count
    unknown: Count


class ViolationLine(Broken, kw_only=True, frozen=True, tag_field="event", tag="violation"):
    """The most telling case of a finding in one item of the suite; its number of cases, by field."""

    count: Count
    fields: dict[str, Count]


class Origin(Struct, frozen=True):
    """The finding that another one follows from, and why."""

    rule: str
    outcome: str
    cluster: str
    why: str

    @property
    def key(self) -> Key:
        """What it has in common with its cases."""
        return Key(self.rule, self.outcome, self.cluster)


class Amplified(Struct, frozen=True):
    """What hostile bytes take: see `conformance.judge.findings.finding.Amplification`."""

    sent: Count
    memory: Count
    seconds: Annotated[float, Meta(ge=0)]
    is_least: bool

    def __str__(self) -> str:
        return str(Amplification(*structs.astuple(self)))


class FindingLine(Struct, kw_only=True, frozen=True, tag_field="event", tag="finding", omit_defaults=True):
    """All violations with one rule, outcome and cluster.

    Attributes:
        count: deterministic cases, and of random search one for each pair.
        pairs: as `FetchRequest-v17`, sorted.
        fields: with the number of cases, the most frequent first.
        common: what all of its values have, and none that was taken, as `a null`.
        amplification: the most memory or time that its bytes take; missing: nothing is known of that.
        impact: what it does to users.
        example: the most telling case.
        replay: the command that tries it again.
        follows: what it follows from; missing: it is a cause, or a known failure.
        entry: of known failures, which covers it; missing for a new finding.
        reason, link: of the entry.
    """

    rule: str
    outcome: str
    cluster: str
    count: Count
    pairs: list[str]
    fields: dict[str, Count]
    common: list[str] = []
    amplification: Amplified | UnsetType = UNSET
    impact: Literal["valid-rejected", "wrong-value", "wrong-bytes", "fatal", "invalid-accepted"]
    example: Broken
    replay: str
    follows: Origin | UnsetType = UNSET
    entry: str = ""
    reason: str = ""
    link: str = ""

    @property
    def key(self) -> Key:
        """Rule, outcome and cluster."""
        return Key(self.rule, self.outcome, self.cluster)

    @property
    def status(self) -> Status:
        """Whether the file of known failures has it."""
        return "known" if self.entry else "new"

    @property
    def level(self) -> str:
        """The level of its rule: must, should or unspecified."""
        rule = catalogue().get(self.rule)
        return rule.level if rule else UNKNOWN_LEVEL


class KnownFailureLine(FindingLine, frozen=True, tag_field="event", tag="known-failure", omit_defaults=False):
    """A finding that an entry of known failures covers."""


class Summary(Struct, tag_field="event", tag="summary", rename="kebab"):
    """The last line: how many causes and findings, known failures by entry, and what is wrong with the entries."""

    causes: Count
    findings: Count
    known: dict[str, Count]
    unclassified: dict[str, Count] = {}
    stale: list[str] = []
    double: list[str] = []
    search_only: list[str] = []
    too_wide: list[str] = []


Line = (
    Run
    | ExtentLine
    | AdapterFault
    | CaseCounts
    | SharedLine
    | NotTested
    | Representation
    | NotCompared
    | Note
    | Conclusive
    | Inconclusive
    | AdaptedBase
    | UnspecifiedProfile
    | Limit
    | BeyondLimit
    | UnspecifiedReading
    | Untried
    | UnrepresentableLine
    | NotRun
    | ReasonLine
    | Pair
    | RuleTried
    | SuiteError
    | Seen
    | ViolationLine
    | FindingLine
    | KnownFailureLine
    | Summary
)
"""Any line of a report."""


def tag_of(kind: type[Struct]) -> str:
    """Return the name of a kind of event."""
    return str(kind.__struct_config__.tag)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a line of a report."""
    return msgspec.json.schema(Line)
