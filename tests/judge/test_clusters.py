"""Clusters, the words of an implementation without the values in them."""

from __future__ import annotations

from collections import Counter
from fnmatch import fnmatchcase

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.judge.clusters import MAXIMUM_CLUSTERS, cluster_of, family_of, kept_clusters, pattern_of
from conformance.judge.events import SURVIVAL, Answered, Differs, wrote
from conformance.judge.findings.finding import Findings
from reference import Difference
from tests.helpers.cases import violation

TEXTS = {
    "a number": ("ValueError: 256 is not a valid ErrorCode", "ValueError: * is not a valid ErrorCode"),
    "a negative number": ("ValueError: -1 is not a valid ErrorCode", "ValueError: * is not a valid ErrorCode"),
    "quotes": ("KeyError: 'Unknown tag: 5'", "KeyError: *"),
    "an apostrophe": ("ValueError: can't read 7 bytes", "ValueError: can't read * bytes"),
    "bytes": (r"ValueError: b'\x00\'ab' is short", "ValueError: * is short"),
    "a list": ("TypeError: [1, 2] and {'a': 3}", "TypeError: [*] and *".replace("[*]", "*")),
    "a repr": ("TypeError: <Thing object at 0x7f00> is none", "TypeError: * is none"),
    "a uuid": ("ValueError: 123e4567-e89b-12d3-a456-426614174000", "ValueError: *"),
    "values in a row": ("ValueError: 1, 2, 3", "ValueError: *"),
    "a type's name": ("ValueError: int32 of 5", "ValueError: int32 of *"),
    "several lines": ("ValueError: one\n  two", "ValueError: one two"),
    "the message's name": ("TypeError: FetchRequest_v12() failed", "TypeError: *() failed"),
    "nothing": ("AssertionError", "AssertionError"),
}


@pytest.mark.parametrize(("text", "cluster"), TEXTS.values(), ids=TEXTS)
def test_values_of_a_text_are_left_out(text: str, cluster: str) -> None:
    """The rest is the same for all cases of one cause."""
    assert cluster_of(Answered("rejected", explanation=text), "FetchRequest") == cluster


def test_a_long_text_is_cut() -> None:
    """A cluster is one line, and can be a pattern of a known failure."""
    assert len(cluster_of(Answered("crashed", explanation="word " * 500), "FetchRequest")) <= 100


def test_misread_value_has_a_cluster_only_for_null(snapshot: SnapshotAssertion) -> None:
    """Null read as empty is another mistake than empty read as null, and other values would have a cluster per case."""
    misread = (read("Topics", None, [], "null"), read("Name", "", None, "null"), read("Name", "a", None, "null"))
    assert [cluster_of(each, "A") for each in misread] == snapshot
    assert cluster_of(read("Count", 1, 256, "value"), "A") == ""
    assert cluster_of(wrote(b"\1\0"), "A") == ""


def read(path: str, expected: object, actual: object, aspect: str) -> Differs:
    """Return the difference of a misread value."""
    return Differs.of(Difference(path, expected, actual, aspect))


@pytest.mark.parametrize(
    ("expected", "actual", "cluster"),
    [
        (1, True, "int read as bool"),
        (1.0, 1, "float read as int"),
        ("", b"", "str read as bytes"),
        (b"", (), "bytes read as tuple"),
    ],
)
def test_wrong_type_is_a_cluster(expected: object, actual: object, cluster: str) -> None:
    assert cluster_of(Differs.of(Difference("ErrorCode", expected, actual, "type")), "HeartbeatResponse") == cluster


def test_a_pattern_covers_its_cluster_and_no_other() -> None:
    """Brackets and question marks of a text are meant literally."""
    cluster = "ValueError: what? [* is no list"
    assert fnmatchcase(cluster, pattern_of(cluster))
    assert not fnmatchcase("ValueError: whatever", pattern_of("ValueError: what?"))


def test_the_most_frequent_clusters_stand_for_themselves() -> None:
    """The others are grouped by their exception."""
    counts = Counter({f"ValueError: text {'x' * number}": number for number in range(1, 2 * MAXIMUM_CLUSTERS)})
    kept = kept_clusters("message.accepted", counts)
    assert len(kept) == MAXIMUM_CLUSTERS - 1
    assert min(counts[cluster] for cluster in kept) > max(counts[cluster] for cluster in counts.keys() - kept)
    assert family_of("ValueError: text") == "ValueError: *"


def test_many_different_texts_become_fewer_findings() -> None:
    """No case is lost."""
    findings = Findings()
    for number in range(100):
        crashed = Answered("crashed", explanation="x" * number)
        findings.add(violation("codec.survival", "FetchRequest", expectation=SURVIVAL, observation=crashed))
    shown = findings.ordered()
    assert len(shown) < 100
    assert sum(finding.count for finding in shown) == 100
