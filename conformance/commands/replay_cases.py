"""The case of the suite for the options of `kafka-conformance replay`."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conformance.adapter import DIRECTIONS
from conformance.codec.selection import ONLY_VERSION, other_names
from conformance.definitions.catalogue import ENCODE, UNSPECIFIED, catalogue
from conformance.definitions.defining_releases import Definitions
from conformance.judge.checks.all_cases import case_from
from conformance.judge.checks.body_bytes import case_of_bytes
from conformance.judge.checks.check_list import BODIES, FRAMES, RECORDS, STORED, cases_named
from conformance.judge.checks.frame_cases import frame_case, header_case, refused_frame
from conformance.judge.checks.hostile_record_cases import records_bytes
from conformance.judge.checks.record_cases import records_case
from conformance.judge.checks.special_values import unencodable_case, unspecified_case
from conformance.judge.checks.stored_cases import is_stored, refused_message, stored_case
from conformance.judge.checks.unencodable_record_cases import unencodable_records_case
from conformance.judge.checks.value_cases import value_case
from conformance.judge.checks.wire_type_cases import primitive_bytes, primitive_case
from conformance.judge.kinds import UnknownCase
from conformance.live.capture.capture_judgement import SeenCase, seen_from
from conformance.live.client.answer_cases import AnswerCase, answer_from
from conformance.live.server.exchanges import ExchangeCase, exchange_from
from conformance.report.files.found_cases import SUFFIX, BadFoundCase, read_found_case
from conformance.targets import (
    RECORD_BATCHES,
    RECORD_GROUPS,
    Body,
    OtherMessage,
    RecordsField,
    StoredForm,
    WholeFrame,
    WireTypeTarget,
)
from reference import (
    CodecError,
    ConformanceError,
    Malformed,
    MessageSchema,
    NotJsonForm,
    Release,
    Unencodable,
    encode,
    from_json,
    load_release,
    primitive,
    primitives,
)
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_value

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.codec.session import Session
    from conformance.judge.case import Case
    from conformance.judge.forms import Broken, CaseForm
    from conformance.judge.kinds import CodecCase
    from conformance.report.facts import RunReport
    from conformance.targets import Target

NAME = "replayed"


@dataclass(frozen=True)
class ReplaySelector:
    """The options for the choice of a case."""

    message: str
    version: int
    wire: str | None
    value: str | None
    case: str | None
    _: KW_ONLY
    frame: bool = False
    stored: bool = False
    header: bool = False


def selected_cases(selector: ReplaySelector, session: Session) -> list[CodecCase]:
    """Return the selected cases.

    Raises:
        click.UsageError: the options do not fit together.
        click.BadParameter: an option names no case, or has a malformed value.
        DefinitionError: the release has no such message or version.
    """
    release = session.release
    inputs = (selector.wire, selector.value, selector.case)
    if sum(text is not None for text in inputs) + selector.header != 1:
        raise click.UsageError("give one of --wire, --value, --case and --header")
    if selector.frame + selector.stored + selector.header > 1:
        raise click.UsageError("--frame, --stored and --header go one at a time")
    if selector.case is not None and selector.case.endswith(SUFFIX):
        return [_found(selector, release)]
    if selector.message in other_names() and selector.version != ONLY_VERSION:
        problem = f"{selector.message} has no version {selector.version}: its only version is {ONLY_VERSION}"
        raise click.BadParameter(problem, param_hint="--version")
    if selector.message == RECORD_BATCHES:
        return [_of_records(selector, session)]
    if selector.message in primitives():
        return [_of_wire_type(selector)]
    schema = release.schema(selector.message, selector.version)
    if selector.header or selector.frame:
        return [_around(selector, schema, session)]
    if selector.stored:
        return [_stored(selector, schema, session)]
    return _of_body(selector, schema, session)


def _no_case(target: Target, name: str, session: Session) -> click.BadParameter:
    """Return the error for the name of a case, with the functions that cases of this target may need."""
    lacking = [target.function(way) for way in DIRECTIONS if not session.offers(target, way)]
    why = f": {session.claims.name} has no {' and no '.join(lacking)} for it" if lacking else ""
    return click.BadParameter(f"{target} has no case {name!r}{why}", param_hint="--case")


def _found(selector: ReplaySelector, release: Release) -> CodecCase:
    try:
        case = read_found_case(Path(selector.case or ""), release).case
    except BadFoundCase as error:
        raise click.BadParameter(str(error), param_hint="--case") from error
    pair = f"{case.target.message} v{case.target.version}"
    if pair != f"{selector.message} v{selector.version}":
        problem = f"{selector.case} is about {pair}, not {selector.message} v{selector.version}"
        raise click.BadParameter(problem, param_hint="--case")
    return case


def _of_wire_type(selector: ReplaySelector) -> CodecCase:
    if selector.frame or selector.stored or (selector.wire is None and selector.value is None):
        raise click.UsageError("a wire type is replayed by --wire or --value, without --frame and --stored")
    target = WireTypeTarget(primitive(selector.message))
    if selector.wire is not None:
        return primitive_bytes(target, NAME, _hex(selector.wire))
    try:
        return primitive_case(target, target.from_json(parse_value(selector.value or "", "--value")))
    except (ValueError, NotJsonForm, BadInput) as error:
        raise click.BadParameter(f"not the JSON form of {target}: {error}", param_hint="--value") from error


def _of_records(selector: ReplaySelector, session: Session) -> CodecCase:
    if selector.frame or selector.stored or selector.header:
        raise click.UsageError("record batches are replayed by --wire, --value or --case")
    target = RecordsField(session.release.name)
    if selector.case is not None:
        for group in RECORD_GROUPS:
            for case in cases_named(session, RECORDS, group, selector.case):
                return case
        raise _no_case(target, selector.case, session)
    if selector.wire is not None:
        return records_bytes(target, NAME, _hex(selector.wire))
    try:
        content = target.from_json(parse_value(selector.value or "", "--value"))
    except (ValueError, NotJsonForm, BadInput) as error:
        raise click.BadParameter(f"not the JSON form of {target}: {error}", param_hint="--value") from error
    return _of_records_value(target, content)


def _of_records_value(target: RecordsField, content: Any) -> CodecCase:
    try:
        target.write(content)
    except Unencodable as error:
        return unencodable_records_case(target, content, NAME, error.path, error.rule)
    return records_case(target, content, NAME)


def _around(selector: ReplaySelector, schema: MessageSchema, session: Session) -> CodecCase:
    if schema.kind not in {"request", "response"}:
        raise click.BadParameter(f"{schema} is neither a request nor a response", param_hint="--message")
    release = session.release
    if release.proposed:
        problem = f"{release.title} changes no headers, and adapters are not asked for those of a proposal"
        raise click.BadParameter(problem, param_hint="--header" if selector.header else "--frame")
    target = WholeFrame(schema, release)
    if selector.header:
        return header_case(target)
    if selector.value is not None:
        return _refused(refused_frame, target, selector.value, '{"header": ..., "body": ...}')
    if selector.case is not None:
        return _named(session, FRAMES, target, selector.case)
    return _frame(target, _hex(selector.wire or ""))


def _frame(target: WholeFrame, wire: bytes) -> CodecCase:
    try:
        target.read(wire)
    except Malformed:
        pass
    except OtherMessage as other:
        raise click.BadParameter(f"no {target}, but {other}", param_hint="--wire") from other
    except CodecError as error:
        raise click.BadParameter(f"no {target}: {error}", param_hint="--wire") from error
    return frame_case(target, NAME, wire)


def _named(session: Session, of: str, target: WholeFrame | StoredForm, name: str) -> CodecCase:
    for case in cases_named(session, of, target.schema, name):
        return case
    raise _no_case(target, name, session)


def _refused(made: Callable[..., CodecCase], target: Target, text: str, form: str) -> CodecCase:
    try:
        case: CodecCase = made(target, NAME, parse_value(text, "--value"))
    except (KeyError, TypeError, ValueError, NotJsonForm) as error:
        problem = f"not {form}, the JSON form for {target}: {error}"
        raise click.BadParameter(problem, param_hint="--value") from error
    return case


def _stored(selector: ReplaySelector, schema: MessageSchema, session: Session) -> CodecCase:
    if not is_stored(schema):
        raise click.BadParameter(f"{schema} is not stored: it has no prefix and no record", param_hint="--message")
    target, wire = StoredForm(schema, session.release), _hex(selector.wire or "")
    if selector.value is not None:
        return _refused(refused_message, target, selector.value, '{"field": ...}')
    if selector.case is not None:
        return _named(session, STORED, target, selector.case)
    with suppress(Malformed):
        read = target.read(wire)
        if (read.message, read.version) != (schema.message, schema.version):
            raise click.BadParameter(f"no {schema}, but {read.message}-v{read.version}", param_hint="--wire")
    return stored_case(target, NAME, wire)


def _of_body(selector: ReplaySelector, schema: MessageSchema, session: Session) -> list[CodecCase]:
    if selector.wire is not None:
        return [case_of_bytes(schema, NAME, _hex(selector.wire))]
    if selector.value is not None:
        return [_of_value(schema, selector.value)]
    cases = cases_named(session, BODIES, schema, selector.case or "")
    if not cases:
        raise _no_case(Body(schema), selector.case or "", session)
    return cases


def _of_value(schema: MessageSchema, text: str) -> CodecCase:
    try:
        value = from_json(schema, parse_value(text, "--value"))
    except (ValueError, NotJsonForm, BadInput) as error:
        raise click.BadParameter(f"not the JSON form of a value: {error}", param_hint="--value") from error
    try:
        encode(schema, value)
    except Unencodable as error:
        rule = catalogue()[error.rule]
        if rule.level_of(ENCODE) != UNSPECIFIED:
            return unencodable_case(schema, NAME, error.path, value, rule.id)
        return unspecified_case(Body(schema), NAME, error.path, value, rule.id)
    return value_case(schema, NAME, "", value, is_minimal=False)


def _hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise click.BadParameter(f"not hex: {error}", param_hint="--wire") from error


def replay_of(run: RunReport, case: Broken) -> str:
    """Return the replay line of a case of a report, or "" if the case cannot be made."""
    try:
        made = _made(case, load_release(run.release))
    except (ConformanceError, CodecError, UnknownCase, ValueError, KeyError, TypeError):
        return ""
    return made.replay_line(run.impl, run.options, case.direction)


def _made(form: CaseForm, release: Release) -> Case:
    if form.kind == ExchangeCase.kind:
        return exchange_from(form)
    if form.kind == AnswerCase.kind:
        return answer_from(form, release)
    if form.kind == SeenCase.kind:
        return seen_from(form, Definitions([release]))
    return case_from(form, release)
