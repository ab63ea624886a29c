"""Nights, campaigns with a time limit and a state from night to night.

The folder of the nights has:

    night.json          the last night: its number, its first part, and the first part of the next night
    campaigns/000001/   the campaign of a night: its parts/, without outcomes
    found/              a case of each finding, tried first in every night
    history/            a file for each night
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager, suppress
from itertools import count, takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct, structs

from conformance.campaign.distil import FOUND, Distilled, KnownFindings, bounded, distil
from conformance.campaign.folder import (
    CAMPAIGN,
    FINDINGS,
    MANIFEST,
    NotThisCampaign,
    prepare,
)
from conformance.campaign.history import Night, PastFinding, keep_night, last_known, news, night_of, nights
from conformance.campaign.night_results import PARTS, KeptParts, night_manifest
from conformance.campaign.pipeline.batches import PLAN
from conformance.campaign.pipeline.engines import PART
from conformance.codec.bridge.opening import open_session
from conformance.judge.case import Violation
from conformance.judge.findings.finding import Findings
from conformance.judge.findings.known_failures import covers_all
from conformance.judge.forms import as_json
from conformance.report.files.found_cases import check_found, load_found_cases
from reference import load_release
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from conformance.campaign.history import Changes
    from conformance.campaign.night_parts import PartStream
    from conformance.campaign.pipeline.engines import Row
    from conformance.campaign.pipeline.storage import Storage
    from conformance.campaign.plan import Parameters
    from conformance.judge.findings.known_failures import KnownFailure
    from reference import Release

    Run = Callable[[Iterable[Row]], Iterator[list[Row]]]
    """Yields the rows of blocks of whole parts, in about this order."""
    Progress = Callable[[int, int], None]

STATE = "night.json"
HISTORY = "history"

KEPT_NIGHTS = 30
"""Nights to keep the campaigns of in the state folder. The history is small and keeps all nights."""


class NightState(Struct, frozen=True):
    """The state of the last night.

    Attributes:
        number: the first night has 1.
        first: the number of its first part; after its report, the number of the next night's first part.
        plan: the digest of the stream with these part numbers.
        is_reported: whether all its results are kept.
    """

    number: int
    first: int
    plan: str
    is_reported: bool = False

    @property
    def folder(self) -> str:
        """The folder of its campaign in the state folder."""
        return folder_of(self.number)


def folder_of(number: int) -> str:
    """Return the folder of a night's campaign in the state folder."""
    return f"campaigns/{number:06}"


def begun(state: Storage, stream: PartStream) -> NightState:
    """Begin the next night, or continue an interrupted one.

    The next night begins after the last part of the previous one. The state is written.

    Raises:
        NotThisCampaign: the state folder holds something else, and is unchanged.
    """
    last = _last(state)
    if last and not last.is_reported and last.plan == stream.digest:
        with suppress(NotThisCampaign):  # of another version of the suite, or of a codec
            prepare(state.within(last.folder), stream.parameters)
            return last
    first = last.first if last and last.plan == stream.digest else 0
    night = NightState(last.number + 1 if last else 1, first, stream.digest)
    # The state comes first: it marks the folder as one of nights, also after an interruption.
    _write_down(state, night)
    prepare(state.within(night.folder), stream.parameters)
    return night


def _last(state: Storage) -> NightState | None:
    content = state.read(STATE)
    if content is None and set(state.names()) - {FOUND}:
        raise NotThisCampaign(f"{state} holds something that is no state of nights. Name a new or empty folder.")
    try:
        return None if content is None else msgspec.convert(parse_json(content, STATE), NightState)
    except (msgspec.ValidationError, BadInput) as error:
        raise NotThisCampaign(
            f"{state.within(STATE)} is not the state of a night: {error}. Name another --state."
        ) from error


def _write_down(state: Storage, night: NightState) -> None:
    state.write(STATE, (json.dumps(as_json(night)) + "\n").encode())


class Clock(NamedTuple):
    """The end of a night.

    It is a time of `time.monotonic`, or a number of rounds.
    """

    until: float
    rounds: int | None = None


class SearchResult(NamedTuple):
    """The results of a night.

    Attributes:
        night: the night.
        manifest: the manifest of its campaign.
        findings: the rows of findings.
        again: findings that found cases of earlier nights still show.
        first: the number of the next night's first part.
        is_interrupted: whether control-C ended it.
    """

    night: NightState
    manifest: dict[str, Any]
    findings: list[Row]
    again: list[Distilled]
    first: int
    is_interrupted: bool


def search(state: Storage, stream: PartStream, night: NightState, clock: Clock, run: Run) -> SearchResult:
    """Try the found cases, then the night's parts until the clock or control-C ends it.

    Gone findings are unknown without the found cases. So control-C during these ends the night without a report.

    Raises:
        JobFailed: the parts cannot be run; the results so far are kept.
        BadFoundCase: a file among the found cases is no such case.
    """
    began = time.monotonic()
    again, is_interrupted = list(_still_shown(state.within(FOUND), stream.parameters)), False
    kept = KeptParts(state.within(night.folder).within(PARTS))
    try:
        for rows in run(_due(stream, night, clock, {*kept.parts})):
            kept.add(rows)
    except KeyboardInterrupt:
        is_interrupted = True
    finally:
        kept.write()
    manifest = night_manifest(stream.parameters, kept, time.monotonic() - began)
    state.within(night.folder).write(MANIFEST, (json.dumps(manifest, indent=1) + "\n").encode())
    # Parts end in any order. The next night begins at the first one that is missing.
    first = next(number for number in count(night.first) if number not in kept.parts)
    return SearchResult(night, manifest, list(bounded(kept.findings.values())), again, first, is_interrupted)


