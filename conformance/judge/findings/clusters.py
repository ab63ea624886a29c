"""Clusters: violations of one rule with one outcome of which the implementation says the same.

What it says is the text of a refusal or a failure, without the values in it: `ValueError: * is not a valid ErrorCode`.
A value that was misread says something only where null or emptiness is concerned. Where the definition of one field is
not kept, the field is the cluster: two fields are two mistakes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from conformance.codec.outcome import FATAL, REFUSALS
from conformance.judge.findings.events import Answered, Differs, Noted

if TYPE_CHECKING:
    from collections import Counter

    from conformance.judge.findings.events import Observation, Shown

MAXIMUM_CLUSTERS = 8
"""How many clusters a rule and an outcome may have; the rarest ones beyond them are put together by their exception."""

OF_DEFINITIONS = frozenset(("version.field-presence", "struct.field-order", "tag.number"))
"""The rules of what a definition says of one field of one message."""

MAXIMUM_FIELDS = 24
"""How many fields may stand for themselves where such a rule is broken."""

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
_RUN = re.compile(r"\*(?:[\s,:;/.+-]*\*)+")
_FATAL = {str(kind) for kind in FATAL}
_WITH_TEXT = {str(kind) for kind in REFUSALS | FATAL}


def cluster_of(observation: Observation, message: str) -> str:
    """Return the cluster of a violation, in one line; empty where nothing tells causes apart."""
    if isinstance(observation, Answered | Noted) and observation.outcome in _WITH_TEXT:
        text = observation.said[:MAXIMUM_READ]
        named = re.sub(rf"\b{re.escape(message)}\w*", "*", text)
        return _RUN.sub("*", _VALUE.sub("*", " ".join(named.split())))[:MAXIMUM_TEXT].rstrip()
    if isinstance(observation, Differs) and observation.aspect == "null":
        return f"{_sort(observation.expected)} read as {_sort(observation.actual)}"
    return ""


def cluster_of_field(rule: str, outcome: str, message: str, field: str) -> str:
    """Return the field where a rule of definitions is broken as the cluster; empty for other rules, and at an end."""
    is_one = rule in OF_DEFINITIONS and bool(field) and outcome not in _FATAL
    return f"{message}.{field}" if is_one else ""


def _sort(value: Shown) -> str:
    return "a value" if value.nothing is None else str(value.nothing)


def family_of(cluster: str) -> str:
    """Return what stands for a cluster where there are too many: its exception with any text, or anything."""
    exception = re.match(r"\w+: ", cluster)
    return f"{exception[0]}*" if exception else "*"


def kept_clusters(rule: str, counts: Counter[str]) -> frozenset[str]:
    """Return the clusters of one rule and outcome that stand for themselves: the most frequent ones."""
    maximum = MAXIMUM_FIELDS if rule in OF_DEFINITIONS else MAXIMUM_CLUSTERS
    if len(counts) <= maximum:
        return frozenset(counts)
    return frozenset(sorted(counts, key=lambda cluster: (-counts[cluster], cluster))[: maximum - 1])


def pattern_of(cluster: str) -> str:
    """Return the glob that covers a cluster."""
    return re.sub(r"[\[?]", r"[\g<0>]", cluster)
