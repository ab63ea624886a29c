from tests.helpers.definitions import field, message, tagged
from tests.reference.evolution.definitions import compared

REQUEST = message(field(), type="request", apiKey=1)


def test_unstable_version_may_change() -> None:
    unstable = REQUEST | {"latestVersionUnstable": True}
    found = compared(unstable, unstable | {"fields": [field(type="int64")]})
    assert found == [("incompatible", "type", "0-1", "Some"), ("unstable", "type", "2", "Some")]


def test_unstable_version_may_go() -> None:
    unstable = REQUEST | {"latestVersionUnstable": True}
    assert compared(unstable, unstable | {"validVersions": "0-1"}) == [
        ("unstable", "highest-version", "2", ""),
        ("review", "stability", "none", ""),
    ]


def test_version_unstable_only_in_the_new_definition_may_not_change() -> None:
    new = message(field(type="int64"), type="request", apiKey=1, latestVersionUnstable=True)
    assert ("incompatible", "type", "0-2", "Some") in compared(REQUEST, new)


def test_version_becomes_stable() -> None:
    assert compared(REQUEST | {"latestVersionUnstable": True}, REQUEST) == [("compatible", "facts", "none", "")]


def test_versions_are_dropped_at_one_end_and_added_at_the_other() -> None:
    found = compared(REQUEST, REQUEST | {"validVersions": "1-4"})
    assert found == [("dropped", "lowest-version", "0", ""), ("compatible", "version-added", "3-4", "")]


def test_dropped_version_may_come_back() -> None:
    """JoinGroup 0 and 1 did so after 4.0.0."""
    assert compared(REQUEST | {"validVersions": "2"}, REQUEST) == [("compatible", "version-added", "0-1", "")]


def test_newly_flexible_version_has_no_further_changes() -> None:
    found = compared(REQUEST, message(field(type="int64"), type="request", apiKey=1, flexibleVersions="0+"))
    assert found == [("incompatible", "flexible", "0", ""), ("incompatible", "type", "1-2", "Some")]


def test_unstable_version_may_give_a_tag_another_name() -> None:
    """It is shown all the same."""
    unstable = message(tagged(), type="request", apiKey=1, latestVersionUnstable=True)
    found = compared(unstable, unstable | {"fields": [tagged(name="Other")]})
    assert found == [("review", "tag-renamed", "1", "Some"), ("review", "tag-renamed", "2", "Some")]
