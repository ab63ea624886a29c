"""The check of single wire types, on the replies of the reference with one mistake each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.codec.bridge.loading import load_codec
from conformance.codec.bridge.protocol import request_problem
from conformance.codec.bridge.request_server import RequestServer
from conformance.codec.bridge.transcript import Diagnostic, line
from conformance.codec.bridge.wire_type_check import WireTypeProbe, wire_type_diagnostics, wire_type_probes
from reference import load_release, primitives
from tests.codec.bridge.diagnostic_text import text_of
from tests.helpers.releases import BASE

OPERATIONS = ["hello", "encode-primitive", "decode-primitive"]
RELEASE = load_release(BASE)
HANDLER = RequestServer(load_codec("conformance.adapters.reference", RELEASE), RELEASE)


def found(name: str, change: Callable[[Any], Any], key: str = "value") -> list[Diagnostic]:
    """Change the values of a type, or other members of the replies."""
    answers = []
    for probe in wire_type_probes({"operations": OPERATIONS}):
        reply = {member: item for member, item in HANDLER.reply(line(0, probe.request).text).items() if member != "id"}
        if probe.target.message == name and key in reply:
            reply = {**reply, key: change(reply[key])}
        answers.append((probe, reply))
    return list(wire_type_diagnostics(answers))


def test_a_sound_harness_has_no_diagnostic() -> None:
    assert found("none", str) == []


def test_every_wire_type_is_written_and_read() -> None:
    probes = wire_type_probes({"operations": OPERATIONS})
    asked = {(probe.operation, probe.target.message) for probe in probes}
    assert asked == {(operation, name) for operation in OPERATIONS[1:] for name in primitives()}


def test_an_operation_of_no_harness_is_not_asked() -> None:
    assert {probe.operation for probe in wire_type_probes({"operations": OPERATIONS[:2]})} == {"encode-primitive"}


FORMS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "int32": (str, "int32 as a number is due, as -2147483648"),
    "int64": (int, 'int64 as a decimal string is due, as "-9223372036854775808"'),
    "uint32": (int, "uint32 as a decimal string is due"),
    "uint16": (float, "uint16 as a number is due"),
    "bool": (int, "true or false is due, as true, got 1"),
    "float64": (lambda _: 1.5, "16 hex digits is due"),
    "uuid": (lambda text: text.replace("-", ""), "a uuid of 36 characters is due"),
    "compact-bytes": (lambda digits: list(bytes.fromhex(digits)), "hex is due"),
    "string": (lambda text: list(text.encode()), "a string, "),
    "array-of-int32": (lambda items: [str(item) for item in items], "[0]: int32 as a number is due"),
    "unsigned-varint": (str, "a number is due, as 0, got"),
    "varint": (str, "a number is due, as -2147483648, got"),
    "unsigned-varlong": (int, 'a decimal string is due, as "0", got 0'),
    "varlong": (int, "a decimal string is due, as "),
    "tag-section": (dict, "an array of [tag, hex] is due, as [], got {}"),
}


@pytest.mark.parametrize("name", FORMS)
def test_another_form_is_the_harness_s_mistake(name: str, snapshot: SnapshotAssertion) -> None:
    change, text = FORMS[name]
    diagnostics = [each for each in found(name, change) if not each.is_note]
    assert [each for each in diagnostics if f"decode-primitive of {name}: " in each.problem and text in each.problem], (
        diagnostics
    )
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
    probes = wire_type_probes({"operations": OPERATIONS})
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
    probe = next(iter(wire_type_probes({"operations": OPERATIONS})))
    [diagnostic] = wire_type_diagnostics([(probe, {"outcome": "harness-error", "text": "no int32 here"})])
    assert (diagnostic.is_note, diagnostic.is_own_code) == (False, True)
    assert isinstance(probe, WireTypeProbe)
