from typing import Any

import pytest

from reference import Refusal, Unencodable
from reference.layouts import FRAME, LAYOUTS, METADATA_RECORD, TYPE_PREFIX, VERSION_PREFIX, Layout
from reference.wire.stream import LenientReader, Reader

EXAMPLES: list[tuple[Layout, dict[str, int], str]] = [
    (FRAME, {"size": 18}, "00000012"),
    (VERSION_PREFIX, {"prefix": 1}, "0001"),
    (TYPE_PREFIX, {"prefix": 2}, "0002"),
    (METADATA_RECORD, {"frame-version": 1, "type": 300, "version": 0}, "01ac0200"),
]

examples = pytest.mark.parametrize(("layout", "value", "digits"), EXAMPLES, ids=[each[0].title for each in EXAMPLES])


def test_every_layout_has_an_example() -> None:
    assert tuple(layout for layout, *_ in EXAMPLES) == LAYOUTS


@examples
def test_layout_is_its_parts_one_after_the_other(layout: Layout, value: dict[str, int], digits: str) -> None:
    assert layout.write(value).hex() == digits
    assert layout.read(Reader(bytes.fromhex(digits))) == value


@examples
def test_spans_of_a_layout_have_the_names_and_rules_of_its_table(
    layout: Layout, value: dict[str, int], digits: str
) -> None:
    reader = LenientReader(bytes.fromhex(digits), trace=True)
    assert layout.read(reader) == value
    table = [(name, rule) for name, _, rule, _ in layout.rows()]
    assert [(span.path, span.rule) for span in reader.spans or ()] == table


@pytest.mark.parametrize(
    ("value", "reason", "path"),
    [
        ({}, Refusal.MISSING_FIELD, "prefix"),
        ({"prefix": 2**15}, Refusal.OUT_OF_RANGE, "prefix"),
        ([1], Refusal.WRONG_TYPE, ""),
    ],
)
def test_value_of_a_layout_is_checked(value: Any, reason: Refusal, path: str) -> None:
    with pytest.raises(Unencodable) as caught:
        VERSION_PREFIX.write(value)
    assert (caught.value.reason, caught.value.path) == (reason, path)
