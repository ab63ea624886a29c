"""Nights as campaigns: how many cases one has, which findings are really gone, and what is kept from night to night.

night.json          the night that is run, or was run last: its number, its cases, the time it took
campaigns/000001/   the campaign of a night
history/            a file for each night
known.json          the smallest case of each finding that is not gone
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from conformance.bridge.isolation import Limits
from conformance.bridge.opening import open_session
from conformance.campaign.distil import FINDINGS
from conformance.campaign.folder import NotThisCampaign, manifest_of
from conformance.campaign.history import Known, News, Night, keep_night, news, night_of, nights
from conformance.checks.cases import case_from
from conformance.engine.run import violations
from conformance.findings.finding import ENDS
from conformance.findings.forms import Broken, as_json
from reference import load_release
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.campaign.plan import Parameters
    from conformance.implementation.session import Session
    from conformance.pipeline.storage import Storage
    from reference import Release

Json = dict[str, Any]

NIGHT = "night.json"
HISTORY = "history"
KNOWN = "known.json"
FIRST_CASES = 50
"""The cases of each pair in the first night, whose speed is not known."""

MARGIN = 0.9
"""The part of the time that a night is planned for."""

MOST_GROWTH = 10
"""So many times as many cases as the last night has a night at most."""


class PlannedNight(NamedTuple):
    """One night.

    Attributes:
        number: its number; the seed of its cases.
        cases: how many cases are generated for each implementation.
        seconds: how long its campaign took; None while it is not at its end, or where it was interrupted.
        is_reported: whether all that it has shown is kept.
        is_resumed: whether it goes on from what an interrupted one has left.
    """

    number: int
    cases: int
    seconds: float | None = None
    is_reported: bool = False
    is_resumed: bool = False

    @property
    def folder(self) -> str:
        """Its campaign, in the state folder."""
        return f"campaigns/{self.number:06}"


def planned_night(state: Storage, pairs: int, seconds: float) -> PlannedNight:
    """Return the night to run, and write it down: the one that was interrupted, or the next one.

    Args:
        state: the state folder.
        pairs: the number of messages and versions.
        seconds: what it may take; followed as far as the last night tells.

    Raises:
        NotThisCampaign: the state folder holds something else.
    """
    last = _last(state)
    if last is not None and not last.is_reported:
        return last._replace(is_resumed=True)
    night = PlannedNight(last.number + 1 if last else 1, _cases(last, pairs, seconds))
    _write_down(state, night)
    return night


def _cases(last: PlannedNight | None, pairs: int, seconds: float) -> int:
    if last is None:
        return FIRST_CASES * pairs
    if last.seconds is None:
        return last.cases
    return max(pairs, int(last.cases * min(MOST_GROWTH, MARGIN * seconds / max(1.0, last.seconds))))


def _last(state: Storage) -> PlannedNight | None:
    content = state.read(NIGHT)
    try:
        return PlannedNight(**parse_json(content, NIGHT)) if content is not None else None
    except (TypeError, BadInput) as error:
        raise NotThisCampaign(
            f"{state.within(NIGHT)} is not the state of a night: {error}. Name another --state."
        ) from error


def _write_down(state: Storage, night: PlannedNight) -> None:
    facts = {name: value for name, value in night._asdict().items() if name != "is_resumed"}
    state.write(NIGHT, (json.dumps(facts) + "\n").encode())


class Morning(NamedTuple):
    """What a night has shown.

    Attributes:
        told: what is new, gone and known.
        cases: the number of cases, over all implementations.
        deaths: how often a child process ended.
    """

    told: News
    cases: int
    deaths: int


def morning(state: Storage, planned: PlannedNight, parameters: Parameters) -> Morning:
    """Compare a finished night with the last one, and keep it.

    Each night has other cases. So a finding that none of them shows is gone only if its smallest case, tried again,
    does not show it either.
    """
    folder = state.within(planned.folder)
    manifest, history = manifest_of(folder), state.within(HISTORY)
    night, before = night_of(folder), nights(history)
    kept = _kept(state)
    missed = news(night, before).gone
    still = _still_there({known: kept[known] for known in missed if known in kept}, parameters)
    rows = {known: row for each in before for known, row in each.findings.items()}
    about = {"campaign": night.campaign, "finished": night.finished}
    night = Night(night.campaign, night.finished, (*night.rows, *({**rows[known], **about} for known in still)))
    told = news(night, before)
    keep_night(history, night)
    _keep(state, folder, {known: kept[known] for known in still})
    _write_down(state, planned._replace(is_reported=True, seconds=None if planned.is_resumed else manifest["seconds"]))
    each = manifest["implementations"]
    return Morning(told, sum(one["cases"] for one in each), sum(one["deaths"] for one in each))


def _kept(state: Storage) -> dict[Known, Broken]:
    content = state.read(KNOWN)
    entries = parse_json(content, KNOWN) if content else []
    return {Known(*entry["key"]): msgspec.convert(entry["example"], Broken) for entry in entries}


def _keep(state: Storage, folder: Storage, still: Mapping[Known, Broken]) -> None:
    """Keep the cases of the findings of tonight, and of those that are still there."""
    examples = dict(still)
    for finding in parse_json(folder.read(FINDINGS) or b"[]", FINDINGS):
        known = Known(*(finding[name] for name in Known._fields))
        examples[known] = msgspec.convert(finding["example"], Broken)
    document = [{"key": known, "example": as_json(examples[known])} for known in sorted(examples)]
    state.write(KNOWN, (json.dumps(document, indent=1) + "\n").encode())


def _still_there(examples: Mapping[Known, Broken], parameters: Parameters) -> list[Known]:
    """Return the findings whose case still shows them; one that ends a process when it is written is not tried."""
    release, found = load_release(parameters.release), []
    for subject in parameters.subjects:
        own = {known: example for known, example in examples.items() if known.implementation == subject.label}
        if own:
            with open_session(subject.spec, release, Limits(parameters.memory, parameters.deadline)) as session:
                found += [known for known, example in own.items() if _shows(session, known, example, release)]
    return sorted(found)


def _shows(session: Session, known: Known, example: Broken, release: Release) -> bool:
    case = case_from(example, release)
    if example.direction == "encode" and example.outcome in ENDS:
        return True
    wanted = (known.rule, known.outcome, known.cluster)
    return any((each.rule, each.outcome, each.cluster) == wanted for each in violations(session, case.again(session)))
