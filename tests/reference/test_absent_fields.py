import pytest

from reference import MessageSchema, Refusal, decode, encode, load_release, minimal
from tests.helpers.releases import BASE
from tests.reference.inline import message, unencodable, value_of, wire_of

RELEASE = load_release(BASE)
TOP_ONLY = message(
    """{ "name": "Kept", "type": "int8", "versions": "0+" },
       { "name": "Number", "type": "int32", "versions": "1+", "default": "-2" },
       { "name": "Ignorable", "type": "int32", "versions": "1+", "ignorable": true },
       { "name": "Float", "type": "float64", "versions": "1+" },
       { "name": "NullByDefault", "type": "string", "versions": "1+", "nullableVersions": "1+", "default": "null" },
       { "name": "Nullable", "type": "string", "versions": "1+", "nullableVersions": "1+" },
       { "name": "List", "type": "[]int8", "versions": "1+" },
       { "name": "Records", "type": "records", "versions": "1+" },
       { "name": "Inner", "type": "Inner", "versions": "1+",
         "fields": [{ "name": "X", "type": "int8", "versions": "0+", "default": "3" }] },
       { "name": "Tagged", "type": "int8", "versions": "1+", "tag": 0, "taggedVersions": "1+" },
       { "name": "Box", "type": "Box", "versions": "0+", "fields": [
           { "name": "Y", "type": "int8", "versions": "1+" }] }""",
    flexible="1+",
)
"""Version 0 of a definition with most fields from version 1 on; `Float` to `Tagged` are not ignorable."""
KEPT: dict[str, object] = {"Kept": 1, "Box": {}}

DROPPED: list[tuple[str, dict[str, object]]] = [
    ("at its default", {"Number": -2}),
    ("ignorable", {"Ignorable": 5}),
    ("negative zero", {"Float": -0.0}),
    ("null by default", {"NullByDefault": None}),
    ("no text", {"Nullable": ""}),
    ("no elements", {"List": []}),
    ("null records", {"Records": None}),
    ("a struct at its default", {"Inner": {"X": 3}}),
    ("a tagged field at its default", {"Tagged": 0}),
    ("at its default, nested", {"Box": {"Y": 0}}),
]
LOST: list[tuple[str, dict[str, object], Refusal, str]] = [
    ("zero is not the default", {"Number": 0}, Refusal.NOT_IN_THIS_VERSION, "Number"),
    ("NaN", {"Float": float("nan")}, Refusal.NOT_IN_THIS_VERSION, "Float"),
    ("not null though null by default", {"NullByDefault": ""}, Refusal.NOT_IN_THIS_VERSION, "NullByDefault"),
    ("null though nullable", {"Nullable": None}, Refusal.NOT_IN_THIS_VERSION, "Nullable"),
    ("an element of zero", {"List": [0]}, Refusal.NOT_IN_THIS_VERSION, "List"),
    ("null for an array", {"List": None}, Refusal.NULL_NOT_ALLOWED, "List"),
    ("no records, which are not null", {"Records": b""}, Refusal.NOT_IN_THIS_VERSION, "Records"),
    ("a struct of zero", {"Inner": {"X": 0}}, Refusal.NOT_IN_THIS_VERSION, "Inner"),
    ("null for a struct", {"Inner": None}, Refusal.NULL_NOT_ALLOWED, "Inner"),
    ("a tagged field", {"Tagged": 1}, Refusal.NOT_IN_THIS_VERSION, "Tagged"),
    ("nested", {"Box": {"Y": 1}}, Refusal.NOT_IN_THIS_VERSION, "Box.Y"),
    ("the wrong type", {"Ignorable": "5"}, Refusal.WRONG_TYPE, "Ignorable"),
    ("false for zero", {"Tagged": False}, Refusal.WRONG_TYPE, "Tagged"),
    ("out of range", {"Ignorable": 2147483648}, Refusal.OUT_OF_RANGE, "Ignorable"),
    ("thousands of digits", {"Ignorable": 10**5000}, Refusal.OUT_OF_RANGE, "Ignorable"),
    ("null for a number", {"Ignorable": None}, Refusal.NULL_NOT_ALLOWED, "Ignorable"),
    ("an unknown field of an absent struct", {"Inner": {"X": 3, "Z": 1}}, Refusal.UNKNOWN_FIELD, "Inner.Z"),
]


