"""A client's version for the answer to ApiVersions, from facts of `ApiVersionsResponse.parse`."""

from __future__ import annotations

import pytest

from reference import load_release
from reference.answers import version_of_body, version_of_response
from reference.definitions.header_versions import API_VERSIONS
from tests.helpers.releases import NEWEST

RELEASE = load_release(NEWEST)
HEARTBEAT = 12
FACTS = {
    "an error in version 0": (4, "0023 00000001 0012 0000 0003", 0),
    "no error in version 0": (1, "0000 00000000", 0),
    "version 0 behind which bytes stand": (1, "0000 00000000 000000", 0),
    "error 35 in the version itself": (3, "0023 01 00000000 00", 3),
    "error 35 in version 0, without keys": (3, "0023 00000000", 0),
    "the version itself, behind which bytes stand": (1, "0000 00000000 00000000 ff", 1),
    "what neither version has": (4, "0000 02 0012", 4),
    "nothing": (4, "", 4),
    "a version that the release lacks": (99, "0023 00000000", 0),
    "a version that the release lacks, and no version 0": (99, "0023", 99),
    "version 0 that was asked for": (0, "0000", 0),
}
"""The requested version, the body, and the version in which it is read."""


@pytest.mark.parametrize(("asked", "digits", "read"), FACTS.values(), ids=FACTS)
def test_answer_is_read_in_the_requested_version_or_version_0(asked: int, digits: str, read: int) -> None:
    body = bytes.fromhex(digits)
    assert version_of_body(RELEASE, API_VERSIONS, asked, body) == read
    assert version_of_response(RELEASE, API_VERSIONS, asked, bytes(4) + body) == read


def test_answer_without_a_header_is_read_in_the_requested_version() -> None:
    assert version_of_response(RELEASE, API_VERSIONS, 4, b"\0\0\0") == 4


def test_other_answers_are_read_in_the_requested_version() -> None:
    assert version_of_body(RELEASE, HEARTBEAT, 4, bytes.fromhex("0023")) == 4
