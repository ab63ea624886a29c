import pytest

from conformance.targets.records.unencodable_records import UnencodableRecords, unencodable_records
from reference import Unencodable, encode_records, records_from_json, records_to_json

VALUES = list(unencodable_records())


@pytest.mark.parametrize("one", VALUES, ids=lambda one: one.name)
def test_the_reference_refuses_the_value_at_its_path(one: UnencodableRecords) -> None:
    with pytest.raises(Unencodable) as refused:
        encode_records(one.value)
    assert (refused.value.rule, refused.value.path) == (one.rule, one.path)


@pytest.mark.parametrize("one", VALUES, ids=lambda one: one.name)
def test_the_value_has_a_json_form(one: UnencodableRecords) -> None:
    assert records_from_json(records_to_json(one.value)) == one.value


def test_names_are_unique() -> None:
    assert len({one.name for one in VALUES}) == len(VALUES) >= 20


def test_messages_are_a_group_of_their_own() -> None:
    of_messages = {one.name for one in VALUES if one.group == "message-sets"}
    assert of_messages >= {"zstd-in-a-message", "wrapper-in-a-wrapper", "message-timestamp-null"}
    assert "headers-null" not in of_messages
