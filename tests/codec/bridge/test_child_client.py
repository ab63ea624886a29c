import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from conformance.codec.bridge.child_client import CRASH_BUDGET, Client, Policy
from conformance.codec.bridge.hangs import ENDINGS_OF_A_MESSAGE, HANGS_OF_A_KIND, HANGS_OF_A_RUN, ONLY_HANGS, Endings
from conformance.codec.bridge.harness_errors import (
    HarnessDiedError,
    HarnessExhaustedError,
    HarnessStartError,
)
from conformance.codec.bridge.transport import JsonLinesProcess, program
from conformance.targets.outcome import Kind

LOCK_STEP = """
import json, os, signal, sys, time
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "die":
        os.abort()
    if request["op"] == "is killed" or (request["op"] == "is killed once" and not os.path.exists(request["mark"])):
        open(request.get("mark", os.devnull), "a").close()
        os.kill(os.getpid(), signal.SIGKILL)
    if request["op"] == "takes memory":
        taken = bytearray(b"1") * (64 << 20)
        os.kill(os.getpid(), signal.SIGKILL)
    if request["op"].startswith("hang"):
        time.sleep(60)
    if request["op"] == "slow":
        time.sleep(0.4)
    if request["op"] == "twice":
        reply = json.dumps({"id": request["id"], "outcome": "twice"})
        os.write(1, f"{reply}\\n{reply}\\n".encode())
        continue
    if request["op"] == "chat":
        print("not a reply")
    print(json.dumps({"id": request["id"], "outcome": request["op"]}), flush=True)
"""

HOLDS_REPLIES_BACK = """
import json, os, select
replies, rest = [], b""
while piece := os.read(0, 65536):
    *lines, rest = (rest + piece).split(b"\\n")
    for request in map(json.loads, lines):
        if request["op"] == "die":
            os.abort()
        replies.append(json.dumps({"id": request["id"], "outcome": request["op"]}))
    if not select.select([0], [], [], 0.1)[0]:
        print("\\n".join(replies), flush=True)
        replies.clear()
"""

CLEARS_THE_TERMINAL = r"""
import sys
sys.stdin.readline()
sys.exit("\x1b[2J\u202egone")
"""


def starter(text: str) -> Callable[[Any], JsonLinesProcess]:
    def start(_request: Any) -> JsonLinesProcess:
        """Return a child, ready as after `hello`, because its start must not be taken for a hang."""
        process = JsonLinesProcess(program((sys.executable, "-c", text)))
        if text == LOCK_STEP:
            process.exchange([{"op": "ready"}])
        return process

    return start


@contextmanager
def client(text: str, policy: Policy = Policy.LOCK_STEP, **options: Any) -> Iterator[Client]:
    with Client(starter(text), policy, **{"deadline": 20.0, **options}) as running:
        yield running


def outcomes(running: Client, *operations: str, kinds: tuple[str, ...] = ()) -> list[str]:
    requests = [{"op": operation} for operation in operations]
    return [str(reply["outcome"]) for reply in running.ask_many(requests, kinds)]


@pytest.mark.parametrize("policy", [Policy.LOCK_STEP, Policy.BATCHED])
def test_child_killed_once_by_the_machine_is_asked_again(tmp_path: Path, policy: Policy) -> None:
    requests = [{"op": "good"}, {"op": "is killed once", "mark": str(tmp_path / "mark")}, {"op": "good"}]
    with client(LOCK_STEP, policy) as running:
        replies = running.ask_many(requests)
    assert [reply["outcome"] for reply in replies] == ["good", "is killed once", "good"]


def test_request_is_blamed_for_the_killing_of_each_fresh_child() -> None:
    with client(LOCK_STEP) as running:
        assert outcomes(running, "good", "is killed", "good") == ["good", "crashed", "good"]


def test_request_is_not_blamed_for_fresh_children_killed_after_they_took_memory() -> None:
    """The machine may have ended it, as a container does."""
    with client(LOCK_STEP) as running:
        assert outcomes(running, "good", "takes memory", "good") == ["good", "not-run", "good"]


def test_request_is_not_blamed_for_a_program_of_a_shell_killed_for_its_memory() -> None:
    command = ("/bin/sh", "-c", '"$@"; exit $?', "sh", sys.executable, "-c", LOCK_STEP)
    with Client(lambda _: JsonLinesProcess(program(command)), Policy.LOCK_STEP, deadline=20.0) as running:
        assert outcomes(running, "takes memory", "good") == ["not-run", "good"]


def test_a_child_in_lock_step_dies_of_the_first_unanswered_request() -> None:
    with client(LOCK_STEP) as running:
        assert outcomes(running, "a", "b", "die", "c") == ["a", "b", "crashed", "c"]
        assert running.restarts == 1


