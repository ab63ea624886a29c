from collections import Counter
from itertools import islice

import pytest

from conformance.benchmark import judging
from conformance.benchmark.judging import BLOCK, PER_VALUE, Block, blocks, byte_strings, judge_block
from reference import MessageSchema, Verdict, encode, load_release, minimal
from tests.helpers.runs import invoke

RELEASE = "4.3.0"
SCHEMA = load_release(RELEASE).schema("MetadataRequest", 9)
ONE_BLOCK = Block(RELEASE, "MetadataRequest", 9, 0, 100)


def test_half_of_the_byte_strings_are_tampered_encodings() -> None:
    kinds = Counter(kind for kind, _ in islice(byte_strings(SCHEMA, 0), 2 * PER_VALUE))
    assert kinds == {"tampered": PER_VALUE, "damaged": PER_VALUE / 2, "random": PER_VALUE / 2}


def test_a_block_is_the_same_each_time() -> None:
    first, again, other = (list(islice(byte_strings(SCHEMA, number), 100)) for number in (0, 0, 1))
    assert first == again != other


def test_blocks_are_as_many_byte_strings_as_asked_for() -> None:
    assert [each.size for each in blocks(RELEASE, 2 * BLOCK + 7)] == [BLOCK, BLOCK, 7]


def test_blocks_go_over_all_pairs() -> None:
    pairs = [(schema.message, schema.version) for schema in load_release(RELEASE).schemas()]
    made = list(blocks(RELEASE, BLOCK * (len(pairs) + 1)))
    assert [(each.message, each.version) for each in made[:-1]] == pairs
    assert made[-1][1:4] == (*pairs[0], 1)


def test_every_byte_string_has_a_verdict() -> None:
    judged = judge_block(ONE_BLOCK)
    assert judged.results.total() == ONE_BLOCK.size
    assert judged.results.keys() == {"valid", "invalid", "unspecified"}
    assert not judged.failures


def test_an_exception_is_told_with_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(schema: MessageSchema, wire: bytes) -> Verdict:
        raise LookupError(f"{schema} {len(wire)}")

    monkeypatch.setattr(judging, "judge", broken)
    judged = judge_block(ONE_BLOCK)
    assert len(judged.failures) == ONE_BLOCK.size
    assert judged.failures[0].startswith("MetadataRequest-v9 ")
    assert "LookupError" in judged.failures[0]


def test_a_verdict_that_hangs_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def hanging(schema: MessageSchema, wire: bytes) -> Verdict:
        while wire == encode(schema, minimal(schema)):
            pass
        raise LookupError

    monkeypatch.setattr(judging, "judge", hanging)
    monkeypatch.setattr(judging, "DEADLINE", 0.05)
    monkeypatch.setattr(judging, "byte_strings", lambda *_: iter([("sound", encode(SCHEMA, minimal(SCHEMA)))]))
    [failure] = judge_block(ONE_BLOCK).failures
    assert "TimeoutError" in failure


def test_the_command_says_what_came_of_it() -> None:
    """Counts, the slowest, memory; nothing went wrong, so the exit status is 0."""
    done = invoke("bench", "judge", "--count", "60", "-n", "1")
    assert done.exit_code == 0, done.output
    assert "60 byte strings: 15 damaged, 15 random, 30 tampered" in done.output
    assert "exceptions and hangs: 0" in done.output
    assert "slowest: " in done.output
    assert " MiB; " in done.output
