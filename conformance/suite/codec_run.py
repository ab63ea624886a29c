"""A run against a codec, made from its options."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from conformance.adapter import DIRECTIONS
from conformance.codec.bridge.isolation import ChildCodec, DecodeLimits
from conformance.codec.bridge.learning import learnt
from conformance.codec.bridge.loading import load_codec
from conformance.codec.selection import (
    BadSelection,
    Selection,
    newest,
    offered,
    other_names,
    parse_selection,
    select,
    select_others,
    smoke,
)
from conformance.codec.session import Session
from conformance.definitions.named import release_of
from conformance.report.files.found_cases import FoundCase, load_found_cases
from conformance.suite.base_release import base_release_of, without_shared
from conformance.suite.options import ALWAYS, NEVER
from conformance.suite.run_options import CHOSEN
from conformance.suite.subjects import CodecSubject
from conformance.suite.suite_run import SuiteRun, known_failures_of
from reference import Release, newest_release

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from conformance.judge.kinds import CodecCase
    from conformance.suite.options import RunOptions
    from conformance.targets import Claims

HANGS = "kafka_hangs"
"""The name of the file in which the workers of a run count hangs."""


def limits_of(config: pytest.Config) -> DecodeLimits:
    """Return the limits of one decode. The workers of a run share the time for hangs."""
    options, shared = config.stash[CHOSEN], getattr(config, "workerinput", {}).get(HANGS, "")
    return DecodeLimits(options.memory_limit, options.time_limit, shared)


def make_run(options: RunOptions, limits: DecodeLimits) -> SuiteRun:
    """Load the adapter, the release, the selection and the known failures, or raise `ConformanceError`."""
    release = release_of(options.release or newest_release())
    codec = load_codec(options.impl, release, deadline=limits.deadline)
    base = base_release_of(options.base_release, release)
    selection = without_shared(_selected(options, codec.claims, release), codec.claims, release, base)
    known = known_failures_of(options, release)
    isolated = options.isolation != NEVER
    child = ChildCodec(codec.claims.spec, release.name, **limits._asdict()) if isolated else None
    isolate_all = options.isolation == ALWAYS
    found_cases = _found_cases(options.found, selection, release)
    real_records = options.records == "real"
    learn = partial(learnt, schemas=selection.schemas)
    subject = CodecSubject(Session(codec, release, child, isolate_all, real_records, learn))
    return SuiteRun(subject, selection, known, found_cases, known_failures_of(options, base) if base else ())


def _found_cases(folder: Path | None, selection: Selection, release: Release) -> list[FoundCase[CodecCase]]:
    cases = load_found_cases(folder, release) if folder else ()
    pairs = {(schema.message, schema.version) for schema in selection.schemas}
    pairs |= {(name, 0) for name in selection.others}
    return [found for found in cases if (found.case.target.message, found.case.target.version) in pairs]


def _selected(options: RunOptions, claims: Claims, release: Release) -> Selection:
    selectors = parse_selection(options.messages)
    schemas = select(list(release.schemas()), selectors, other_names())
    pairs = offered(claims, schemas)
    if schemas and not pairs and not claims.functions.isdisjoint(DIRECTIONS):
        raise BadSelection(
            f"{claims.name} offers none of the {len(schemas)} selected pairs of {release.title}: "
            "look at what its supported() returns"
        )
    handful, others = smoke(pairs), select_others(selectors)
    return Selection(handful, others, newest(pairs)) if options.smoke else Selection(pairs, others, handful)
