"""The JSON text of the bridge's lines agrees with Python's own library."""

from __future__ import annotations

import json

import pytest

from conformance.codec.bridge.bridge_json import dumps, loads

FORMS = [
    {"op": "encode", "value": {"Name": "name", "Ids": [1, -1, None, True], "Rack": None}},
    {"number": 2**64, "negative": -(2**63) - 1, "float": 1.5},
    {"text": "naïve €😀"},
    {"text": "a\ud800"},
    {"text": 'a"\\\n\x00\x7f'},
]


@pytest.mark.parametrize("form", FORMS)
def test_a_form_comes_back_as_it_was(form: object) -> None:
    assert loads(dumps(form)) == form


def test_text_is_in_utf_8() -> None:
    assert dumps({"text": "€"}) == '{"text":"€"}'.encode()


@pytest.mark.parametrize("form", FORMS)
def test_text_is_one_line_and_python_reads_its_value(form: object) -> None:
    text = dumps(form)
    assert b"\n" not in text
    assert json.loads(text) == form


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (b'{"number": 123456789012345678901234567890}', {"number": 123456789012345678901234567890}),
        (b'{"text": "\\ud800"}', {"text": "\ud800"}),
        (b'{"text": "\xed\xa0\x80"}', {"text": "\ud800"}),
        (b'\xef\xbb\xbf{"text": "a"}\r', {"text": "a"}),
        (b'{"a": 1, "a": 2}', {"a": 2}),
    ],
)
def test_text_of_other_writers_is_read_as_python_reads_it(text: bytes, form: object) -> None:
    assert loads(text) == form


@pytest.mark.parametrize("text", [b"", b"{", b'{"a": 01}', b'{"a": "\xff"}', b"{'a': 1}"])
def test_text_other_than_json_is_an_error(text: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        loads(text)
