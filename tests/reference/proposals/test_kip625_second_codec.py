from collections.abc import Callable, Iterator
from typing import Any

import pytest

from conformance.generate.choices import SeededChoices
from reference import MessageSchema, Unencodable, encode, judge
from tests.reference.proposals.kip625 import PAIRS, integer
from tests.second_codec import dialects
from tests.second_codec.steps import Input
from tests.second_codec.ways import NotTaken

VALUES = 1_500
"""The number of values of each type in each encoding, and of byte strings."""


def numbers(type_name: str, name: str) -> Iterator[int]:
    choices, bits = SeededChoices(f"{type_name}/{name}/values"), int(type_name.removeprefix("int"))
    for _ in range(VALUES):
        number = choices.below(2 ** choices.below(bits))
        yield -number - 1 if choices.below(2) else number


def byte_strings(type_name: str, name: str) -> Iterator[bytes]:
    """Yield byte strings of up to twelve bytes.

    Most bytes announce another one, so that all lengths occur.
    """
    choices = SeededChoices(f"{type_name}/{name}/bytes")
    for _ in range(VALUES):
        tendency = choices.below(12)
        yield bytes(byte(choices, tendency) for _ in range(choices.below(13)))


def byte(choices: SeededChoices, tendency: int) -> int:
    """Return a byte, often a zero or one, as overlong forms and surplus bits have at their end."""
    low = (0, 1, 127)[choices.below(3)] if choices.below(3) == 0 else choices.below(128)
    return low + 128 * (choices.below(12) < tendency)


@pytest.mark.parametrize(("type_name", "name"), PAIRS)
def test_both_write_the_same_bytes(type_name: str, name: str) -> None:
    schema, refused = integer(type_name, name), 0
    for number in numbers(type_name, name):
        expected = written(dialects.write, schema.struct, number)
        refused += expected is None
        assert written(encode, schema, number) == expected, number
    assert (refused > 0) == (name[-2:] < type_name[-2:])


def written(write: Callable[..., bytes], schema: Any, number: int) -> bytes | None:
    """Return the bytes of a codec, or None if it refuses."""
    try:
        return write(schema, {"Number": number})
    except (Unencodable, NotTaken):
        return None


@pytest.mark.parametrize(("type_name", "name"), PAIRS)
def test_both_read_the_same_numbers(type_name: str, name: str) -> None:
    """They also reject the same bytes for the same reason, with overlong forms and trailing bytes as leniencies."""
    schema, results = integer(type_name, name), set()
    for wire in byte_strings(type_name, name):
        verdict, source = judge(schema, wire), Input(wire)
        answer = read(schema, source)
        if isinstance(answer, str):
            assert (verdict.result, verdict.reason) == ("invalid", answer), wire.hex()
            results.add(answer)
            continue
        assert (verdict.value, verdict.consumed) == (answer, source.at), wire.hex()
        assert verdict.rules == expected_rules(is_whole=source.at == len(wire), shortest=not source.is_open)
        results.add("overlong" if source.is_open else "shortest")
    fixed = {"truncated", "shortest"}
    assert results == (fixed if name.startswith("fixed") else fixed | {"varint-overflow", "overlong"})


def read(schema: MessageSchema, source: Input) -> dict[str, Any] | str:
    """Return the value, or the reason of a refusal."""
    try:
        return dialects.reader_of(schema.struct)(source).struct(schema.struct)
    except NotTaken as refused:
        return refused.reason


def expected_rules(*, is_whole: bool, shortest: bool) -> tuple[str, ...]:
    return (() if shortest else ("varint.overlong",)) + (() if is_whole else ("input.trailing-bytes",))
