"""Cases of codecs as data, their kinds as rows, and the one judgement of all of them.

A case says what it is made of. The row of its kind says what is asked, what is due, and which rule is broken by an
answer of each conclusion. `judged` alone interprets conclusions.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.adapter import DIRECTIONS
from conformance.definitions.catalogue import SURVIVAL
from conformance.generate.origin import CaseOrigin, origin_of
from conformance.judge.case import Case, Judged, RulesTried, input_arguments
from conformance.judge.count_lines import Inconclusive
from conformance.judge.events import REFUSAL, REJECTION, Counted, Expected, number
from conformance.judge.events import SURVIVAL as SURVIVES
from conformance.judge.judgement import LEFT_OPEN, NEEDS_NO_BASE, TO_BE_REFUSED, Conclusion, Due, Judgement, judge
from conformance.targets import DECODE, ENCODE, Ask, Blame
from conformance.targets.outcome import NOT_ASKED
from conformance.targets.plain_values import copy_of
from reference import Result, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from conformance.codec.session import Answers, Session
    from conformance.judge.case import Event, Json, Violation
    from conformance.judge.events import Expectation
    from conformance.judge.forms import CaseForm
    from conformance.judge.standing import Standing
    from conformance.targets.outcome import Outcome
    from reference import MessageSchema


class UnknownCase(ValueError):
    """An entry of an unknown kind, or with an unknown name of a case."""


class CaseRefusal(NamedTuple):
    """The rule and the field for which the reference refuses an input, and whether every implementation must."""

    rule: str
    path: str
    is_due: bool = True


@dataclass  # not frozen: freezing doubles the time of making one, of which a run has thousands for a message
class CodecCase(Case):
    """One thing to try on a codec.

    Attributes:
        row: its kind.
        target: the thing on the wire.
        name: the name for people and replay lines.
        path: the field under test.
        rule: the rule under test, if the input does not show it.
        content: a content to write, or the content of the bytes.
        data: the bytes to read; None for those of the content.
        refusal: the refusal by the reference of bytes that are not valid, or of a content without bytes.
        meant: the content that the given one stands for, or the refused input before it.
        source: the change that made it; None if only the name says so.
        base: the name of the valid bytes that were changed, or its own; empty if it is judged by itself.
        needs: the cases or bases without which it proves nothing.
        category: the category in which it is counted as a whole; empty if its answers are counted.
        group: the group of record batches.
        is_prerequisite: whether it runs for the values that need it alone, neither counted nor reported.
        inner: the body in a frame or stored message, as a value or as bytes, which is tried alone after a failure.
        parts: the variations that it tries at once, each tried alone after a failure.
        deterministic: whether every run tries it.
        is_minimal: whether it is as small as possible; else it is reduced before a rule is blamed.
        is_inconclusive: whether its base is refused or misread.
    """

    row: CaseKind
    target: Any  # a Target; a row knows the class of its own
    name: str
    path: str = ""
    rule: str = ""
    content: Any = None
    data: bytes | None = None
    _: KW_ONLY
    refusal: CaseRefusal | None = None
    meant: Any = None
    source: CaseOrigin | None = None
    base: str = ""
    needs: tuple[str, ...] = ()
    category: str = ""
    group: str = ""
    is_prerequisite: bool = False
    inner: Any = None
    parts: tuple[Any, ...] = ()
    deterministic: bool = True
    is_minimal: bool = True
    is_inconclusive: bool = False

    @property
    def kind(self) -> str:
        """The word of its kind in files."""
        return self.row.name

    @property
    def directions(self) -> tuple[str, ...]:
        """The calls under test; the implementation must offer one of them."""
        return self.row.directions

    @property
    def is_counted(self) -> bool:
        """As `Case.is_counted`."""
        return self.row.is_counted

    @property
    def is_sound(self) -> bool:
        """As `Case.is_sound`."""
        return self.row.traits is not None

    @property
    def hang_group(self) -> str:
        """The group of inputs that share a hang budget; empty for none."""
        return self.row.hang_group(self)

    @property
    def origin(self) -> CaseOrigin:
        """The change that made it."""
        return self.source or origin_of(self.name)

    @property
    def is_tampered(self) -> bool:
        """As `Case.is_tampered`."""
        # A found value is named by the path of its file, which may look like a base and a change.
        return self.data is not None and self.origin.is_changed_base

    @property
    def is_base(self) -> bool:
        """Whether it is judged even if the implementation misreads other bases."""
        return self.base in {"", self.name}

    @property
    def traits(self) -> frozenset[str]:
        """As `Case.traits`."""
        return frozenset() if self.row.traits is None else self.row.traits(self)

    @property
    def schema(self) -> MessageSchema:
        """The definition of a message."""
        schema: MessageSchema = self.target.schema
        return schema

    @cached_property
    def wire(self) -> bytes | None:
        """The bytes to read, or the canonical bytes; None if no kind of such a case has bytes.

        Raises:
            Unencodable: the content has none.
        """
        return self.data if self.data is not None else self.row.wire(self)

    @property
    def canonical(self) -> bytes:
        """The canonical bytes of the content.

        Raises:
            Unencodable: it has none.
        """
        wire: bytes = self.target.write(self.content) if self.data is not None else self.input
        return wire

    @property
    def input(self) -> bytes:
        """The bytes to read, empty if there are none."""
        return self.wire or b""

    @cached_property
    def value(self) -> str | None:
        """The JSON text of a content that is written; None for bytes."""
        if self.data is not None or not self.row.has_value:
            return None
        return json.dumps(self.target.to_json(copy_of(self.content)))

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict of the oracle on the bytes."""
        verdict: Verdict = self.target.judge(self.wire)
        return verdict

    @cached_property
    def same_value(self) -> CodecCase:
        """The case of the value of the bytes, which are valid."""
        return self.row.same_value(self)

    @property
    def is_valid(self) -> bool:
        """Whether the bytes are valid."""
        return self.verdict.result is Result.VALID

    def extras(self) -> Json:
        """As `Case.extras`."""
        return self.row.extras(self)

    def replay_arguments(self, direction: str) -> list[str]:
        """As `Case.replay_arguments`."""
        return self.row.replay(self, direction)

    def again(self, session: Session) -> Iterable[CodecCase]:
        """Return the case by itself, for a replay without its base."""
        return self.row.again(self, session)


