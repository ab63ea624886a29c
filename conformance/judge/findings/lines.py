"""The lines of a report, with one event in each.

Each kind of event is a class. The JSON Schema of a report is generated from the classes.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, structs

from conformance.judge.count_lines import CountLine
from conformance.judge.events import Count  # noqa: TC001  # msgspec looks it up
from conformance.judge.findings.finding import Amplification
from conformance.judge.forms import Broken, Key
from conformance.judge.levels import level_of


class Run(Struct, kw_only=True, tag_field="event", tag="run"):
    """The tested implementation, and the suite.

    Attributes:
        suite: the version of the suite.
        kind: a codec by its functions, a server or a client behind a port, or the frames of a capture.
        impl: the argument of `--impl`. A server has `broker:HOST:PORT`, a client its command, a capture its name.
        release: the Kafka release of the definitions.
        implementation: its name.
        implementation_version: its version.
        client: the command of a client.
        capture: the name of a capture.
        options: the options needed by commands on this run, as `--release 3.9.1`.
        depth: the number of random values.
        pairs: the number of selected messages and versions.
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
    """The extent of a run.

    It has the end of the run, its reason or the omitted part, and the number of executed tests.
    """

    state: Literal["collected", "interrupted", "stopped", "partial", "complete"]
    why: str
    items: Count | None = None


class AdapterFault(Struct, tag_field="event", tag="adapter-fault"):
    """A mistake of the adapter itself, with its kind, the first example, and the number of examples."""

    kind: str
    text: str
    count: Count


class CaseCounts(Struct, tag_field="event", tag="case-counts"):
    """The number of cases by category, and of outcomes by direction and kind."""

    cases: dict[str, Count]
    outcomes: list[tuple[str, str, Count]]


class SharedLine(Struct, tag_field="event", tag="shared"):
    """The part left to the run of a base release.

    It has the name of the release, pairs, other names, and the number of all selected ones.
    """

    release: str
    pairs: list[str]
    others: list[str]
    selected: Count


class NotTested(Struct, tag_field="event", tag="not-tested"):
    """A part of the suite without support in the adapter."""

    what: str
    why: str


class Representation(Struct, tag_field="event", tag="representation"):
    """The meaning of null, as the adapter declares it."""

    text: str


class NotCompared(Struct, tag_field="event", tag="not-compared"):
    """A part of values that the adapter does not show, so that it is not compared."""

    text: str


class Note(Struct, tag_field="event", tag="note"):
    """A further remark of the adapter."""

    text: str


DECLARED: dict[str, type[Representation | NotCompared | Note]] = {
    "representation": Representation,
    "not-compared": NotCompared,
    "note": Note,
}
"""The lines for statements of an adapter about its implementation, by their kind."""


class Conclusive(Struct, tag_field="event", tag="conclusive"):
    """The fraction of conclusive cases in a category, those made from accepted values."""

    cases: str
    fraction: Annotated[float, Meta(ge=0, le=1)]


class Coverage(NamedTuple):
    """The counts of one test of the suite for one pair.

    Attributes:
        tried: the number of cases.
        failed: distinct cases with a new violation; for random search the number of findings.
        known: distinct cases with known violations only; for random search the number of findings.
        skipped: calls without an answer: not offered, not representable in the types, not run.
        inconclusive: inconclusive cases, whose valid base value is refused; they are not in `tried`.
    """

    tried: int = 0
    failed: int = 0
    known: int = 0
    skipped: int = 0
    inconclusive: int = 0


