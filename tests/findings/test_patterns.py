import pytest

from conformance.findings.known_failures import Pair, matches, patterns_for

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


@pytest.mark.parametrize(("pairs", "patterns"), MADE.values(), ids=MADE)
def test_the_narrowest_readable_patterns_are_made(pairs: list[Pair], patterns: list[str]) -> None:
    assert patterns_for(reversed(pairs), OFFERED) == patterns


@pytest.mark.parametrize("pairs", [pairs for pairs, _ in MADE.values()], ids=MADE)
def test_what_is_made_matches_these_pairs_and_no_others_that_are_offered(pairs: list[Pair]) -> None:
    patterns = patterns_for(pairs, OFFERED)
    matched = {pair for pair in [*OFFERED, *pairs] if any(matches(pattern, *pair) for pattern in patterns)}
    assert matched == set(pairs)