@dataclass(slots=True)
class CaseTrial:
    """A case in a session, with the evidence of earlier cases of its check and the answers so far."""

    session: Session
    case: CodecCase
    standing: Standing
    answers: Answers = field(default_factory=dict)

    def outcome(self, way: str) -> Outcome:
        """Return the outcome of a call, made or not."""
        return self.answers.get(way, NOT_ASKED)

    def offers(self, what: str) -> bool:
        """Return whether the implementation offers a call for the target of the case."""
        return self.session.offers(self.case.target, what)

    def of(self, case: CodecCase, answers: Answers) -> CaseTrial:
        """Return the trial of another case with some of the answers."""
        return CaseTrial(self.session, case, self.standing, answers)

    def requests(self) -> Sequence[Ask]:
        """Return the next requests, or none if the case can be judged."""
        return self.case.row.further(self) if self.answers else self.case.row.asks(self)

    def judged(self) -> Iterable[Event]:
        """Return the events of the answers.

        Further requests serve only to name the broken rule.
        """
        return self.case.row.judge(self)


class JudgedAnswer(NamedTuple):
    """An answer of a trial with what was due, and the judgement."""

    trial: CaseTrial
    case: CodecCase
    way: str
    due: Due
    outcome: Outcome
    judgement: Judgement

    def violation(self, blame: Blame, expectation: Expectation, found: Any = None) -> Violation:
        """Return a violation by the outcome, or by what was found in it."""
        direction = self.case.row.around or self.way
        return self.case.violation(blame, self.outcome if found is None else found, expectation, direction)


