"""Trials of a client. It must continue after a sound answer of any shape, and must survive an error."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from conformance.generate.edge_values import with_error_code
from conformance.judge.events import Expectation, Expected
from conformance.live.client.answer_cases import AnswerCase, Observation
from conformance.live.client.trial import observe, repeated, response_schema
from conformance.live.client.variations import ChangedField, SoundAnswers, VariationKind, culprits, pieces_of
from conformance.targets.outcome import Kind
from reference import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.judge.case import Violation
    from conformance.live.capture.frame_verdict import JudgedFrame
    from conformance.live.client.trial import AskedPair, Baseline, ChangedBroker, ClientSubject

ERRORS = {
    "Metadata": 5, "Produce": 6, "Fetch": 6, "ListOffsets": 6, "FindCoordinator": 15, "JoinGroup": 14, "SyncGroup": 27,
    "Heartbeat": 27, "OffsetCommit": 14, "OffsetFetch": 14, "InitProducerId": 14, "AddPartitionsToTxn": 51,
    "AddOffsetsToTxn": 51, "EndTxn": 51, "TxnOffsetCommit": 14, "CreateTopics": 41, "DeleteTopics": 41,
}  # fmt: skip
"""A retriable error of each API; other APIs get UNKNOWN_SERVER_ERROR."""

UNKNOWN_SERVER_ERROR = -1
FUTURE = 12_345
"""An error code without a meaning in any release."""


MOST = 5
"""The maximum number of places found for one kind of variation; a client with more has one bug, as a rule."""

MANY = f"the first {MOST} places, more were not looked for"
LATE = "the client fails, and the time was up before all places were found"
UNTRIED = "not tried, the time was up"
BUSY = "not all tried: the machine is too busy, so that the client fails with plain answers, too"


class Searched(NamedTuple):
    """The result of the search with one kind of sound answers, with the reason if it is incomplete."""

    violations: list[Violation]
    cut: str


class _SearchEndedError(Exception):
    """Ends the search for places, with the reason."""


def check_sound_answers(
    client: ClientSubject, baseline: Baseline, category: VariationKind, is_over: Callable[[], bool]
) -> Searched:
    """Try one kind of sound answers, up to `MOST` violations and as long as there is time."""
    seen: dict[tuple[ChangedField, ...], Observation] = {}

    def fails(some: Sequence[ChangedField]) -> bool:
        if is_over():
            raise _SearchEndedError(LATE if seen else UNTRIED)
        change = SoundAnswers(category, frozenset(some))
        once = _goes_on(client, baseline, change)
        # Only a single place becomes a finding, so only its failure is repeated.
        is_conclusive = len(some) == 1 and once.kind is not None
        last = repeated(client, lambda each: _goes_on(each, baseline, change)) if is_conclusive else once
        is_found = is_conclusive and last.kind is not None
        # A client has timeouts of its own, so load may look like a failure.
        if last.kind is Kind.NOT_RUN or (is_found and not client.run().run.succeeded):
            raise _SearchEndedError(BUSY)
        seen[tuple(some)] = last
        return last.kind is not None

    def observed(piece: ChangedField) -> Observation:
        return seen.get((piece,)) or next(each for some, each in seen.items() if piece in some and each.kind)

    pieces = pieces_of(client.definitions, category, baseline.pairs)
    found: list[Violation] = []
    try:
        for piece in islice(culprits(pieces, fails), MOST):
            found.append(_violation(client, category, piece, observed(piece)))  # noqa: PERF401  # kept if the time is up
    except _SearchEndedError as end:
        return Searched(found, str(end))
    return Searched(found, MANY if len(found) == MOST else "")


def _goes_on(client: ClientSubject, baseline: Baseline, change: SoundAnswers) -> Observation:
    """Return an outcome without a kind unless it is deadly, or the run ends otherwise than with plain answers."""
    trial = client.run(change, baseline.memory)
    deadly, run = observe(client, trial), trial.run
    if deadly.kind is not None or run.succeeded:
        return deadly
    last = run.output.splitlines()[-1:] or [""]
    return Observation(Kind.REJECTED, f"{run.ending}: {last[0]}")


def _violation(
    client: ClientSubject, category: VariationKind, piece: ChangedField, observation: Observation
) -> Violation:
    schema = response_schema(client.definitions, piece.pair)
    case = AnswerCase(schema, f"{piece.pair}/{category.name}/{piece.path}", piece.path, b"", "sound")
    return case.violated(category.rule, piece.path, Expectation(Expected.PLAIN_END), observation)


@dataclass
class ErrorAnswer:
    """One answer with an error code in every place for one. Its bytes are known once it is sent."""

    pair: AskedPair
    code: int
    wire: bytes = b""
    is_sent: bool = False
    path: ClassVar[str] = "ErrorCode"
    rule: ClassVar[str] = ""
    is_frame: ClassVar[bool] = False
    category: ClassVar[str] = "errors"
    kind: ClassVar[str] = "sound"

    @property
    def name(self) -> str:
        """The name of the answer."""
        return f"error {self.code}"

    @property
    def full_name(self) -> str:
        """Its name after that of the response."""
        return f"{self.pair}/{self.name}"

    def __call__(self, broker: ChangedBroker, judged: JudgedFrame, value: dict[str, Any]) -> bytes | None:
        """Answer the first request of the pair."""
        if self.is_sent or (judged.api_key, judged.version) != self.pair[1:]:
            return None
        self.is_sent = True
        self.wire = encode(response_schema(broker.definitions, self.pair), with_error_code(value, self.code))
        return broker.framed(judged, self.wire)


def error_answers(pairs: Sequence[AskedPair]) -> list[ErrorAnswer]:
    """Return two errors for each pair, a known one and one of no release."""
    codes = [(pair, ERRORS.get(pair.api, UNKNOWN_SERVER_ERROR)) for pair in pairs]
    return [ErrorAnswer(pair, code) for pair, known in codes for code in (known, FUTURE)]
