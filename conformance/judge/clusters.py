"""Clusters and ranks of violations.

Violations of one rule with one outcome and one cluster are one finding; the rank chooses the case to show.

The cluster is the text of a refusal or a failure, without the values in it: `ValueError: * is not a valid ErrorCode`.
A misread value has a cluster only if its type is wrong, or null or an empty value is involved. If the definition of one
field is not kept, the field is the cluster: two fields are two mistakes.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.origin import MUTATED
from conformance.judge.events import Answered, Differs, Noted
from conformance.system.time_limits import LOAD
from conformance.targets.outcome import FATAL, REFUSALS, Kind

if TYPE_CHECKING:
    from collections import Counter

    from conformance.generate.origin import CaseOrigin
    from conformance.judge.events import Observation, Shown

CLAIMS = ("minus-one", "excess-bits", "length-highest", "highest", "wraps", "negative", "huge")
"""The last words of changes that claim a length or a count of many gigabytes, the largest claim first."""

_SENTINEL = re.compile(r"(^|-)(-1|null)$")
_FATAL = {str(kind) for kind in FATAL}

MAXIMUM_CLUSTERS = 8
"""The largest number of clusters for one rule and outcome.

The rarest clusters beyond it are merged by their exception.
"""

OF_DEFINITIONS = frozenset(("version.field-presence", "struct.field-order", "tag.number"))
"""The rules on the definition of one field of one message."""

MAXIMUM_FIELDS = 24
"""The largest number of fields with a cluster of their own, for rules on definitions."""

MAXIMUM_READ = 400
MAXIMUM_TEXT = 100

_VALUE = re.compile(
    r"""(?<!\w)b?(['"`]).*?(?:\1(?!\w)|$)   # a quoted text
    | <.*?(?:>|$) | \[.*?(?:\]|$) | \{.*?(?:\}|$)  # a repr, a list, a dict
    | \b0x[0-9a-f]+ | \b(?=[a-f]*\d)[0-9a-f]{8,}(?:-[0-9a-f]+)*\b  # an address, bytes, a uuid
    | (?<!\w)[-+]?\d[\d.,:]*(?:e[-+]?\d+)?(?!\w)
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Several values in a row become one, so that lists of any length are one cluster.
_RUN = re.compile(r"\*(?:[\s,:;/.+-]*\*)+")
_WITH_TEXT = {str(kind) for kind in REFUSALS | FATAL}


def cluster_of(observation: Observation, message: str) -> str:
    """Return the cluster of a violation in one line.

    Empty if nothing separates its causes.
    """
    if isinstance(observation, Answered | Noted) and observation.outcome in _WITH_TEXT:
        text = observation.explanation[:MAXIMUM_READ]
        if observation.outcome == Kind.TIMED_OUT:
            text = text.partition(LOAD)[0]
        # The same text about another message is the same cluster.
        named = re.sub(rf"\b{re.escape(message)}\w*", "*", text)
        return _RUN.sub("*", _VALUE.sub("*", " ".join(named.split())))[:MAXIMUM_TEXT].rstrip()
    if isinstance(observation, Differs) and observation.types:
        return " read as ".join(observation.types)
    if isinstance(observation, Differs) and observation.aspect == "null":
        return f"{_type_of(observation.expected)} read as {_type_of(observation.actual)}"
    return ""


def cluster_of_field(rule: str, outcome: str, message: str, field: str) -> str:
    """Return the field as the cluster of a violation of a rule on definitions.

    Empty for other rules, and for fatal outcomes.
    """
    is_one = rule in OF_DEFINITIONS and bool(field) and outcome not in _FATAL
    return f"{message}.{field}" if is_one else ""


def _type_of(value: Shown) -> str:
    return "a value" if value.nothing is None else str(value.nothing)


def family_of(cluster: str) -> str:
    """Return the replacement of a cluster where there are too many.

    It is the exception of the cluster with any text, or anything.
    """
    exception = re.match(r"\w+: ", cluster)
    return f"{exception[0]}*" if exception else "*"


def kept_clusters(rule: str, counts: Counter[str]) -> frozenset[str]:
    """Return the most frequent clusters of one rule and outcome, those that are not merged."""
    maximum = MAXIMUM_FIELDS if rule in OF_DEFINITIONS else MAXIMUM_CLUSTERS
    if len(counts) <= maximum:
        return frozenset(counts)
    return frozenset(sorted(counts, key=lambda cluster: (-counts[cluster], cluster))[: maximum - 1])


def pattern_of(cluster: str) -> str:
    """Return the glob for a cluster."""
    return re.sub(r"[\[?]", r"[\g<0>]", cluster)


class Grade(IntEnum):
    """Kinds of cases, the most informative first."""

    NAMED = 0
    MUTATED = 1
    DRAWN = 2


class CaseRank(NamedTuple):
    """The rank of a case.

    Cases of a smaller rank say more about the cause.
    """

    grade: Grade
    is_elsewhere: bool
    """Whether the case is about another field than the one where the rule is broken."""
    noise: int
    """0 for values common in practice, else the number of digits.

    For fatal outcomes it is the distance from the largest claim.
    """


def case_rank(origin: CaseOrigin, outcome: str, *, deterministic: bool, is_elsewhere: bool) -> CaseRank:
    """Return the rank of a case by its change and outcome."""
    if not deterministic or origin.way == MUTATED:
        return CaseRank(Grade.MUTATED if deterministic else Grade.DRAWN, is_elsewhere, 0)
    is_clear = is_elsewhere and outcome not in _FATAL
    return CaseRank(Grade.NAMED, is_elsewhere, 0 if is_clear else _noise(origin, outcome))


def _noise(origin: CaseOrigin, outcome: str) -> int:
    if outcome in _FATAL:
        return next((number for number, claim in enumerate(CLAIMS) if origin.way.endswith(claim)), len(CLAIMS))
    is_error = origin.number == 1 and origin.path.endswith("ErrorCode")
    if is_error or _SENTINEL.search(origin.way):
        return 0
    return 1 if origin.number is None else 1 + len(origin.way.removeprefix("-"))