def judged(trial: CaseTrial) -> list[Event]:
    """Judge the answers of a case by the row of its kind."""
    case, row, claims = trial.case, trial.case.row, trial.session.claims
    events: list[Event] = [Judged(case.category)] if case.category and trial.answers else []
    events += row.opening(trial)
    for way, outcome in trial.answers.items():
        due = row.due(trial, way)
        if due is None:
            continue
        found = judge(claims, case.target, due, outcome)
        if found.conclusion is Conclusion.NO_ANSWER:
            continue
        if found.conclusion in row.needs_base and not row.is_base_taken(trial):
            events.append(Inconclusive(row.category, case.target.pair, 1))
            continue
        answer = JudgedAnswer(trial, case, way, due, outcome, found)
        if row.category:
            events.append(Judged(row.category))
        events += row.tried(answer)
        if found.conclusion is Conclusion.MISCOUNTED:
            events.append(_miscounted(answer))
        elif found.conclusion in row.blames and not row.forgives(answer):
            events += row.blames[found.conclusion](answer)
    return events


def _miscounted(answer: JudgedAnswer) -> Violation:
    found = Counted("consumed", answer.outcome.consumed or 0)
    expected = number(Expected.CONSUMPTION, answer.due.consumed or 0)
    return answer.violation(Blame("codec.consumed"), expected, found)


def first_asks(trial: CaseTrial) -> Sequence[Ask]:
    """Return the requests to write the content of a case and to read its bytes, in the directions of its kind."""
    case, row, asks = trial.case, trial.case.row, list[Ask]()
    if ENCODE in row.directions and trial.offers(ENCODE) and row.is_written(trial):
        asks.append(Ask(ENCODE, case.target, row.given(trial)))
    if DECODE in row.directions and trial.offers(DECODE) and row.is_read(trial):
        asks.append(Ask(DECODE, case.target, case.input, isolated=row.is_isolated, hang_group=case.hang_group))
    return asks


def due_of(trial: CaseTrial, way: str) -> Due | None:
    """Return a refusal, the canonical bytes of the written content, or the content of the bytes."""
    case = trial.case
    if case.refusal is not None:
        return TO_BE_REFUSED if case.refusal.is_due else LEFT_OPEN
    if way == DECODE:
        return Due(Result.VALID, value=case.target.expected(trial.session.claims, case.content))
    given = case.row.given(trial)
    return Due(Result.VALID, case.wire if given is case.content else case.target.write(given))


def judged_content(trial: CaseTrial) -> Any:
    """Return the judged part of the content of a case."""
    return trial.case.target.judged(trial.session.claims, trial.case.content)


def refusal_tried(answer: JudgedAnswer) -> Iterator[Event]:
    """Yield the rule of an input that is not valid as tried."""
    if answer.case.refusal is not None:
        yield RulesTried.of(answer.case.refusal.rule)


def refusal_blamed(answer: JudgedAnswer) -> Iterator[Event]:
    """Yield the violation of an input that was not refused, or that was fatal."""
    refusal = answer.case.refusal
    blame = Blame(SURVIVAL) if refusal is None else Blame(refusal.rule, refusal.path)
    expected = REFUSAL if answer.way == ENCODE else REJECTION
    yield answer.violation(blame, expected if answer.due.result is Result.INVALID else SURVIVES)


Events = Callable[[JudgedAnswer], "Iterable[Event]"]


def nothing(*_: object) -> Iterable[Event]:
    """Return no events."""
    return ()


def rule_tried(trial: CaseTrial) -> Iterator[Event]:
    """Yield the rule of a case with an answer as tried."""
    if trial.answers:
        yield RulesTried.of(trial.case.rule)


def never(_trial: CaseTrial) -> bool:
    """Return False for a request that is not made."""
    return False


def wrong(blame: Events) -> Mapping[Conclusion, Events]:
    """Return the blames of a row with one for every broken rule."""
    return dict.fromkeys((Conclusion.FATAL, Conclusion.ACCEPTED, Conclusion.REFUSED, Conclusion.WRONG), blame)


