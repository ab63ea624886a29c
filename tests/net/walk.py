"""The walk of one case through the code, with its files and the calls from one file to another."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from inspect import CO_OPTIMIZED
from itertools import islice
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.codec.bridge.loading import load_codec
from conformance.codec.python_codec import PythonCodec
from conformance.codec.session import Session
from conformance.generate.drawn_values import many_values
from conformance.judge.checks.changed_bodies import hostile_cases
from conformance.judge.checks.record_cases import records_value_cases
from conformance.judge.checks.value_cases import generated_value
from conformance.judge.engine import run
from conformance.judge.kinds import CodecCase
from conformance.judge.recording import record
from conformance.report.report_reading import report_of
from conformance.report.run_lines import EndedRun, lines_of
from conformance.report.terminal.run_summary import TerminalForm, run_summary
from conformance.suite.subjects import CodecSubject
from conformance.targets import RECORD_GROUPS
from reference import Release, load_release, newest_release
from tests.mutants.records import RecordsMutant
from tests.mutants.ways.named import misstep_of

ROOT = Path(__file__).parents[2]
ROOMS = tuple(f"{ROOT / room}/" for room in ("conformance", "reference"))
MESSAGE, VERSION = "MetadataRequest", 9

HOSTILE = "minimal", "minimal/0/varint-six-bytes"

Cases = Iterator[Any]


class Walk(NamedTuple):
    """The files entered, and the calls from file to file by (caller, called)."""

    files: set[str]
    calls: Counter[tuple[str, str]]

    def watch(self, frame: FrameType, event: str, _argument: object) -> None:
        """Count a call of a function of the project, as `sys.setprofile` reports it."""
        if event != "call" or not frame.f_code.co_flags & CO_OPTIMIZED or not _is_own(frame):
            return
        self.files.add(frame.f_code.co_filename)
        caller = frame.f_back
        while caller is not None and not _is_own(caller):  # a library calls back
            caller = caller.f_back
        if caller is not None and caller.f_code.co_filename != frame.f_code.co_filename:
            self.calls[caller.f_code.co_filename, frame.f_code.co_filename] += 1


def _is_own(frame: FrameType) -> bool:
    return frame.f_code.co_filename.startswith(ROOMS)


def _session(spec: str, release: Release) -> Session:
    return Session(load_codec(spec, release), release)


def _hostile(release: Release) -> tuple[Session, Cases]:
    session = _session("tests.net.careless:Careless", release)
    return session, _named(hostile_cases(session, release.schema(MESSAGE, VERSION)), *HOSTILE)


def _record_batch(release: Release) -> tuple[Session, Cases]:
    writes = misstep_of("field.batches@entries dropped", "", "encode")
    mutant = RecordsMutant("nothing-written", "record.layout", writes)
    session = Session(PythonCodec(mutant.adapter()), release)
    cases = records_value_cases(session, RECORD_GROUPS[0])
    return session, islice((case for case in cases if isinstance(case, CodecCase)), 1)


def _drawn(release: Release) -> tuple[Session, Cases]:
    session = _session("tests.net.careless:Careless", release)
    schema, drawn = release.schema(MESSAGE, VERSION), list[Any]()

    @settings(max_examples=1, derandomize=True, database=None)
    @given(st.data())
    def draw(data: st.DataObject) -> None:
        drawn[:] = data.draw(many_values(schema, 1).filter(lambda values: values[0]["Topics"] is None))

    draw()
    return session, iter([generated_value(schema, drawn[0])])


def _named(cases: Cases, *names: str) -> Cases:
    """Yield the cases of some names, among them the base of a hostile input, inconclusive without it."""
    return (case for case in cases if isinstance(case, CodecCase) and case.name in names)


WALKS: dict[str, Callable[[Release], tuple[Session, Cases]]] = {
    "hostile case": _hostile,
    "record batch": _record_batch,
    "drawn value": _drawn,
}


def text_of(name: str) -> str:
    """Return the summary of a run of one case, from the definitions to the text."""
    session, cases = WALKS[name](load_release(newest_release()))
    subject = CodecSubject(session)
    results = subject.results([])
    record(results, "walk", "", run(session, cases))
    report = report_of(lines_of(EndedRun(subject.about(implementation=name, implementation_version=""), results)))
    return run_summary(report, TerminalForm(100))


def walked(name: str) -> Walk:
    """Return the walk of a case in a fresh process, since caches shorten the next one."""
    walk = Walk(set(), Counter())
    sys.setprofile(walk.watch)
    try:
        text = text_of(name)
    finally:
        sys.setprofile(None)
    if "replay" not in text:
        raise AssertionError(f"the walk ends without a finding: {text}")
    return walk
