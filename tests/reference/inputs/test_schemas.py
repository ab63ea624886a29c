from __future__ import annotations

from typing import Any

import pytest

from reference.inputs.errors import BadInput
from reference.inputs.schemas import STRICT, conform, packaged

SCHEMA = STRICT({"properties": {"a": {"items": {"properties": {"b": {"type": "integer"}}}}}})


@pytest.mark.parametrize("value", [1.0, True, "1", None])
def test_value_of_another_type_is_named_by_its_path(value: Any) -> None:
    with pytest.raises(BadInput) as bad:
        conform({"a": [{}, {"b": value}]}, SCHEMA, "file.json", 7)
    assert str(bad.value).startswith(f"file.json, line 7, $.a[1].b: {value!r} ")
    assert "'integer'" in str(bad.value)


def test_conforming_document_is_no_error() -> None:
    conform({"a": [{"b": 1}]}, SCHEMA, "file.json")


def test_a_long_message_is_cut() -> None:
    with pytest.raises(BadInput) as bad:
        conform({"a": [{"b": "x" * 10_000}]}, SCHEMA, "file.json")
    assert len(str(bad.value)) < 1000


def test_a_definition_of_a_schema_in_a_package_may_be_asked_for() -> None:
    conform("FetchRequest", packaged("specs", "release.schema.json", "name"), "file.json")
