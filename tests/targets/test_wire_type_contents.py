import pytest

from conformance.targets.wire_type.wire_type_contents import primitive_values
from reference import Primitive, Unencodable, primitive

NUMBERS = {
    "int8": (-(2**7), 2**7 - 1),
    "int16": (-(2**15), 2**15 - 1),
    "uint16": (0, 2**16 - 1),
    "int32": (-(2**31), 2**31 - 1),
    "uint32": (0, 2**32 - 1),
    "int64": (-(2**63), 2**63 - 1),
    "unsigned-varint": (0, 2**32 - 1),
    "varint": (-(2**31), 2**31 - 1),
    "unsigned-varlong": (0, 2**64 - 1),
    "varlong": (-(2**63), 2**63 - 1),
}


def refused(each: Primitive) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for value in primitive_values(each):
        try:
            each.encode(value)
        except Unencodable as error:
            found.setdefault(error.rule, []).append(value)
    return found


@pytest.mark.parametrize("name", NUMBERS)
def test_both_ends_and_the_first_numbers_beyond_them_are_tried(name: str) -> None:
    lowest, highest = NUMBERS[name]
    each = primitive(name)
    assert {lowest, highest} <= set(primitive_values(each))
    assert refused(each)["number.range"] == [lowest - 1, highest + 1]
