from collections.abc import Iterator

import pytest

from conformance.generate.choices import SeededChoices
from reference import MessageSchema, Unencodable, encode, judge
from tests.reference.proposals.kip625 import PAIRS, integer

VALUES = 1_500
"""The number of values of each type in each encoding, and of byte strings."""

LONGEST = {16: 3, 32: 5, 64: 10}


def write(name: str, number: int) -> bytes | None:
    """Return the bytes of a number, or None if it has none."""
    kind, bits = name[:-2], int(name[-2:])
    if number < -(2 ** (bits - 1)) or number > 2 ** (bits - 1) - 1:
        return None
    if kind == "fixed":
        return number.to_bytes(bits // 8, byteorder="big", signed=True)
    if kind == "packed":
        return varint(2 * number if number >= 0 else -2 * number - 1)
    return varint(number if number >= 0 else number + 2**bits)


def varint(number: int) -> bytes:
    higher, lowest = divmod(number, 128)
    return bytes([lowest]) if higher == 0 else bytes([lowest + 128]) + varint(higher)


def read(name: str, wire: bytes) -> tuple[int, int, bool] | str:
    """Return the number at the beginning, its bytes, and whether they are the shortest, or the reason of a refusal."""
    kind, bits = name[:-2], int(name[-2:])
    if kind == "fixed":
        if len(wire) < bits // 8:
            return "truncated"
        return int.from_bytes(wire[: bits // 8], byteorder="big", signed=True), bits // 8, True
    length = next((place for place, byte in enumerate(wire, 1) if byte < 128), None)
    if length is None and len(wire) < LONGEST[bits]:
        return "truncated"
    number = sum((byte % 128) * 128**place for place, byte in enumerate(wire[:length]))
    if length is None or length > LONGEST[bits] or number >= 2**bits:
        return "varint-overflow"
    return unsigned(number, bits) if kind == "upacked" else zigzag(number), length, length == 1 or wire[length - 1] > 0


def unsigned(number: int, bits: int) -> int:
    return number if number < 2 ** (bits - 1) else number - 2**bits


def zigzag(number: int) -> int:
    return number // 2 if number % 2 == 0 else -(number + 1) // 2


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
        expected = write(name, number)
        refused += expected is None
        assert written(schema, number) == expected, number
    assert (refused > 0) == (name[-2:] < type_name[-2:])


def written(schema: MessageSchema, number: int) -> bytes | None:
    """Return the bytes of the reference, or None if it refuses."""
    try:
        return encode(schema, {"Number": number})
    except Unencodable:
        return None


@pytest.mark.parametrize(("type_name", "name"), PAIRS)
def test_both_read_the_same_numbers(type_name: str, name: str) -> None:
    """They also reject the same bytes for the same reason, with overlong forms and trailing bytes as leniencies."""
    schema, results = integer(type_name, name), set()
    for wire in byte_strings(type_name, name):
        verdict = judge(schema, wire)
        answer = read(name, wire)
        if isinstance(answer, str):
            assert (verdict.result, verdict.reason) == ("invalid", answer), wire.hex()
            results.add(answer)
            continue
        number, length, shortest = answer
        assert (verdict.value, verdict.consumed) == ({"Number": number}, length), wire.hex()
        assert verdict.rules == expected_rules(is_whole=length == len(wire), shortest=shortest)
        results.add("shortest" if shortest else "overlong")
    fixed = {"truncated", "shortest"}
    assert results == (fixed if name.startswith("fixed") else fixed | {"varint-overflow", "overlong"})


def expected_rules(*, is_whole: bool, shortest: bool) -> tuple[str, ...]:
    return (() if shortest else ("varint.overlong",)) + (() if is_whole else ("input.trailing-bytes",))
