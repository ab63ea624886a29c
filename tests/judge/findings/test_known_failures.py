import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.judge.events import Answered
from conformance.judge.findings.known_failures import (
    BadKnownFailures,
    KnownFailure,
    load_known_failures,
    matches,
    patterns_for,
)
from conformance.judge.forms import Pair
from tests.helpers.cases import violation

GOOD = """
[[failure]]
rule = "null.not-written"
messages = "Fetch*"
outcome = "bytes"
reason = "writes null anywhere"
link = "issue 7"
"""
BROKEN = {
    "no TOML": "[[failure",
    "a key missing": GOOD.replace("reason", "# "),
    "a key empty": GOOD.replace("writes null anywhere", " "),
    "a number for a text": GOOD.replace('"bytes"', "7"),
    "an unknown key": GOOD + 'until = "2030"',
    "an unknown rule": GOOD.replace("not-written", "not-wrote"),
    "a mistake in the second": GOOD + GOOD.replace("reason", "# "),
    "no globs": GOOD.replace('"Fetch*"', "[]"),
    "a glob that is no text": GOOD.replace('"Fetch*"', "[7]"),
    "globs with commas": GOOD.replace("Fetch*", "Fetch*,Vote*"),
    "versions backwards": GOOD.replace("Fetch*", "FetchRequest-v9..4"),
    "a bound that is none": GOOD + "at_most = 0",
    "a link that is no text": GOOD.replace('"issue 7"', "7"),
    "one table": GOOD.replace("[[failure]]", "[failure]"),
    "another table": GOOD.replace("[[failure]]", "[[failures]]"),
    "a list of texts": 'failure = ["all"]',
}
VIOLATION = violation("null.not-written", "FetchRequest", 12, path="Topics", name="Topics=null")

FETCH = [("FetchRequest", version) for version in range(4, 19)]
OFFERED = [*FETCH, ("VoteRequest", 0), ("VoteRequest", 2)]

MADE: dict[str, tuple[list[Pair], list[str]]] = {
    "nothing": ([], []),
    "all versions": (FETCH, ["FetchRequest"]),
    "one version": ([("FetchRequest", 7)], ["FetchRequest-v7"]),
    "a range": ([("FetchRequest", version) for version in (12, 13, 14)], ["FetchRequest-v12..14"]),
    "two ranges": (
        [("FetchRequest", version) for version in (4, 5, 9, 17, 18)],
        ["FetchRequest-v4..5", "FetchRequest-v9", "FetchRequest-v17..18"],
    ),
    "what is not offered does not interrupt": ([("VoteRequest", 0), ("VoteRequest", 2)], ["VoteRequest"]),
    "a wire type": ([("compact-string", 0)], ["compact-string"]),
    "several messages": ([("VoteRequest", 2), ("FetchRequest", 4)], ["FetchRequest-v4", "VoteRequest-v2"]),
}


def written(folder: Path, text: str) -> Path:
    path = folder / "known.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_an_entry_is_read(tmp_path: Path) -> None:
    entry = KnownFailure("null.not-written", ("Fetch*",), "bytes", "writes null anywhere", "issue 7")
    assert load_known_failures(written(tmp_path, GOOD)) == [entry]
    assert load_known_failures(written(tmp_path, GOOD.replace("link", "#"))) == [replace(entry, link="")]


def test_a_file_without_entries_is_an_empty_list(tmp_path: Path) -> None:
    assert load_known_failures(written(tmp_path, "# none")) == []


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_refused(tmp_path: Path, text: str, snapshot: SnapshotAssertion) -> None:
    with pytest.raises(BadKnownFailures) as bad:
        load_known_failures(written(tmp_path, text))
    shown = str(bad.value).replace(str(tmp_path), "…")
    assert re.sub("(?<=: not TOML: ).*", "…", shown) == snapshot


def test_a_missing_file_is_named(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    with pytest.raises(BadKnownFailures) as error:
        load_known_failures(tmp_path / "none.toml")
    assert str(error.value).replace(str(tmp_path), "…") == snapshot


def test_file_of_other_bytes_than_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "known.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadKnownFailures, match="not UTF-8"):
        load_known_failures(path)


COVERED = {
    "glob over names": ({"messages": ("Fetch*",)}, True),
    "name": ({"messages": ("FetchRequest",)}, True),
    "pair": ({"messages": ("FetchRequest-v12",)}, True),
    "range of versions": ({"messages": ("FetchRequest-v4..12",)}, True),
    "glob over pairs": ({"messages": ("*-v12",)}, True),
    "glob over versions": ({"messages": ("FetchRequest-v1[0-2]",)}, True),
    "one of several": ({"messages": ("VoteRequest", "FetchRequest")}, True),
    "another message": ({"messages": ("Vote*",)}, False),
    "another version": ({"messages": ("FetchRequest-v1",)}, False),
    "another range": ({"messages": ("FetchRequest-v13..17",)}, False),
    "another rule": ({"rule": "number.range"}, False),
    "another outcome": ({"outcome": "crashed"}, False),
    "a pattern of what nobody says": ({"pattern": "ValueError: *"}, False),
}


def test_pattern_matches_the_text_of_the_implementation() -> None:
    """Two entries separate two causes of one rule."""
    refusal = Answered("rejected", explanation="ValueError: 256 is not a valid ErrorCode")
    refused = violation("null.not-written", "FetchRequest", observation=refusal)
    entry = KnownFailure("null.not-written", ("Fetch*",), "rejected", "because", pattern="ValueError: * ErrorCode")
    assert entry.covers(refused)
    assert not replace(entry, pattern="KeyError: *").covers(refused)
    assert entry.pattern in str(entry)
    assert str(entry).endswith(" in Fetch*")


@pytest.mark.parametrize(("change", "covers"), COVERED.values(), ids=COVERED)
def test_an_entry_covers_rule_message_and_outcome(change: dict[str, Any], covers: bool) -> None:  # noqa: FBT001
    facts = {"rule": "null.not-written", "messages": ("Fetch*",), "outcome": "bytes", "reason": "because", **change}
    assert KnownFailure(**facts).covers(VIOLATION) is covers


@pytest.mark.parametrize(("pairs", "patterns"), MADE.values(), ids=MADE)
def test_the_narrowest_readable_patterns_are_made(pairs: list[Pair], patterns: list[str]) -> None:
    assert patterns_for(reversed(pairs), OFFERED) == patterns


@pytest.mark.parametrize("pairs", [pairs for pairs, _ in MADE.values()], ids=MADE)
def test_made_patterns_match_exactly_these_pairs(pairs: list[Pair]) -> None:
    patterns = patterns_for(pairs, OFFERED)
    matched = {pair for pair in [*OFFERED, *pairs] if any(matches(pattern, *pair) for pattern in patterns)}
    assert matched == set(pairs)