def _due(stream: PartStream, night: NightState, clock: Clock, done: set[int]) -> Iterator[Row]:
    """Yield the blocks of the parts to begin, while there is time."""
    end = None if clock.rounds is None else night.first + clock.rounds * len(stream.of_round)
    # The stream has no end. `filter` would search it forever for a part below `end`; `takewhile` stops.
    in_time = takewhile(lambda each: end is None or each[0] < end, stream.parts(night.first))
    for number, part in in_time:
        if number not in done:
            if time.monotonic() >= clock.until:
                return
            for block in part.planned:
                yield {PART: number, PLAN: 0, **block}


def _still_shown(found: Storage, parameters: Parameters) -> Iterator[Distilled]:
    """Yield the findings that found cases show now."""
    release = load_release(parameters.release)
    with _as_folder(found) as folder:
        cases = list(load_found_cases(folder, release))
    for subject in parameters.subjects if cases else ():
        findings = Findings()
        with open_session(subject.spec, release, parameters.limits, isolate_all=True) as session:
            for case in cases:
                for event in check_found(session, case):
                    if isinstance(event, Violation):
                        findings.add(event)
        yield from (Distilled(subject, finding) for finding in findings.ordered())


@contextmanager
def _as_folder(storage: Storage) -> Iterator[Path]:
    """Yield a folder of this machine with copies of another folder's files."""
    with TemporaryDirectory(prefix="kafka-conformance-") as name:
        for file, content in storage.files(".json"):
            Path(name, file).write_bytes(content)
        yield Path(name)


class NightReport(NamedTuple):
    """The report of a night.

    Attributes:
        news: its new, gone and known findings.
        new: the new findings.
        search: the results of the search.
    """

    news: Changes
    new: list[Distilled]
    search: SearchResult

    @property
    def implementations(self) -> list[dict[str, Any]]:
        """The sums over the parts of each implementation."""
        return list(self.search.manifest["implementations"])

    def total(self, name: str) -> int:
        """Return the sum of a number over all implementations, such as cases or deaths."""
        return sum(each[name] for each in self.implementations)

    @property
    def faults(self) -> list[str]:
        """Mistakes of adapters, and blocks that could not be run."""
        return [fault for each in self.implementations for fault in each["faults"]]


def morning(
    state: Storage,
    stream: PartStream,
    searched: SearchResult,
    listed: Sequence[KnownFailure],
    progress: Progress,
) -> NightReport:
    """Compare a night with the last one, and keep its results.

    A case of each new finding is kept too. Each night has other cases. So a finding is gone only if no found case shows
    it either. Findings in a file of known failures are not new.
    """
    folder, history = state.within(searched.night.folder), state.within(HISTORY)
    before = nights(history)
    last = last_known((subject.label for subject in stream.parameters.subjects), before)

    def is_reported(each: Distilled) -> bool:
        return each.known in last or covers_all(listed, each.finding)

    tonight = distil(
        folder, stream.parameters, searched.findings, progress, KnownFindings(is_reported, state.within(FOUND))
    )
    everything = {each.known: each for each in (*searched.again, *tonight)}
    this = _with(night_of(folder), searched.again, load_release(stream.parameters.release))
    changes = news(this, before)
    known = {
        each: this.finished for each in changes.new if covers_all(listed, everything[each].finding)
    } | changes.known
    changes = changes._replace(new=[each for each in changes.new if each not in known], known=known)
    # In this order: a night that is interrupted here is not lost, but reported again.
    keep_night(history, this)
    _write_down(state, structs.replace(searched.night, first=searched.first, is_reported=True))
    folder.remove(PARTS)
    _forget_before(state, searched.night.number - KEPT_NIGHTS + 1)
    return NightReport(changes, [everything[each] for each in changes.new], searched)


def _forget_before(state: Storage, number: int) -> None:
    """Delete the campaigns of all nights before one.

    The oldest goes first. If this is interrupted, the next night finds the others.
    """
    folders = (folder_of(each) for each in range(number - 1, 0, -1))
    for name in reversed(list(takewhile(lambda each: state.within(each).read(CAMPAIGN) is not None, folders))):
        folder = state.within(name)
        for own in (PARTS, MANIFEST, FINDINGS, CAMPAIGN):
            folder.remove(own)
        if not folder.names():
            state.remove(name)


def _with(night: Night, findings: Iterable[Distilled], release: Release) -> Night:
    """Return a night with further findings."""
    seen = (
        PastFinding(each.known, each.finding.count, len(each.finding.pairs), each.replay(release))
        for each in findings
        if each.known not in night.findings
    )
    return structs.replace(night, seen=(*night.seen, *seen))
