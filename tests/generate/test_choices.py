import pytest

from conformance.generate.choices import ByteChoices, SeededChoices, pick

PINNED = {
    "": [259856, 391785, 320038, 469280, 13516, 428682, 590531, 184940, 10376, 433170],
    "a seed": [685427, 537664, 270299, 513664, 592388, 327591, 261865, 181241, 306673, 498227],
    "FetchRequest-v17/1": [408392, 117587, 680973, 343467, 505748, 778730, 581815, 741704, 824127, 868048],
}


@pytest.mark.parametrize(("seed", "numbers"), PINNED.items())
def test_the_numbers_of_a_seed_are_pinned(seed: str, numbers: list[int]) -> None:
    choices = SeededChoices(seed)
    assert [choices.below(1_000_000) for _ in numbers] == numbers


@pytest.mark.parametrize("bound", [1, 2, 3, 8, 64, 100])
def test_below_covers_its_range_and_no_more(bound: int) -> None:
    """Every number from 0 to the bound, the bound itself not."""
    choices = SeededChoices("range")
    assert {choices.below(bound) for _ in range(bound * 20)} == set(range(bound))


@pytest.mark.parametrize(("lowest", "highest"), [(-2, 2), (7, 7), (-(2**15), -(2**15) + 3)])
def test_integer_covers_its_range_with_both_ends(lowest: int, highest: int) -> None:
    choices = SeededChoices("range")
    assert {choices.integer(lowest, highest) for _ in range(200)} == set(range(lowest, highest + 1))


def test_numbers_are_spread_evenly() -> None:
    choices = SeededChoices("even")
    counts = [0] * 10
    for _ in range(10_000):
        counts[choices.below(10)] += 1
    assert all(900 < count < 1_100 for count in counts)


@pytest.mark.parametrize("bits", [64, 128, 256])
def test_wide_numbers_use_all_their_bits(bits: int) -> None:
    """A uuid has 128 bits, and each of them is set at times."""
    choices, seen = SeededChoices("wide"), 0
    for _ in range(100):
        seen |= choices.below(2**bits)
    assert seen == 2**bits - 1


def test_pick_takes_every_option() -> None:
    choices = SeededChoices("options")
    assert {pick(choices, "abc") for _ in range(50)} == set("abc")


def byte_choices(*blocks: bytes) -> ByteChoices:
    remaining = iter(blocks)
    return ByteChoices(lambda _: next(remaining))


def test_a_byte_makes_one_small_choice() -> None:
    choices = byte_choices(bytes([0, 5, 7, 255]))
    assert [choices.below(4) for _ in range(4)] == [0, 1, 3, 3]


def test_a_new_block_is_drawn_when_one_is_used_up() -> None:
    choices = byte_choices(b"\1\2", b"\3")
    assert [choices.below(256) for _ in range(3)] == [1, 2, 3]


def test_a_large_choice_takes_several_bytes() -> None:
    assert byte_choices(b"\x12\x34").below(2**16) == 0x1234


def test_a_large_choice_takes_bytes_of_two_blocks() -> None:
    assert byte_choices(b"\x12", b"\x34").below(2**16) == 0x1234


@pytest.mark.parametrize(
    ("lowest", "highest", "simplest"), [(-128, 127, 0), (0, 255, 0), (5, 9, 5), (-(2**31), 2**31 - 1, 0)]
)
def test_zero_bytes_choose_the_simplest_number(lowest: int, highest: int, simplest: int) -> None:
    assert byte_choices(bytes(8)).integer(lowest, highest) == simplest


@pytest.mark.parametrize(("lowest", "highest"), [(-128, 127), (-2, 3), (-3, 2), (0, 255)])
def test_bytes_choose_every_number_of_a_range(lowest: int, highest: int) -> None:
    chosen = {byte_choices(bytes([byte])).integer(lowest, highest) for byte in range(256)}
    assert chosen == set(range(lowest, highest + 1))
