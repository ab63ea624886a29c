"""Vectors of values refused by a writer, and their content."""

from functools import cache
from typing import Any

import pytest

from conformance.targets import Body
from conformance.vectors.enumeration.enumerate import group, group_of
from conformance.vectors.enumeration.vector import refusal_of
from conformance.vectors.tree.vector_paths import VectorFile
from reference import load_release
from reference.errors import InternalError
from tests.helpers.releases import BASE


@cache
def unwritable(message: str, version: int) -> dict[str, dict[str, Any]]:
    vectors = group(BASE, message, version)["vectors"]
    return {vector["id"]: vector for vector in vectors if vector["result"] == "unwritable"}


@pytest.mark.parametrize(
    ("message", "version", "name", "value", "why"),
    [
        pytest.param(
            *("FindCoordinatorRequest", 0, "unwritable-key-null", {"Key": None}),
            ("null-not-allowed", "null.not-written", "Key"),
            id="null",
        ),
        pytest.param(
            *("DeleteGroupsRequest", 0, "unwritable-groups-names-0-null", {"GroupsNames": [None]}),
            ("null-not-allowed", "null.not-written", "GroupsNames[0]"),
            id="an element that is null",
        ),
        pytest.param(
            *("FindCoordinatorRequest", 0, "unwritable-key-type-absent-set", {"Key": "", "KeyType": 18}),
            ("not-in-this-version", "ignorable.refused", "KeyType"),
            id="a field of other versions",
        ),
        pytest.param(
            *("FindCoordinatorRequest", 0, "unwritable-tags-without-section", {"Key": "", "_tags": [[9999, "cafe"]]}),
            ("bad-tags", "tag.not-flexible", "_tags"),
            id="tags without a section",
        ),
    ],
)
def test_a_value_is_refused_for_one_reason(
    message: str, version: int, name: str, value: dict[str, Any], why: tuple[str, str, str]
) -> None:
    """Its vector has no bytes, but a reason and a place."""
    vector = unwritable(message, version)[name]
    assert vector["value"] == value
    assert (vector["refusal"], vector["rule"], vector["path"]) == why
    assert "wire" not in vector


def test_a_text_is_too_long_once_for_each_layout() -> None:
    """One message has one for a plain and one for a nullable text."""
    long = [name for name in unwritable("HeartbeatRequest", 4) if "32768" in name]
    assert long == ["unwritable-group-id-length-32768", "unwritable-group-instance-id-length-32768"]


def test_numbers_out_of_range_are_refused_by_wire_types() -> None:
    """They are the first number above and the first below."""
    vectors = group_of(BASE, VectorFile(BASE, "primitives", "unsigned-varint").target(0))["vectors"]
    values = [vector["value"] for vector in vectors if vector["result"] == "unwritable"]
    assert values[:2] == [-1, 4294967296] or values[:2] == ["-1", "4294967296"]


def test_written_value_cannot_become_an_unwritable_vector() -> None:
    """It would accuse every sound codec."""
    target = Body(load_release(BASE).schema("FindCoordinatorRequest", 0))
    with pytest.raises(InternalError, match="is written as 0000"):
        refusal_of(target, {"Key": ""})


def test_an_example_of_the_book_is_named_after_its_statement() -> None:
    """The example is null in a record field with nullable versions elsewhere, by statement 15.13."""
    [vector] = [
        vector for name, vector in unwritable("ShareFetchResponse", 1).items() if name.startswith("book-15-13-")
    ]
    assert vector["path"] == "Responses[0].Partitions[0].Records"