def with_wire(case: CodecCase) -> CodecCase:
    """Return a case whose bytes can be made.

    Raises:
        Unencodable: they cannot.
    """
    case.wire  # noqa: B018  # raises
    return case


@dataclass(frozen=True, kw_only=True, eq=False)
class CaseKind:
    """A kind of cases.

    Attributes:
        name: the word in files.
        folder: the folder of the targets of its cases.
        category: the category in which answers are counted; empty if cases are counted as a whole.
        directions: the calls under test; the implementation must offer one of them.
        around: the direction of violations around a body.
        is_counted: whether outcomes are counted by direction.
        is_isolated: whether the bytes are read where a crash costs one outcome.
        has_value: whether a case without bytes to read has a content with a JSON form.
        needs_base: the conclusions that prove nothing if the valid base value is refused or misread as well.
        is_base_taken: whether the base of a case is accepted.
        asks, further: the first requests of a trial, and the next ones.
        is_written, is_read: whether the requests to write and to read are made, if they are offered.
        given: the content that is written.
        hang_group: the group of inputs that share a hang budget; empty for none.
        due: what is due for an answer, or None if it is not judged.
        opening: events of a case, before those of its answers.
        tried: events of a conclusive answer, such as the rules that it tests.
        blames: events of an answer by its conclusion.
        forgives: whether a wrong answer is right for another reason.
        judge: the judgement, if it needs more than `judged`.
        traits: the traits of valid values; None for inputs that may be invalid.
        same_value: the case of the value of valid bytes.
        wire: the bytes of a case without given ones.
        read: the case of a form in a file.
        confirmed: the case of the kind that the oracle finds, since the claims of a file are not trusted. It raises
            Unencodable if the case is of a valid content, and the content has no bytes.
        extras, replay, again: as the methods of `CodecCase`.
    """

    name: str
    folder: str = "messages"
    category: str = ""
    directions: tuple[str, ...] = DIRECTIONS
    around: str = ""
    is_counted: bool = False
    is_isolated: bool = False
    has_value: bool = True
    needs_base: frozenset[Conclusion] = NEEDS_NO_BASE
    is_base_taken: Callable[[CaseTrial], bool] = lambda trial: not trial.case.is_inconclusive
    asks: Callable[[CaseTrial], Sequence[Ask]] = first_asks
    further: Callable[[CaseTrial], Sequence[Ask]] = lambda _: ()
    is_written: Callable[[CaseTrial], bool] = lambda _: True
    is_read: Callable[[CaseTrial], bool] = lambda _: True
    given: Callable[[CaseTrial], Any] = lambda trial: trial.case.content
    hang_group: Callable[[CodecCase], str] = lambda _: ""
    due: Callable[[CaseTrial, str], Due | None] = due_of
    opening: Callable[[CaseTrial], Iterable[Event]] = nothing
    tried: Events = refusal_tried
    blames: Mapping[Conclusion, Events] = field(default_factory=lambda: wrong(refusal_blamed))
    forgives: Callable[[JudgedAnswer], bool] = lambda _: False
    judge: Callable[[CaseTrial], Iterable[Event]] = judged
    traits: Callable[[CodecCase], frozenset[str]] | None = None
    same_value: Callable[[CodecCase], CodecCase] = lambda case: case
    wire: Callable[[CodecCase], bytes | None] = lambda case: case.target.write(case.content)
    read: Callable[[CaseKind, CaseForm, Any], CodecCase]
    confirmed: Callable[[CodecCase], CodecCase] = with_wire
    extras: Callable[[CodecCase], Json] = lambda _: {}
    replay: Callable[[CodecCase, str], list[str]] = lambda case, way: input_arguments(case, by_value=way == ENCODE)
    again: Callable[[CodecCase, Session], Iterable[CodecCase]] = lambda case, _: (case,)
