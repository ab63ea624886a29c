"""Found cases are judged by the oracle, whatever their file claims."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.report.files.found_cases import BadFoundCase, read_found_case
from reference import load_release
from tests.helpers.cases import FOUND_CASE
from tests.helpers.releases import NEWEST

RELEASE = load_release(NEWEST)
VALUE = json.dumps({"ErrorCode": 1})


def case(folder: Path, **changes: Any) -> Any:
    file = folder / "one.json"
    file.write_text(json.dumps({**FOUND_CASE, "release": NEWEST, **changes}), encoding="utf-8")
    return read_found_case(file, RELEASE).case


@pytest.mark.parametrize("kind", ["invalid-bytes", "trailing-bytes"])
def test_sound_bytes_are_hostile_ones_despite_their_file(tmp_path: Path, kind: str) -> None:
    assert case(tmp_path, kind=kind, wire="0001").kind == "hostile-bytes"


def test_invalid_bytes_keep_the_rule_of_their_file(tmp_path: Path) -> None:
    invalid = case(tmp_path, kind="invalid-bytes", wire="00", rule="input.truncated")
    assert (invalid.kind, invalid.rule) == ("invalid-bytes", "input.truncated")


def test_bytes_after_a_message_are_trailing_bytes(tmp_path: Path) -> None:
    assert case(tmp_path, kind="trailing-bytes", wire="000100").kind == "trailing-bytes"


def test_sound_value_is_a_value_despite_its_file(tmp_path: Path) -> None:
    assert case(tmp_path, kind="unencodable-value", wire="", value=VALUE).kind == "value"


def test_value_out_of_range_is_unencodable(tmp_path: Path) -> None:
    value = json.dumps({"ErrorCode": 2**15})
    assert case(tmp_path, kind="unencodable-value", wire="", value=value, rule="int.range").kind == "unencodable-value"


@pytest.mark.parametrize("kind", ["value", "absent-field"])
def test_invalid_value_is_no_case_of_a_value(tmp_path: Path, kind: str, snapshot: SnapshotAssertion) -> None:
    with pytest.raises(BadFoundCase) as error:
        case(tmp_path, kind=kind, wire="", value="{}")
    assert str(error.value).replace(str(tmp_path), "…") == snapshot


@pytest.mark.parametrize(
    "changes",
    [
        {"value": "[" * 100_000},
        {"value": '{"ErrorCode": ' + "9" * 5000 + "}"},
        {"value": "nonsense"},
        {"wire": "0"},
        {"definitions": []},
        {"version": 1.0},
        {"version": True},
    ],
    ids=["deep", "digits", "no JSON", "odd", "definitions", "float", "boolean"],
)
def test_unreadable_file_is_named(tmp_path: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(BadFoundCase, match=r"one\.json"):
        case(tmp_path, **changes)
