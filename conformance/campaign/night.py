"""Nights, campaigns with a time limit and a state from night to night.

The folder of the nights has:

    night.json          the last night: its number, its first part, and the first part of the next night
    campaigns/000001/   the campaign of a night: its parts/, without outcomes
    found/              a case of each finding, tried first in every night
    history/            a file for each night
"""

from __future__ import annotations

import time
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct, structs

from conformance.campaign.campaign_reports import REPORTS, write_reports
from conformance.campaign.distil import FOUND, Distilled, bounded, distilled, reduce_cases, write_findings
from conformance.campaign.folder import (
    CAMPAIGN,
    FINDINGS,
    MANIFEST,
    NotThisCampaign,
    manifest_of,
    manifest_of_sums,
    prepare,
    read_document,
    write_document,
)
from conformance.campaign.history import (
    FindingForm,
    FindingId,
    earlier,
    keep_night,
    last_known,
    news,
    night_from,
    nights,
)
from conformance.campaign.night_parts import PARTS, KeptParts
from conformance.codec.bridge.opening import open_session
from conformance.judge.case import Violation
from conformance.judge.findings.extent import Completeness, Extent
from conformance.judge.findings.finding import Findings
from conformance.judge.findings.known_failures import covers_all
from conformance.judge.forms import Key
from conformance.report.files.found_cases import check_found, is_offered, load_found_cases
from reference import load_release
from reference.inputs.json_text import read_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from conformance.campaign.folder import Json
    from conformance.campaign.history import Changes, Night, PastFinding
    from conformance.campaign.night_parts import PartStream
    from conformance.campaign.pipeline.engines import Row
    from conformance.campaign.pipeline.storage import Storage
    from conformance.judge.findings.known_failures import KnownFailure
    from reference import Release

    Run = Callable[[Iterable[Row]], Iterator[list[Row]]]
    """Yields the rows of blocks of whole parts, in about this order."""
    Progress = Callable[[int, int], None]

STATE = "night.json"
CAMPAIGNS, HISTORY = "campaigns", "history"

TONIGHT = Extent(Completeness.SELECTION, "what was tried in one night")

KEPT_NIGHTS = 30
"""Nights to keep the campaigns of in the state folder. The history is small and keeps all nights."""


