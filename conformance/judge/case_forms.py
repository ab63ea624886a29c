"""Cases made from bytes or contents by the verdict of the reference, and from their forms in files."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.judge.kinds import CaseKind, CaseRefusal, CodecCase
from conformance.targets import OtherMessage
from reference import Malformed, Unencodable
from reference.inputs.json_text import parse_value

if TYPE_CHECKING:
    from conformance.judge.forms import CaseForm


def wire_case(valid: CaseKind, invalid: CaseKind, target: Any, name: str, data: bytes, **members: Any) -> CodecCase:
    """Return the case of bytes, of one kind if the reference reads them, else of another."""
    content = refusal = None
    try:
        content = target.read(data)
    except Malformed as error:
        # An unspecified part of a frame is invalid if even a lenient reader must stop after it.
        found = (error.reason is None and target.stop_of(data)) or error
        refusal = CaseRefusal(found.rule, found.path, found.reason is not None)
    except OtherMessage:
        return CodecCase(invalid, target, name, data=data, **members)
    return CodecCase(
        invalid if refusal else valid, target, name, content=content, data=data, refusal=refusal, **members
    )


def refused_case(row: CaseKind, target: Any, name: str, content: Any, **members: Any) -> CodecCase:
    """Return the case of a content, with the refusal of the reference if it has no bytes."""
    try:
        target.write(content)
    except Unencodable as error:
        members["refusal"] = CaseRefusal(error.rule, error.path)
    return CodecCase(row, target, name, content=content, **members)


def of_value(row: CaseKind, form: CaseForm, target: Any) -> CodecCase:
    """Return the case of the value of a form, or of its bytes."""
    read = target.from_json(parse_value(form.value, "value")) if form.value else target.read(bytes.fromhex(form.wire))
    return CodecCase(row, target, form.case, form.path, content=read, deterministic=form.deterministic)


def of_refused(row: CaseKind, form: CaseForm, target: Any) -> CodecCase:
    """Return the case of the value of a form, refused by its rule."""
    return replace(of_value(row, form, target), rule=form.rule, refusal=CaseRefusal(form.rule, form.path))


def of_bytes(row: CaseKind, form: CaseForm, target: Any) -> CodecCase:
    """Return the case of the bytes of a form."""
    wire, is_fixed = bytes.fromhex(form.wire), form.deterministic
    return CodecCase(row, target, form.case, form.path, data=wire, deterministic=is_fixed)


def by_name(case: CodecCase, _direction: str) -> list[str]:
    """Return the replay of a case by its name."""
    return ["--case", case.name]


def no_wire(_case: CodecCase) -> None:
    """Return None for a case without bytes."""