def from_minimal(name: str, version: int, **change: object) -> tuple[MessageSchema, dict[str, object]]:
    schema = RELEASE.schema(name, version)
    return schema, minimal(schema) | change


@pytest.mark.parametrize("case", DROPPED, ids=lambda case: case[0])
def test_field_of_another_version_is_dropped_where_nothing_is_lost(case: tuple[str, dict[str, object]]) -> None:
    """It leaves no bytes (rules 4.3.1 to 4.3.5)."""
    assert wire_of(TOP_ONLY, KEPT | case[1]) == "01"


@pytest.mark.parametrize("case", LOST, ids=lambda case: case[0])
def test_field_of_another_version_is_refused_where_its_value_would_be_lost(
    case: tuple[str, dict[str, object], Refusal, str],
) -> None:
    """A value of the wrong type is refused even if it would be dropped."""
    _, change, reason, path = case
    assert unencodable(TOP_ONLY, KEPT | change) == (reason, path)


def test_fields_of_other_versions_are_not_read() -> None:
    assert value_of(TOP_ONLY, "01") == KEPT


def test_ignorable_instance_id_of_a_member_is_dropped_before_its_version() -> None:
    """It is a nested ignorable field with null as its default (MessageTest, DescribeGroupsResponse)."""
    schema = RELEASE.schema("DescribeGroupsResponse", 3)
    member = {"MemberId": "m", "ClientId": "", "ClientHost": "", "MemberMetadata": b"", "MemberAssignment": b""}
    group = {
        "ErrorCode": 0,
        "GroupId": "g",
        "GroupState": "",
        "ProtocolType": "",
        "ProtocolData": "",
        "AuthorizedOperations": -2147483648,
    }
    plain = {"ThrottleTimeMs": 0, "Groups": [group | {"Members": [member]}]}
    with_id = {"ThrottleTimeMs": 0, "Groups": [group | {"Members": [member | {"GroupInstanceId": "i"}]}]}
    assert encode(schema, with_id) == encode(schema, plain)


def test_throttle_time_is_dropped_in_version_0() -> None:
    """A top-level ignorable field (MessageTest, DescribeGroupsResponse)."""
    schema = RELEASE.schema("DescribeGroupsResponse", 0)
    assert wire_of(schema, {"ThrottleTimeMs": 1000, "Groups": []}) == "00000000"


@pytest.mark.parametrize(("field", "value"), [("MemberId", "m"), ("GenerationId", 1), ("GroupInstanceId", "i")])
def test_member_of_a_transaction_is_not_lost_silently(field: str, value: object) -> None:
    """Its fields are not ignorable, so each is refused below its version (MessageTest, TxnOffsetCommitRequest)."""
    schema, request = from_minimal("TxnOffsetCommitRequest", 2, **{field: value})
    assert unencodable(schema, request) == (Refusal.NOT_IN_THIS_VERSION, field)


@pytest.mark.parametrize("field", ["Topics", "RequireStable"])
def test_offset_fetch_takes_null_and_stability_only_where_they_exist(field: str) -> None:
    """Null topics from version 2, RequireStable from version 7 (MessageTest, OffsetFetchRequest)."""
    value, first, reason = {
        "Topics": (None, 2, Refusal.NULL_NOT_ALLOWED),
        "RequireStable": (True, 7, Refusal.NOT_IN_THIS_VERSION),
    }[field]
    assert unencodable(*from_minimal("OffsetFetchRequest", first - 1, **{field: value})) == (reason, field)
    schema, request = from_minimal("OffsetFetchRequest", first, **{field: value})
    assert decode(schema, encode(schema, request)).value == request
