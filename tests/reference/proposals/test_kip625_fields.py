import pytest

from reference import (
    ArrayType,
    FieldSchema,
    PrimitiveType,
    Refusal,
    Unencodable,
    decode,
    default,
    encode,
    encode_with_spans,
    from_json,
    load_release,
    minimal,
    to_json,
)
from reference.proposals.kip625 import ENCODINGS
from tests.reference.proposals.kip625 import defined, integer, whole

TOO_SMALL = """{ "name": "tooSmall", "type": "int64", "versions": "0+",
                 "encoding": { "0-1": "fixed32", "2+": "fixed64" } }"""


@pytest.mark.parametrize(("version", "wire"), [(0, "00000005"), (1, "00000005"), (2, "0000000000000005")])
def test_too_small_field_grows(version: int, wire: str) -> None:
    schema = defined(TOO_SMALL, version)
    assert encode(schema, {"tooSmall": 5}).hex() == wire
    assert decode(schema, bytes.fromhex(wire)).value == {"tooSmall": 5}


def test_number_too_large_for_old_versions_is_refused() -> None:
    for version in (0, 1):
        with pytest.raises(Unencodable):
            encode(defined(TOO_SMALL, version), {"tooSmall": 2**31})
    assert encode(defined(TOO_SMALL, 2), {"tooSmall": 2**31}).hex() == "0000000080000000"


def test_a_negative_number_keeps_its_sign_in_a_wider_type() -> None:
    """Four bytes of ones are -1, and so are five of upacked32."""
    assert decode(defined(TOO_SMALL, 1), bytes.fromhex("ffffffff")).value == {"tooSmall": -1}
    assert decode(integer("int64", "upacked32"), bytes.fromhex("ffffffff0f")).value == {"Number": -1}


LEADER_IDS = [(9, 1001, "000003e9"), (10, 1001, "e907"), (9, -1, "ffffffff"), (10, -1, "ffffffff0f")]


@pytest.mark.parametrize(("version", "number", "wire"), LEADER_IDS)
def test_the_leader_id_changes_its_encoding_with_the_version(version: int, number: int, wire: str) -> None:
    schema = load_release("kip-625").schema("LeaderIdData", version)
    assert encode(schema, {"LeaderId": number}).hex() == wire
    assert decode(schema, bytes.fromhex(wire)).value == {"LeaderId": number}


TAGGED = '{ "name": "Some", "type": "int32", "versions": "0+", "taggedVersions": "0+", "tag": 0'


@pytest.mark.parametrize(("encoding", "wire"), [('"upacked32"', "010002ac02"), ("null", "0100040000012c")])
def test_the_size_of_a_tagged_integer_counts_its_encoded_bytes(encoding: str, wire: str) -> None:
    schema = defined(f'{TAGGED}, "encoding": {encoding} }}', flexible="0+")
    assert encode(schema, {"Some": 300}).hex() == wire
    assert decode(schema, bytes.fromhex(wire)).value == {"Some": 300}


def test_a_tagged_integer_is_left_out_by_its_value() -> None:
    """It is left out at its default, even one beyond its encoding, and other values beyond it are refused."""
    schema = defined(f'{TAGGED}, "default": "70000", "encoding": "packed16" }}', flexible="0+")
    assert encode(schema, {"Some": 70000}).hex() == "00"
    with pytest.raises(Unencodable) as caught:
        encode(schema, {"Some": 70001})
    assert caught.value.rule == "kip-625.range"


def test_a_default_beyond_a_narrower_encoding_is_sound_and_cannot_be_written() -> None:
    schema = defined(
        '{ "name": "Some", "type": "int32", "versions": "0+", "default": "70000", "encoding": "packed16" }'
    )
    assert default(schema) == {"Some": 70000}
    with pytest.raises(Unencodable):
        encode(schema, default(schema))
    assert minimal(schema) == {"Some": 0}


def test_the_default_of_the_leader_epoch_takes_five_bytes_unsigned() -> None:
    assert [len(encode(integer("int32", each), {"Number": -1})) for each in ("upacked32", "packed32")] == [5, 1]


def test_ignorable_does_not_suppress_the_range() -> None:
    schema = defined('{ "name": "Some", "type": "int32", "versions": "0+", "ignorable": true, "encoding": "packed16" }')
    with pytest.raises(Unencodable):
        encode(schema, {"Some": 40000})


def test_a_field_of_other_versions_writes_nothing() -> None:
    other = '"type": "int32", "versions": "1+", "encoding": "upacked32"'
    schema = defined(
        f'{{ "name": "Kept", "type": "int16", "versions": "0+" }}, {{ "name": "Some", "ignorable": true, {other} }}'
    )
    assert encode(schema, {"Kept": 1, "Some": 300}).hex() == "0001"
    schema = defined(f'{{ "name": "Kept", "type": "int16", "versions": "0+" }}, {{ "name": "Some", {other} }}')
    with pytest.raises(Unencodable) as caught:
        encode(schema, {"Kept": 1, "Some": 300})
    assert caught.value.reason is Refusal.NOT_IN_THIS_VERSION


def test_an_encoding_needs_no_flexible_version() -> None:
    items = '{ "name": "In", "type": "int32", "versions": "0+", "encoding": "upacked32" }'
    schema = defined(f'{{ "name": "Some", "type": "[]Item", "versions": "0+", "fields": [{items}] }}')
    assert encode(schema, {"Some": [{"In": 300}, {"In": 1}]}).hex() == "00000002" + "ac02" + "01"


def test_the_elements_of_an_array_can_have_an_encoding_of_their_own() -> None:
    element = FieldSchema("Some", PrimitiveType("int32", "upacked32"), default=0)
    schema = whole(FieldSchema("Some", ArrayType(element), default=[], compact=True))
    assert encode(schema, {"Some": [1, 300]}).hex() == "03" + "01" + "ac02"
    assert decode(schema, bytes.fromhex("0301ac02")).value == {"Some": [1, 300]}


@pytest.mark.parametrize("value", ["1", 1.0, True, None])
def test_value_of_another_type_is_refused(value: object) -> None:
    for name in ENCODINGS:
        with pytest.raises(Unencodable) as caught:
            encode(integer("int64", name), {"Number": value})
        assert caught.value.reason in {Refusal.WRONG_TYPE, Refusal.NULL_NOT_ALLOWED}


def test_the_json_form_does_not_depend_on_the_encoding() -> None:
    """It depends on the type alone, so an int64 is text."""
    plain, encoded = integer("int64", None), integer("int64", "packed16")
    assert to_json(encoded, {"Number": 300}) == to_json(plain, {"Number": 300}) == {"Number": "300"}
    assert from_json(encoded, {"Number": "300"}) == {"Number": 300}


@pytest.mark.parametrize(
    ("type_name", "wire"), [("int16", "012c"), ("int32", "0000012c"), ("int64", "000000000000012c")]
)
def test_without_an_encoding_an_integer_is_fixed(type_name: str, wire: str) -> None:
    encoded = encode_with_spans(integer(type_name, None), {"Number": 300})
    assert (encoded.wire.hex(), [span.rule for span in encoded.spans]) == (wire, ["int.width-and-order"])
