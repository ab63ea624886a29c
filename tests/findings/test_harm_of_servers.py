"""What violations of servers do to their users."""

import pytest

from conformance.findings.finding import Harm, harm_of
from conformance.findings.violations import Violation
from conformance.live.broker.cases import ExchangeCase
from reference import load_release, newest_release

RELEASE = load_release(newest_release())
CASE = ExchangeCase(RELEASE.schema("ApiVersionsRequest", 0), RELEASE, "header cut at 2", (b"\0\0\0\2\0\x12",))


@pytest.mark.parametrize(
    ("rule", "outcome", "expected", "harm"),
    [
        ("connection.refused", "value", "refused: an error response", Harm.INVALID_TAKEN),
        ("connection.refused", "timed-out", "refused: an error response", Harm.FATAL),
        ("connection.survival", "crashed", "the next connection is served", Harm.FATAL),
        ("connection.claimed-size", "exhausted-memory", "memory for what has come", Harm.FATAL),
        ("connection.answered", "rejected", "a response of version 3", Harm.SOUND_REFUSED),
    ],
)
def test_what_is_no_request_is_not_called_sound(rule: str, outcome: str, expected: str, harm: Harm) -> None:
    assert harm_of(Violation(rule, "", outcome, "frame", expected, "", CASE)) is harm
