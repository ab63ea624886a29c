"""The tests of the suite, as listed in `registry.toml`.

It has the items of each test, and the parts of the adapter needed by it. Each test is a function of a module of this
folder. A test without a needed capability is not collected, as a skip would look like a test; the summary lists it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.adapter import DIRECTIONS
from conformance.judge.checks.frame_cases import is_framed
from conformance.judge.checks.size_cases import limited
from conformance.judge.checks.stored_cases import is_stored
from conformance.live.server.black_box import server_pairs
from conformance.live.server.tiers import Tier
from conformance.suite.subjects import SERVER
from conformance.targets import RECORD_BATCHES, RECORD_GROUPS, StoredForm
from conformance.targets.listed import holds_records
from reference.inputs.toml_text import packaged_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.codec.session import Session
    from conformance.suite.suite_run import SuiteRun
    from reference import MessageSchema


@dataclass(frozen=True)
class SuiteTest:
    """One test of the suite. `registry.toml` describes the fields."""

    name: str
    about: str
    items: str = "pairs"
    needs: Sequence[str] = ()
    deterministic: bool = True
    of: str = "codec"
    hostile: bool = False


def _may_be_lost(run: SuiteRun) -> bool:
    return run.subject.server.permission.tier is Tier.THROW_AWAY


def _is_measured(run: SuiteRun) -> bool:
    """Return whether large sizes may be announced to the server under test."""
    return run.subject.server.permission.largest > 0


_ITEMS: dict[str, Callable[[SuiteRun], Sequence[object]]] = {
    "pairs": lambda run: run.schemas,
    "real-records": lambda run: [
        each for each in run.schemas if run.subject.session.real_records and holds_records(each)
    ],
    "probed": lambda run: run.probed,
    "limited": lambda run: limited(run.subject.session, run.schemas),
    "found-cases": lambda run: run.found_cases,
    "framed": lambda run: [schema for schema in run.schemas if is_framed(schema)],
    "stored": lambda run: [
        schema for schema in run.schemas if is_stored(schema) and _is_offered_as_stored(run.subject.session, schema)
    ],
    "wire-types": lambda run: [name for name in run.others if name != RECORD_BATCHES],
    "server": lambda _: ("server",),
    "server-pairs": lambda run: server_pairs(run.subject.server, run.schemas),
    "lost-server": lambda run: _ITEMS["server"](run) if _may_be_lost(run) else (),
    "measured-server": lambda run: _ITEMS["server"](run) if _may_be_lost(run) or _is_measured(run) else (),
    "lost-server-pairs": lambda run: _ITEMS["server-pairs"](run) if _may_be_lost(run) else (),
    "record-batches": lambda run: RECORD_GROUPS if RECORD_BATCHES in run.others else (),
}

TESTS = tuple(SuiteTest(name, **facts) for name, facts in packaged_toml("conformance.suite", "registry.toml").items())
"""Every test of the suite, in the order of the file."""

NOT_BY_PAIR = frozenset(("found-cases", "server", "lost-server", "measured-server"))
"""The items about several messages, or none."""

DETERMINISTIC = tuple(test.name for test in TESTS if test.deterministic)
"""The tests that decide, each over all its items, whether a known failure is still there."""

NAMES = frozenset(test.name for test in TESTS)
"""The names of all tests."""

_BY_NAME = {test.name: test for test in TESTS}


def _is_offered_as_stored(session: Session, schema: MessageSchema) -> bool:
    target = StoredForm(schema, session.release)
    return any(session.offers(target, direction) for direction in DIRECTIONS)


def about(name: str) -> str:
    """Return the subject of a test, in a line."""
    return _BY_NAME[name].about


def is_chosen(name: str, only: str | None) -> bool:
    """Return whether a test is among those of `--only`. Without the option all tests are."""
    return only is None or _BY_NAME[name].hostile


def is_by_pair(name: str) -> bool:
    """Return whether each item of a test is one pair, one wire type, or one kind of batches."""
    return _BY_NAME[name].items not in NOT_BY_PAIR


def items_of(name: str, run: SuiteRun) -> Sequence[object]:
    """Return the items of a test, none if a needed part is missing, or for another kind of subject."""
    test = _BY_NAME[name]
    if (test.of == SERVER) != (run.subject.kind == SERVER):
        return ()
    if test.needs and not run.subject.offers_any(test.needs):
        return ()
    return _ITEMS[test.items](run)


def leaves_everything(run: SuiteRun) -> bool:
    """Return whether the whole selection is left to the run of the base release."""
    return bool(run.shared.pairs or run.shared.others) and not any(items_of(test, run) for test in DETERMINISTIC)
