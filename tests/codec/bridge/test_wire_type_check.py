"""The check of single wire types, on the replies of the reference with one mistake each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.adapter import DIRECTIONS
from conformance.codec.bridge.form_probes import wire_type_probes
from conformance.codec.bridge.loading import load_codec
from conformance.codec.bridge.protocol import request_problem
from conformance.codec.bridge.reply_check import answers_to
from conformance.codec.bridge.request_server import RequestServer
from conformance.codec.bridge.transcript import Diagnostic, line
from conformance.codec.bridge.value_check import wire_type_diagnostics
from conformance.targets import ENCODE, EVERYTHING
from reference import load_release, primitives
from tests.codec.bridge.diagnostic_text import text_of
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)
HANDLER = RequestServer(load_codec("conformance.adapters.reference", RELEASE), RELEASE)
CLAIMS = replace(EVERYTHING, functions=frozenset(("encode_primitive", "decode_primitive")))


def found(name: str, change: Callable[[Any], Any], key: str = "value") -> list[Diagnostic]:
    """Change the values of a type, or other members of the replies."""
    replies, probes = [], wire_type_probes(CLAIMS)
    for probe in probes:
        reply = {member: item for member, item in HANDLER.reply(line(0, probe.request).text).items() if member != "id"}
        is_changed = probe.target.message == name and key in reply
        replies.append({**reply, key: change(reply[key])} if is_changed else reply)
    return list(wire_type_diagnostics(CLAIMS, answers_to(probes, replies)))


def test_a_sound_harness_has_no_diagnostic() -> None:
    assert found("none", str) == []


def test_every_wire_type_is_written_and_read() -> None:
    asked = {(probe.way, probe.target.message) for probe in wire_type_probes(CLAIMS)}
    assert asked == {(way, name) for way in DIRECTIONS for name in primitives()}


def test_an_operation_of_no_harness_is_not_asked() -> None:
    writer = replace(CLAIMS, functions=frozenset(("encode_primitive",)))
    assert {probe.way for probe in wire_type_probes(writer)} == {ENCODE}


FORMS: dict[str, Callable[[Any], Any]] = {
    "int32": str,
    "int64": int,
    "uint32": int,
    "uint16": float,
    "bool": int,
    "float64": lambda _: 1.5,
    "uuid": lambda text: text.replace("-", ""),
    "compact-bytes": lambda digits: list(bytes.fromhex(digits)),
    "string": lambda text: list(text.encode()),
    "array-of-int32": lambda items: [str(item) for item in items],
    "unsigned-varint": str,
    "varint": str,
    "unsigned-varlong": int,
    "varlong": int,
    "tag-section": dict,
}


@pytest.mark.parametrize("name", FORMS)
def test_another_form_is_the_harness_s_mistake(name: str, snapshot: SnapshotAssertion) -> None:
    diagnostics = [each for each in found(name, FORMS[name]) if not each.is_note]
    assert {each.problem.partition(": ")[0] for each in diagnostics} == {f"decode-primitive of {name}"}
    assert text_of(diagnostics) == snapshot


@pytest.mark.parametrize(
    ("name", "key", "change"),
    [
        ("varint", "value", lambda number: -number),
        ("varlong", "wire", lambda digits: digits + "00"),
        ("compact-string", "value", lambda text: text + " "),
        ("int8", "consumed", lambda count: count + 1),
    ],
)
def test_another_value_is_a_note(
    name: str, key: str, change: Callable[[Any], Any], snapshot: SnapshotAssertion
) -> None:
    diagnostics = found(name, change, key)
    assert diagnostics
    assert all(each.is_note for each in diagnostics)
    assert text_of(diagnostics) == snapshot


def problems_of(name: str, value: Any) -> str | None:
    return request_problem({"id": 0, "op": "encode-primitive", "name": name, "value": value})


def test_each_request_is_valid_by_the_schema() -> None:
    probes = wire_type_probes(CLAIMS)
    assert [problem for probe in probes if (problem := request_problem({"id": 0, **probe.request}))] == []


@pytest.mark.parametrize("name", primitives())
def test_another_form_is_not_valid_by_the_schema(name: str) -> None:
    form = {"of": name}
    assert problems_of(name, form) is not None
    assert problems_of(name, None) is None


@pytest.mark.parametrize(("name", "form"), [("varint", "5"), ("varlong", 5), ("unsigned-varint", "5"), ("int8", True)])
def test_numbers_of_variable_length_have_forms_of_their_own(name: str, form: Any) -> None:
    assert problems_of(name, form) is not None


def test_failure_of_own_code_is_a_mistake() -> None:
    answers = answers_to(wire_type_probes(CLAIMS)[:1], [{"outcome": "harness-error", "text": "no int32 here"}])
    [diagnostic] = wire_type_diagnostics(CLAIMS, answers)
    assert (diagnostic.is_note, diagnostic.is_own_code) == (False, True)