class NightState(Struct, frozen=True):
    """The state of the last night.

    Attributes:
        number: from 1 on.
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
        return f"{CAMPAIGNS}/{self.number:06}"


class NightRun:
    """A night in a state folder, either the next one or an interrupted one.

    The next night begins after the last part of the previous one. The state is written.

    Args:
        state: the state folder.
        stream: the parts of all nights.

    Attributes:
        night: the state at its beginning.
        manifest: the manifest of its campaign, once it was searched.
        is_interrupted: whether control-C has ended the search.
        shown: its findings, once it was reported.

    Raises:
        NotThisCampaign: the state folder holds something else, and is unchanged.
    """

    def __init__(self, state: Storage, stream: PartStream) -> None:
        self._state, self._stream = state, stream
        self.night = _begun(state, stream)
        self.manifest: Json = {}
        self.is_interrupted = False
        self._folder = state.within(self.night.folder)
        self.shown: dict[FindingId, Distilled] = {}
        self._retried: set[FindingId] = set()
        self._kept = KeptParts(self._folder.within(PARTS))

    @property
    def findings(self) -> list[Row]:
        """The rows of findings."""
        return list(bounded(self._kept.findings.values()))

    @property
    def next_first(self) -> int:
        """The number of the next night's first part."""
        # Parts end in any order. The next night begins at the first one that is missing.
        return next(number for number in count(self.night.first) if number not in self._kept.parts)

    def search(self, run: Run, until: float, rounds: int | None = None) -> None:
        """Try the found cases, then the night's parts until a time of `time.monotonic`, or control-C.

        Gone findings are unknown without the found cases. So control-C during these ends the night without a report.

        Raises:
            JobFailed: the parts cannot be run; the results so far are kept.
            BadFoundCase: a file among the found cases is no such case.
        """
        began, first = time.monotonic(), self.night.first
        self._try_found_cases()
        numbers = count(first) if rounds is None else range(first, first + rounds * len(self._stream.of_round))
        missing = (number for number in numbers if number not in self._kept.parts)
        try:
            for rows in run(self._stream.blocks(missing, until)):
                self._kept.add(rows)
        except KeyboardInterrupt:
            self.is_interrupted = True
        finally:
            self._kept.write()
        self._write_manifest(time.monotonic() - began)

    def _write_manifest(self, seconds: float) -> None:
        parts = list(self._kept.parts.values())
        self.manifest = manifest_of_sums(self._stream.parameters, parts, parts, seconds, len(parts))
        with suppress(NotThisCampaign):  # none yet
            written = manifest_of(self._folder)
            if written.get("hash") == self.manifest["hash"]:  # the history may have this night by the time of its end
                self.manifest["finished"] = written["finished"]
        write_document(self._folder, MANIFEST, self.manifest)

    def report(self, listed: Sequence[KnownFailure], progress: Progress) -> Changes:
        """Compare the night with the last one, and keep its results with a case of each new finding.

        Findings in a file of known failures are not new. Each night has other cases. So a finding is gone only if
        neither a found case of it nor a whole round shows it.
        """
        parameters, history = self._stream.parameters, self._state.within(HISTORY)
        before = earlier(night_from(self.manifest, ()), nights(history))
        release = load_release(parameters.release)
        last = last_known((subject.label for subject in parameters.subjects), before)
        tonight = distilled(parameters, self.findings)
        fresh = [each for each in tonight if each.known not in last and not covers_all(listed, each.finding)]
        reduce_cases(fresh, parameters, self._state.within(FOUND), progress)
        write_findings(self._folder, tonight, release)
        self.shown |= {each.known: each for each in tonight}
        write_reports(self._folder, parameters, self.manifest, [*self.shown.values()], listed, TONIGHT)
        this = self._as_campaign(last, release)
        changes = news(this, before)
        listed_now = {each: this.finished for each in changes.new if covers_all(listed, self.shown[each].finding)}
        # In this order: a night that is interrupted here is not lost, but reported again.
        keep_night(history, this)
        _write_state(self._state, structs.replace(self.night, first=self.next_first, is_reported=True))
        self._folder.remove(PARTS)
        _forget_before(self._state, self.night.number - KEPT_NIGHTS + 1)
        new = [each for each in changes.new if each not in listed_now]
        return changes._replace(new=new, known=listed_now | changes.known)

    def _as_campaign(self, last: Mapping[FindingId, PastFinding], release: Release) -> Night:
        """Return the night in the form of a history, with those findings of the last one that it did not try."""
        forms = [msgspec.convert(each.as_json(release), FindingForm) for each in self.shown.values()]
        night = night_from(self.manifest, forms)
        if self.next_first >= self.night.first + len(self._stream.of_round):
            return night
        tried = self.shown.keys() | self._retried
        untried = (structs.replace(seen, count=0) for known, seen in last.items() if known not in tried)
        return structs.replace(night, seen=(*night.seen, *untried))

    def _try_found_cases(self) -> None:
        parameters = self._stream.parameters
        release = load_release(parameters.release)
        with _as_folder(self._state.within(FOUND)) as folder:
            cases = [(found, read_json(found.file)) for found in load_found_cases(folder, release)]
        for subject in parameters.subjects if cases else ():
            findings = Findings()
            with open_session(subject.spec, release, parameters.limits, isolate_all=True) as session:
                for found, document in cases:
                    if is_offered(session, found.case):
                        self._retried.add(FindingId(subject.label, *(str(document.get(each)) for each in Key._fields)))
                    for event in check_found(session, found):
                        if isinstance(event, Violation):
                            findings.add(event)
            own = (Distilled(subject, finding) for finding in findings.ordered())
            self.shown |= {each.known: each for each in own}


def _begun(state: Storage, stream: PartStream) -> NightState:
    last = _last(state)
    is_same = last.plan == stream.digest
    if is_same and not last.is_reported:
        with suppress(NotThisCampaign):  # of another version of the suite, or of a codec
            prepare(state.within(last.folder), stream.parameters)
            return last
    night = NightState(last.number + 1, last.first if is_same else 0, stream.digest)
    # The state comes first: it marks the folder as one of nights, also after an interruption.
    _write_state(state, night)
    prepare(state.within(night.folder), stream.parameters)
    return night


def _last(state: Storage) -> NightState:
    content = state.read(STATE)
    if content is not None:
        problem = f"{state.within(STATE)} is not the state of a night"
        return read_document(NightState, content, STATE, problem, ". Name another --state.")
    if state.names() - {FOUND}:
        raise NotThisCampaign(f"{state} holds something that is no state of nights. Name a new or empty folder.")
    return NightState(0, 0, "")


def _write_state(state: Storage, night: NightState) -> None:
    write_document(state, STATE, msgspec.to_builtins(night))


@contextmanager
def _as_folder(storage: Storage) -> Iterator[Path]:
    """Yield a folder of this machine with copies of another folder's files."""
    with TemporaryDirectory(prefix="kafka-conformance-") as name:
        for file, content in storage.files(".json"):
            Path(name, file).write_bytes(content)
        yield Path(name)


def _forget_before(state: Storage, number: int) -> None:
    """Delete the campaigns of all nights before one, but for files of other origin."""
    for name in state.within(CAMPAIGNS).names():
        if name.isdecimal() and int(name) < number:
            folder = state.within(f"{CAMPAIGNS}/{name}")
            for own in (PARTS, MANIFEST, FINDINGS, REPORTS, CAMPAIGN):
                folder.remove(own)
            if not folder.names():
                state.remove(f"{CAMPAIGNS}/{name}")
