"""A run against a codec, made from its options.

Pairs of a base release are left to a run against it. Schemas are compared with their absent fields, defaults and all.
The limits of Apache Kafka's own readers are not compared: they only affect bytes left open by the protocol.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from conformance.adapter import DIRECTIONS
from conformance.codec.bridge.isolation import ChildCodec, DecodeLimits
from conformance.codec.bridge.learning import learnt
from conformance.codec.bridge.loading import load_codec
from conformance.codec.selection import (
    BadSelection,
    Selection,
    Shared,
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
from conformance.judge.checks.frame_cases import is_framed
from conformance.report.files.found_cases import FoundCase, load_found_cases
from conformance.suite.options import ALWAYS, NEVER
from conformance.suite.run_options import CHOSEN
from conformance.suite.subjects import CodecSubject
from conformance.suite.suite_run import SuiteRun, known_failures_of
from conformance.targets import RECORD_BATCHES, RecordsField, WireTypeTarget
from conformance.vectors.enumeration.pairs import layout
from reference import MessageSchema, Release, UnknownMessage, header_schema, newest_release, primitive
from reference.records.reading import reader_bounds

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


def base_release_of(name: str, release: Release) -> Release | None:
    """Return the release of `--base-release`, None without it, or raise `BadSelection` or `UnknownRelease`."""
    if not name:
        return None
    base = release_of(name)
    if base.name == release.name:
        raise BadSelection(f"--base-release={name} is the release of the run itself: name another one, or leave it out")
    if base.proposed:
        raise BadSelection(f"--base-release={name} is a proposal, and shares no message with others: name a release")
    return base


def without_shared(selection: Selection, claims: Claims, release: Release, base: Release | None) -> Selection:
    """Return a selection without the pairs equal in the base release, and with a list of them."""
    if base is None:
        return selection
    shared = {schema: str(schema) for schema in selection.schemas if is_shared(schema, release, base)}
    names = [name for name in selection.others if _is_shared_name(name, claims, release, base)]
    return selection._replace(
        schemas=[schema for schema in selection.schemas if schema not in shared],
        others=[name for name in selection.others if name not in names],
        shared=Shared(base.name, tuple(shared.values()), tuple(names), len(selection.schemas)),
    )


def is_shared(schema: MessageSchema, release: Release, base: Release) -> bool:
    """Return whether a pair of a release is the same in its base release, with everything before it."""
    try:
        is_same = schema == base.schema(schema.message, schema.version)
    except UnknownMessage:
        return False
    # A header always has all of its fields, so it does not matter which of them are ignorable.
    if is_same and is_framed(schema):
        one, other = (
            header_schema(each, schema.direction, schema.api_key or 0, schema.version) for each in (release, base)
        )
        return layout(one.body) == layout(other.body)
    # The checks of a metadata record put the types and versions of other records before it.
    if is_same and schema.stored_form == "record":
        return _records(release, schema.message) == _records(base, schema.message)
    return is_same


def _records(release: Release, message: str) -> dict[Any, Any]:
    names = [name for name in release.messages if release.source(name) == release.source(message)]
    records = [definition for definition in map(release.definition, names) if definition.kind == "metadata"]
    return {record.api_key: (record.name, record.valid_versions) for record in records}


def _is_shared_name(name: str, claims: Claims, release: Release, base: Release) -> bool:
    is_batches = name == RECORD_BATCHES
    target = RecordsField() if is_batches else WireTypeTarget(primitive(name))
    is_offered = any(target.is_offered(claims, direction) for direction in DIRECTIONS)
    return is_offered and (not is_batches or reader_bounds(release.name) == reader_bounds(base.name))
