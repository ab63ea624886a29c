import pytest

from reference import difference, load_release, newest_release
from reference.values.comparison import UNKNOWN, same_value

PAIRS = [
    (True, 1),
    (1, 1.0),
    ("", b""),
    (b"", ()),
    (0, None),
    ([True], [1]),
    ((1, b""), (True, b"")),
    ({"a": 1}, {"a": 1.0}),
]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_values_of_two_types_differ(one: object, other: object) -> None:
    assert not same_value(one, other)
    assert not same_value(other, one)


@pytest.mark.parametrize("value", [value for pair in PAIRS for value in pair])
def test_value_is_the_same_as_itself(value: object) -> None:
    assert same_value(value, value)


def test_floats_are_compared_by_their_bits() -> None:
    assert same_value(float("nan"), float("nan"))
    assert not same_value(0.0, -0.0)


def test_unknown_tags_are_compared_by_type() -> None:
    schema = load_release(newest_release()).schema("HeartbeatResponse", 4)
    value = {"ThrottleTimeMs": 0, "ErrorCode": 0}
    found = difference(schema, {**value, "_tags": [(1, b"")]}, {**value, "_tags": [(True, b"")]})
    assert found is not None
    assert found.what == "tags"


def test_unknown_part_differs_from_nothing() -> None:
    schema = load_release(newest_release()).schema("HeartbeatResponse", 4)
    value = {"ThrottleTimeMs": 1, "ErrorCode": 2}
    assert difference(schema, value, {**value, "ErrorCode": UNKNOWN}) is None
