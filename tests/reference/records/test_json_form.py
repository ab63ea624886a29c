import json

import pytest

from conformance.generate.record_building import batch, message, record, wrapper
from reference import NotJsonForm, records_from_json, records_to_json

VALUE = {
    "batches": [
        batch(record(key=b"k", headers=[("h", b"v"), ("h", None), (b"\xff", b""), ("\ud800", None)])),
        wrapper(message(2), offset=7),
        message(9, magic=0),
    ],
    "partial": b"\0",
}


def test_form_is_json_and_leads_back() -> None:
    assert records_from_json(json.loads(json.dumps(records_to_json(VALUE)))) == VALUE


def test_int64_is_a_decimal_string_and_bytes_are_hex() -> None:
    form = records_to_json(VALUE)["batches"][0]
    assert (form["baseOffset"], form["maxTimestamp"], form["baseSequence"]) == ("0", "1700000000000", -1)
    assert form["records"][0] == {
        "attributes": 0,
        "timestampDelta": "0",
        "offsetDelta": 0,
        "key": "6b",
        "value": None,
        "headers": [["h", "76"], ["h", None], [{"hex": "ff"}, ""], [{"utf16": "d800"}, None]],
    }


@pytest.mark.parametrize(
    ("form", "path"),
    [
        (None, ""),
        ([], ""),
        ({"batches": {}}, "batches"),
        ({"batches": [{"baseOffset": 0}]}, "batches[0].baseOffset"),
        ({"batches": [{"baseSequence": "0"}]}, "batches[0].baseSequence"),
        ({"batches": [{"control": 0}]}, "batches[0].control"),
        ({"batches": [{"compression": 1}]}, "batches[0].compression"),
        ({"batches": [{"crc": 0}]}, "batches[0].crc"),
        ({"batches": [{"records": [{"key": "6B"}]}]}, "batches[0].records[0].key"),
        ({"batches": [{"records": [{"headers": [["h"]]}]}]}, "batches[0].records[0].headers[0]"),
        ({"batches": [{"records": [{"headers": [[1, None]]}]}]}, "batches[0].records[0].headers[0][0]"),
        ({"batches": [{"records": [{"headers": [["h", 1]]}]}]}, "batches[0].records[0].headers[0][1]"),
    ],
)
def test_other_documents_are_no_form(form: object, path: str) -> None:
    with pytest.raises(NotJsonForm) as caught:
        records_from_json(form)
    assert caught.value.path == path


def test_unencodable_value_is_left_unchanged() -> None:
    """A finding about such a value is printed by its form."""
    records = [None, {"key": 1, "value": "v", "headers": [["h", 2]]}]
    assert records_to_json({"batches": [{"records": records}]}) == {"batches": [{"records": records}]}