class TestCounts(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """The counts of one test for a pair, as `Coverage`."""

    tried: Count = 0
    failed: Count = 0
    known: Count = 0
    skipped: Count = 0
    inconclusive: Count = 0


class Pair(Struct, tag_field="event", tag="pair"):
    """The counts of each test for a message and version."""

    pair: str
    tests: dict[str, TestCounts]


class RuleTried(Struct, tag_field="event", tag="rule"):
    """The number of pairs in which a deterministic case tested a rule."""

    rule: str
    pairs: Count


class SuiteError(Struct, tag_field="event", tag="error", omit_defaults=True):
    """A test that ended in an error of the suite, with its traceback."""

    item: str
    text: str = ""


class Remark(Struct, tag_field="event", tag="remark", omit_defaults=True):
    """A remark about the run as a whole, or about its file of known failures.

    A fault fails the run.
    """

    text: str
    is_fault: bool = False


class Seen(Struct, tag_field="event", tag="seen"):
    """The number of frames of a message in a capture, with the number of canonical ones."""

    message: str
    version: int
    frames: Count
    canonical: Count
    departing: Count
    unknown: Count


class ViolationLine(Broken, kw_only=True, frozen=True, tag_field="event", tag="violation"):
    """The example of a finding in one item of the suite, with its number of cases by field."""

    count: Count
    fields: dict[str, Count]


class Origin(Struct, frozen=True):
    """The finding that causes another one, and the reason."""

    rule: str
    outcome: str
    cluster: str
    why: str

    @property
    def key(self) -> Key:
        """The key of the finding."""
        return Key(self.rule, self.outcome, self.cluster)


class Amplified(Struct, frozen=True):
    """The memory or time taken by hostile bytes, as `conformance.judge.findings.finding.Amplification`."""

    sent: Count
    memory: Count
    seconds: Annotated[float, Meta(ge=0)]
    is_least: bool

    def __str__(self) -> str:
        return str(Amplification(*structs.astuple(self)))


class FindingLine(Struct, kw_only=True, frozen=True, tag_field="event", tag="finding", omit_defaults=True):
    """All violations with one rule, outcome and cluster.

    Attributes:
        count: the number of deterministic cases, and for random search one for each pair.
        pairs: the pairs, as `FetchRequest-v17`, sorted.
        fields: the fields with their numbers of cases, the most frequent first.
        common: the traits of all of its values that no accepted value has, as `a null`.
        amplification: the most memory or time taken by its bytes; missing if it is unknown.
        impact: the impact on users.
        example: the most informative case.
        replay: the command that runs it again.
        follows: its cause; missing for a cause.
        entry: the covering entry of known failures; missing for a new finding.
        reason, link: those of the entry.
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
        """The rule, the outcome and the cluster."""
        return Key(self.rule, self.outcome, self.cluster)

    @property
    def level(self) -> str:
        """The level of its rule for the side of its example, as must, should or unspecified."""
        return level_of(self.rule, self.example.side, self.outcome)


class KnownFailureLine(FindingLine, frozen=True, tag_field="event", tag="known-failure", omit_defaults=False):
    """A finding covered by an entry of known failures."""


class AdapterFindingLine(FindingLine, frozen=True, tag_field="event", tag="adapter-finding", omit_defaults=True):
    """A finding that follows from a mistake of the adapter, so that it says nothing about the implementation."""


class Summary(Struct, tag_field="event", tag="summary", rename="kebab"):
    """The last line of a report.

    It has the numbers of new and of known causes and findings, the cases of known failures by entry, and the faults of
    the entries. Findings that follow from mistakes of the adapter are a number of their own.
    """

    causes: Count
    findings: Count
    known: dict[str, Count]
    known_causes: Count = 0
    known_findings: Count = 0
    unclassified: dict[str, Count] = {}
    stale: list[str] = []
    double: list[str] = []
    search_only: list[str] = []
    too_wide: list[str] = []
    following: Count = 0


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
    | CountLine
    | Pair
    | RuleTried
    | SuiteError
    | Remark
    | Seen
    | ViolationLine
    | FindingLine
    | KnownFailureLine
    | AdapterFindingLine
    | Summary
)
"""Any line of a report."""


def tag_of(kind: type[Struct]) -> str:
    """Return the name of a kind of event."""
    return str(kind.__struct_config__.tag)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a line of a report."""
    return msgspec.json.schema(Line)
