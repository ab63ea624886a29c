"""A campaign in plain processes, and on Spark."""

from conformance.campaign.benchmark import Side, differing


def side(**hashes: str) -> Side:
    return Side("a side", 1.0, {}, hashes, 0.0)


def test_the_implementation_whose_outcomes_differ_is_named() -> None:
    assert differing(side(kio="a1", other="b1"), side(kio="a1", other="b2")) == ["other"]