def test_child_with_held_back_replies_is_asked_one_by_one() -> None:
    """It lost the replies to `a` and `b` when it died, so the first unanswered request is not the culprit."""
    with client(HOLDS_REPLIES_BACK, Policy.BATCHED) as running:
        assert outcomes(running, "a", "b", "die", "c") == ["a", "b", "crashed", "c"]
        assert running.restarts == 2


def test_a_timeout_is_concluded_after_a_second_attempt_alone() -> None:
    with client(LOCK_STEP, deadline=0.6) as running:
        assert outcomes(running, "hang") == ["timed-out"]
        assert running.restarts == 2


HANGS_ALONE = f"{ONLY_HANGS}x"
EXCHANGES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "a line that is not a reply": ("a chat b", "a protocol-error b", ()),
    "a line too many is the fault of the last request": ("a twice", "a protocol-error", ()),
    "a kind that ended the child is skipped": ("die a a die a", "crashed not-run a crashed a", ("x", "x", "y", "", "")),
    "a kind for hangs is tried on after a death": ("die a die", "crashed a crashed", (HANGS_ALONE,) * 3),
}


@pytest.mark.parametrize(("operations", "expected", "kinds"), EXCHANGES.values(), ids=EXCHANGES)
def test_conduct_of_a_child_is_an_outcome(operations: str, expected: str, kinds: tuple[str, ...]) -> None:
    with client(LOCK_STEP) as running:
        assert outcomes(running, *operations.split(), kinds=kinds) == expected.split()


def test_crashes_have_a_budget_for_each_call() -> None:
    with client(LOCK_STEP) as running:
        assert outcomes(running, *["die"] * (CRASH_BUDGET + 2)) == ["crashed"] * CRASH_BUDGET + ["not-run"] * 2
        assert outcomes(running, "die", "a") == ["crashed", "a"]


def test_hangs_have_a_budget_for_the_life_of_a_client() -> None:
    with client(LOCK_STEP, deadline=0.6) as running:
        running.ask_many([{"op": "a"}])
        found = [outcomes(running, f"hang {number}", "a") for number in range(HANGS_OF_A_RUN + 1)]
    assert found == [["timed-out", "a"]] * HANGS_OF_A_RUN + [["not-run", "a"]]


def test_loop_stopped_by_the_child_itself_takes_nothing_from_the_budget() -> None:
    """It is asked alone after a death, and further inputs of its kind are tried."""
    with client(HOLDS_REPLIES_BACK, Policy.BATCHED) as running:
        assert outcomes(running, "timed-out", "die", "timed-out", kinds=("x", "y", "x")) == [
            "timed-out",
            "crashed",
            "timed-out",
        ]
        assert running.hangs.waited == 0


def test_kind_is_not_tried_again_after_two_hangs() -> None:
    with client(LOCK_STEP, deadline=0.6) as running:
        found = [outcomes(running, f"hang {number}", kinds=("x",)) for number in range(HANGS_OF_A_KIND + 1)]
        assert running.restarts == 2 * HANGS_OF_A_KIND
    assert found == [["timed-out"]] * HANGS_OF_A_KIND + [["not-run"]]


def test_bytes_are_not_sent_again_after_a_hang() -> None:
    with client(LOCK_STEP, deadline=0.6) as running:
        assert outcomes(running, "hang") == outcomes(running, "hang") == ["timed-out"]
        assert running.restarts == 2


def test_a_kind_for_hangs_is_skipped_after_a_hang() -> None:
    kind = f"{ONLY_HANGS}x"
    with client(LOCK_STEP, deadline=0.6) as running:
        assert outcomes(running, "hang", "a", "b", kinds=(kind, kind, "")) == ["timed-out", "not-run", "b"]


def test_failure_is_raised_under_the_policy_raise() -> None:
    with client(LOCK_STEP, Policy.RAISE) as running:
        with pytest.raises(HarnessDiedError, match="ended by SIGABRT") as error:
            outcomes(running, "a", "die")
        assert error.value.replies == [{"outcome": "a"}]
        assert outcomes(running, "b") == ["b"]


