"""Cases of servers and of clients, written and read."""

from hypothesis import given
from hypothesis import strategies as st

from conformance.judge.events import REJECTION, SURVIVAL, Noted
from conformance.live.client.answer_cases import HOSTILE, PLAIN, AnswerCase, answer_from
from conformance.live.server.exchanges import Answer, ExchangeCase, exchange_from
from conformance.targets import Blame
from reference import load_release, newest_release
from tests.helpers.cases import sent

RELEASE = load_release(newest_release())
SCHEMA = RELEASE.schema("HeartbeatResponse", 4)
DIED = Noted("crashed", "its process ended with status -6")

answers = st.builds(
    AnswerCase,
    schema=st.just(SCHEMA),
    name=st.text(),
    path=st.text(),
    data=st.binary(max_size=64),
    answers=st.sampled_from((HOSTILE, PLAIN, "wrong-ids")),
    cap=st.integers(0, 3),
)
exchanges = st.builds(
    ExchangeCase,
    schema=st.just(SCHEMA),
    release=st.just(RELEASE),
    name=st.text(),
    frames=st.lists(st.binary(max_size=32), min_size=1, max_size=4).map(tuple),
    path=st.text(),
    times=st.integers(1, 9),
    is_authenticated=st.booleans(),
    answer=st.builds(Answer, st.binary(max_size=32), st.booleans()),
)


@given(case=answers)
def test_an_answer_comes_back_as_it_was(case: AnswerCase) -> None:
    """Its finding and its replay line come back, too."""
    violation = case.violation(Blame("codec.survival", case.path), DIED, SURVIVAL, "decode")
    event = sent(violation.event())
    again = answer_from(event, RELEASE)
    assert (again, event.key) == (case, violation.key)
    assert again.replay_line("client", (), "decode") == case.replay_line("client", (), "decode")


@given(case=exchanges)
def test_an_exchange_comes_back_as_it_was(case: ExchangeCase) -> None:
    """It has frames of several connections, and the answers."""
    violation = case.violation(Blame("connection.refused", case.path), DIED, REJECTION, "frame")
    event = sent(violation.event())
    assert (exchange_from(event), event.key) == (case, violation.key)
