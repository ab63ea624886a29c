"""Who does what with bytes that the protocol leaves open."""

from conformance.campaign.comparison import ANOTHER, REJECTS, Open
from conformance.campaign.kernel import AS_APACHE_KAFKA


def of(**answers: list[str]) -> Open:
    """What implementations do with the same few bytes, in order."""
    found = Open("varint.overlong")
    for name, own in answers.items():
        found.answers[name] = {f"case-{index}": answer for index, answer in enumerate(own)}
    return found


def test_those_that_do_the_same_are_a_class() -> None:
    found = of(a=[REJECTS, AS_APACHE_KAFKA], b=[REJECTS, REJECTS], c=[REJECTS, AS_APACHE_KAFKA])
    assert found.classes() == [["a", "c"], ["b"]]


def test_other_values_are_told_apart_by_what_they_are() -> None:
    """Two that both misread, each in a way of its own, are no class."""
    found = of(a=["0123"], b=["4567"], c=["0123"])
    assert found.classes() == [["a", "c"], ["b"]]
    assert found.counts("a") == {ANOTHER: 1}


def test_those_that_were_never_given_the_same_bytes_are_no_class() -> None:
    found = of(a=[REJECTS])
    found.answers["b"] = {"another case": REJECTS}
    assert found.classes() == [["a"], ["b"]]