def test_child_failing_on_everything_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The run would otherwise start a child for each input."""
    monkeypatch.setattr("conformance.codec.bridge.child_client.FAILURES_IN_A_ROW", 3)
    with client(LOCK_STEP) as running:
        assert outcomes(running, "die", "die") == ["crashed"] * 2
        assert outcomes(running, "die", "die") == ["crashed", "not-run"]
        reply = running.ask({"op": "a"})
        assert running.restarts == 3
    assert reply["outcome"] == "not-run"
    assert "failed 3 times" in reply["text"]
    assert "SIGABRT" in reply["text"]


def test_requests_of_another_kind_are_sent_after_one_kind_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.codec.bridge.child_client.FAILURES_IN_A_ROW", 3)
    monkeypatch.setattr("conformance.codec.bridge.child_client.FURTHER_FAILURES", 1)
    with client(LOCK_STEP, kind_of=itemgetter("op")) as running:
        assert outcomes(running, *["die"] * 4) == ["crashed"] * 3 + ["not-run"]
        assert outcomes(running, "a", "die", "b") == ["a", "not-run", "b"]


def test_an_answer_between_deaths_keeps_a_child_from_being_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.codec.bridge.child_client.FAILURES_IN_A_ROW", 2)
    with client(LOCK_STEP) as running:
        assert outcomes(running, *["die", "a"] * 4) == ["crashed", "a"] * 4


def test_a_hang_in_lock_step_is_not_asked_again_once_its_kind_has_hung() -> None:
    with client(LOCK_STEP, deadline=0.6) as running:
        for number in range(HANGS_OF_A_RUN):
            outcomes(running, f"hang {number}")
        before = running.restarts
        assert outcomes(running, "a", "hang", "a") == ["a", "not-run", "a"]
        assert running.restarts == before + 1


def test_a_slow_answer_of_a_kind_without_hangs_is_waited_for_after_hangs_of_others() -> None:
    with client(LOCK_STEP, deadline=0.6) as running:
        for number in range(HANGS_OF_A_RUN):
            outcomes(running, f"hang {number}")
        assert outcomes(running, "slow", kinds=("other",)) == ["slow"]


def test_answer_later_than_the_deadline_is_no_hang() -> None:
    """It is asked again, alone, with several times the deadline."""
    with client(LOCK_STEP, deadline=0.3) as running:
        assert outcomes(running, "slow") == ["slow"]


def test_the_longest_answer_of_several_in_flight_is_remembered() -> None:
    with client(LOCK_STEP) as running:
        outcomes(running, "a", "slow", "a")
        assert running.hangs.longest > 0.3


def test_a_client_gives_up_after_its_restarts() -> None:
    with client(LOCK_STEP, maximum_restarts=1) as running:
        assert outcomes(running, "die") == outcomes(running, "die") == ["crashed"]
        with pytest.raises(HarnessExhaustedError, match=r"failed 2 times.*SIGABRT"):
            outcomes(running, "a")


def test_child_without_a_program_to_start_is_not_tried_again() -> None:
    attempts = []

    def start(_request: Any) -> JsonLinesProcess:
        attempts.append(1)
        return JsonLinesProcess(program(("./no-such-program",)))

    with Client(start, Policy.LOCK_STEP) as running:
        for _ in range(2):
            with pytest.raises(HarnessStartError, match=r"\./no-such-program "):
                running.ask({"op": "a"})
    assert len(attempts) == 1


def test_nothing_is_started_for_no_request() -> None:
    with Client(starter("raise SystemExit(1)"), Policy.LOCK_STEP) as running:
        assert running.ask_many([]) == []


def test_the_standard_error_of_a_child_is_escaped() -> None:
    with client(CLEARS_THE_TERMINAL) as running:
        assert running.ask({"op": "a"})["text"] == r"exit status 1: \x1b[2J\u202egone"


def test_of_a_long_standard_error_the_beginning_and_the_end_are_kept() -> None:
    """Some languages begin a trace with the cause, others end with it."""
    lines = ["first cause", *["  at a place"] * 2_000, "last cause"]
    with client(f"import sys; sys.stdin.readline(); sys.exit({chr(10).join(lines)!r})") as running:
        text = running.ask({"op": "a"})["text"]
    assert text.startswith(f"exit status 1: {lines[0]} ")
    assert text.endswith(f" {lines[-1]}")
    assert len(text) < 250


def test_message_is_skipped_after_it_ended_the_child_each_time() -> None:
    """Other messages are asked, and so is a message with an earlier answer."""
    with Client(starter(LOCK_STEP), Policy.BATCHED, deadline=20, endings=Endings()) as running:
        deaths = [running.ask({"op": "die", "message": "M", "version": version}) for version in range(6)]
        assert [reply["outcome"] for reply in deaths] == [Kind.CRASHED] * ENDINGS_OF_A_MESSAGE + [Kind.NOT_RUN]
        assert deaths[-1]["text"].startswith("skipped: die M ")
        assert f" {ENDINGS_OF_A_MESSAGE} times" in deaths[-1]["text"]
        assert running.ask({"op": "die", "message": "N"})["outcome"] == Kind.CRASHED
        assert running.ask({"op": "echo", "message": "M"}) == {"outcome": "echo"}
        assert running.restarts == ENDINGS_OF_A_MESSAGE + 1


def test_message_answered_once_is_asked_on() -> None:
    endings = Endings()
    endings.answered([{"op": "decode", "message": "M"}])
    for _ in range(2 * ENDINGS_OF_A_MESSAGE):
        endings.ended({"op": "decode", "message": "M"})
    assert endings.known({"op": "decode", "message": "M"}) is None
