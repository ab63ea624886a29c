from typing import Any

import pytest

from tests.helpers.definitions import message
from tests.reference.evolution.definitions import compared

REQUEST = message(type="request", name="SampleRequest", apiKey=1, validVersions="0-2", flexibleVersions="1+")
ANSWER = message(type="response", name="ApiVersionsResponse", apiKey=18, validVersions="0-2", flexibleVersions="1+")


def request(headers: dict[str, str] | None, **more: Any) -> dict[str, Any]:
    return REQUEST | ({"headerVersions": headers} if headers else {}) | more


@pytest.mark.parametrize(
    ("old", "new", "versions"),
    [
        pytest.param({"0": "1", "1+": "2"}, {"0": "1", "1": "2", "2+": "3"}, "2", id="a later header"),
        pytest.param({"0": "1", "1+": "2"}, {"0+": "2"}, "0", id="an earlier beginning"),
        pytest.param(None, {"0+": "2"}, "0", id="another than was derived"),
        pytest.param({"0+": "2"}, None, "0", id="another than is derived now"),
    ],
)
def test_another_header_before_a_released_version_is_incompatible(
    old: dict[str, str] | None, new: dict[str, str] | None, versions: str
) -> None:
    assert compared(request(old), request(new)) == [("incompatible", "header-version", versions, "")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(None, {"0": "1", "1+": "2"}, id="what was derived is written"),
        pytest.param({"0": "1", "1+": "2"}, {"0": "1", "1": "2", "2+": "2"}, id="a range in two parts"),
    ],
)
def test_the_same_header_is_no_change(old: dict[str, str] | None, new: dict[str, str]) -> None:
    assert compared(request(old), request(new)) == []


def test_a_later_header_in_a_new_version_is_compatible() -> None:
    old = request({"0": "1", "1+": "2"})
    new = request({"0": "1", "1-2": "2", "3+": "3"}, validVersions="0-3")
    assert compared(old, new) == [("compatible", "version-added", "3", "")]


def test_an_unstable_version_may_get_another_header() -> None:
    old = request({"0": "1", "1+": "2"}, latestVersionUnstable=True)
    new = request({"0": "1", "1": "2", "2+": "3"}, latestVersionUnstable=True)
    assert compared(old, new) == [("unstable", "header-version", "2", "")]


def test_the_answer_to_api_versions_keeps_header_0() -> None:
    assert compared(ANSWER, ANSWER | {"headerVersions": {"0+": "0"}}) == []


def test_derived_header_changes_with_flexible_versions_alone() -> None:
    rules = {rule for _, rule, _, _ in compared(REQUEST, REQUEST | {"flexibleVersions": "2+"})}
    assert "header-version" not in rules
