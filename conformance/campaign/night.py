"""Nights: a campaign with a clock, and a state that goes on from night to night.

night.json          the last night: its number, where it began, or where the next one begins
campaigns/000001/   the campaign of a night, without outcomes
found/              a case of each finding: they are tried first in every night
history/            a file for each night
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import Struct, structs

from conformance.campaign.attempts import MANIFEST, TASKS, Attempts, NotThisCampaign, clear_records, kept, numbers_of
from conformance.campaign.distil import FOUND, Distilled, KnownFindings, distil
from conformance.campaign.folder import CAMPAIGN, FINDINGS, finish, prepare, reopen
from conformance.campaign.history import Night, PastFinding, keep_night, last_known, news, night_of, nights
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

    from conformance.campaign.history import News
    from conformance.campaign.night_parts import PartStream
    from conformance.campaign.plan import Parameters, Task
    from conformance.campaign.spark.storage import Storage
    from conformance.judge.findings.known_failures import KnownFailure
    from reference import Release

    Run = Callable[[Iterable[Task]], None]
    """Runs tasks in about this order."""
    Progress = Callable[[int, int], None]

STATE = "night.json"
HISTORY = "history"

KEPT_NIGHTS = 30
"""The last nights whose campaigns stay in the state folder; the history, which is small, has all."""


class NightState(Struct, frozen=True):
    """What is kept of the last night.

    Attributes:
        number: the first night has 1.
        first: the number of the part that it began with; once it is told, of the next night's first.
        plan: the digest of the stream that these numbers are of.
        is_reported: whether all that it has shown is kept.
    """

    number: int
    first: int
    plan: str
    is_reported: bool = False

    @property
    def folder(self) -> str:
        """Its campaign, in the state folder."""
        return folder_of(self.number)


def folder_of(number: int) -> str:
    """Return the campaign of a night, in the state folder."""
    return f"campaigns/{number:06}"


def begun(state: Storage, stream: PartStream) -> NightState:
    """Begin the next night where the last one has ended, or go on with one that came to no end, and write it down.

    Raises:
        NotThisCampaign: the state folder holds something else.
    """
    last = _last(state)
    if last and not last.is_reported and last.plan == stream.digest:
        with suppress(NotThisCampaign):  # of another version of the suite, or of a codec
            prepare(state.within(last.folder), stream.parameters)
            return last
    first = last.first if last and last.plan == stream.digest else 0
    night = NightState(last.number + 1 if last else 1, first, stream.digest)
    prepare(state.within(night.folder), stream.parameters)
    _write_down(state, night)
    return night


def _last(state: Storage) -> NightState | None:
    content = state.read(STATE)
    try:
        return None if content is None else msgspec.convert(parse_json(content, STATE), NightState)
    except (msgspec.ValidationError, BadInput) as error:
        raise NotThisCampaign(
            f"{state.within(STATE)} is not the state of a night: {error}. Name another --state."
        ) from error


def _write_down(state: Storage, night: NightState) -> None:
    state.write(STATE, (json.dumps(as_json(night)) + "\n").encode())


class Clock(NamedTuple):
    """When a night ends: at a time of `time.monotonic`, or behind so many rounds."""

    until: float
    rounds: int | None = None


class NightResults(NamedTuple):
    """What a night has tried.

    Attributes:
        night: which one.
        manifest: of its campaign.
        found: what came of its parts.
        again: what found cases of earlier nights still show.
        first: the number of the part that the next night begins with.
        is_interrupted: whether control-C ended it.
    """

    night: NightState
    manifest: dict[str, Any]
    found: Attempts
    again: list[Distilled]
    first: int
    is_interrupted: bool


def search(state: Storage, stream: PartStream, night: NightState, clock: Clock, run: Run) -> NightResults:
    """Try found cases, then the parts whose turn it is, until the clock, or control-C, ends it.

    Without the found cases nothing could be told of what is gone: control-C during these ends the night untold.

    Raises:
        TaskFailed: a part cannot be run; the others are kept.
        BadFoundCase: a file among the found cases is none.
    """
    folder, began = state.within(night.folder), time.monotonic()
    again, is_interrupted = list(_still_shown(state.within(FOUND), stream.parameters)), False
    reopen(folder)
    try:
        run(_due(stream, night, clock, set(numbers_of(folder))))
    except KeyboardInterrupt:
        is_interrupted = True
    planned = {number: stream.part(number) for number in numbers_of(folder)}
    done = kept(folder, stream.parameters, planned)
    manifest = finish(folder, stream.parameters, done, time.monotonic() - began)
    first = next(number for number, _ in stream.parts(night.first) if number not in done.parts)
    return NightResults(night, manifest, done, again, first, is_interrupted)


def _due(stream: PartStream, night: NightState, clock: Clock, done: set[int]) -> Iterator[Task]:
    """Yield the parts that are to be begun, as long as there is time; each is a task."""
    end = None if clock.rounds is None else night.first + clock.rounds * len(stream.of_round)
    in_time = takewhile(lambda each: end is None or each[0] < end, stream.parts(night.first))
    for number, part in in_time:
        if number not in done:
            if time.monotonic() >= clock.until:
                return
            yield ((number, part),)


def _still_shown(found: Storage, parameters: Parameters) -> Iterator[Distilled]:
    """Yield what found cases show now."""
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
    """Yield a folder of this machine with the files of another one."""
    with TemporaryDirectory(prefix="kafka-conformance-") as name:
        for file, content in storage.files("", ".json"):
            Path(name, file).write_bytes(content)
        yield Path(name)


class Morning(NamedTuple):
    """What a night has shown.

    Attributes:
        told: what is new, gone and known.
        new: the new findings.
        search: what was tried.
    """

    told: News
    new: list[Distilled]
    search: NightResults

    @property
    def implementations(self) -> list[dict[str, Any]]:
        """The sums over the parts of each implementation."""
        return list(self.search.manifest["implementations"])

    def total(self, name: str) -> int:
        """Return a number of all implementations: of cases, of deaths."""
        return sum(each[name] for each in self.implementations)

    @property
    def faults(self) -> list[str]:
        """Mistakes of adapters, and what could not be run."""
        return [fault for each in self.implementations for fault in each["faults"]]


def morning(
    state: Storage,
    stream: PartStream,
    searched: NightResults,
    listed: Sequence[KnownFailure],
    progress: Progress,
) -> Morning:
    """Compare a night with the last one, and keep it, and a case of each new finding.

    Each night has other cases. So a finding that none of them shows is gone only if no found case shows it either.
    What a file of known failures lists is not new.
    """
    folder, history = state.within(searched.night.folder), state.within(HISTORY)
    before = nights(history)
    last = last_known((subject.label for subject in stream.parameters.subjects), before)

    def is_reported(each: Distilled) -> bool:
        return each.known in last or covers_all(listed, each.finding)

    tonight = distil(
        folder, stream.parameters, searched.found, progress, KnownFindings(is_reported, state.within(FOUND))
    )
    everything = {each.known: each for each in (*searched.again, *tonight)}
    this = _with(night_of(folder), searched.again, load_release(stream.parameters.release))
    told = news(this, before)
    known = {each: this.finished for each in told.new if covers_all(listed, everything[each].finding)} | told.known
    told = told._replace(new=[each for each in told.new if each not in known], known=known)
    keep_night(history, this)
    _write_down(state, structs.replace(searched.night, first=searched.first, is_reported=True))
    clear_records(folder)
    _forget_before(state, searched.night.number - KEPT_NIGHTS + 1)
    return Morning(told, [everything[each] for each in told.new], searched)


def _forget_before(state: Storage, number: int) -> None:
    """Delete the campaigns of the nights before one, as far back as there are any.

    The oldest goes first: if this is interrupted, the next night finds the others behind its own.
    """
    folders = (folder_of(each) for each in range(number - 1, 0, -1))
    for name in reversed(list(takewhile(lambda each: state.within(each).read(CAMPAIGN) is not None, folders))):
        folder = state.within(name)
        clear_records(folder)
        for file in (MANIFEST, FINDINGS, CAMPAIGN):
            folder.remove(file)
        folder.remove_folder(TASKS)
        state.remove_folder(name)


def _with(night: Night, findings: Iterable[Distilled], release: Release) -> Night:
    """Return a night with those of these findings that it does not have."""
    seen = (
        PastFinding(each.known, each.finding.count, len(each.finding.pairs), each.replay(release))
        for each in findings
        if each.known not in night.findings
    )
    return structs.replace(night, seen=(*night.seen, *seen))
