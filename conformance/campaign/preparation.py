"""The preparation of a campaign.

It loads the implementations for their names and versions, selects the cases, and makes the plan.
"""

from __future__ import annotations

import signal
import threading
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from conformance.adapter import AdapterError
from conformance.campaign.inputs import fixed_blocks, kept_blocks, made_blocks
from conformance.campaign.pipeline.corpus import corpus_facts
from conformance.campaign.plan import MADE, MOVED, CampaignSubject, Parameters, Part, TaskBlock, parts
from conformance.codec.bridge.loading import load_adapter
from conformance.codec.driver import Implementation
from conformance.codec.selection import offered, other_names, parse_selection, select, select_others
from conformance.codec.targets import RECORD_BATCHES
from conformance.generate.records.records_edges import GROUPS
from conformance.judge.checks.check_list import offered_others
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.campaign.pipeline.corpus import CorpusFacts
    from conformance.campaign.pipeline.storage import Storage
    from conformance.codec.bridge.isolation import DecodeLimits
    from conformance.codec.loaded_adapter import LoadedAdapter
    from conformance.system.time_limits import TimeLimit
    from reference import MessageSchema, Release


class BadCampaign(ConformanceError):
    """A campaign that cannot be run as requested, with the reason."""


class CampaignRequest(NamedTuple):
    """The user's request for a campaign.

    Attributes:
        impls: the implementations, as for `--impl`.
        release: the definitions.
        generated: the number of generated cases; 0 with a corpus.
        seed: the seed of the generated cases.
        corpus: the place of the corpus, or None.
        fixed: whether the deterministic cases of every run are tried as well.
        moves: whether generated cases are made by moves.
        is_night: whether only findings are kept, and parts are short.
        messages: the selected messages, as for `--messages`.
        limits: the limits of one decode.
    """

    impls: Sequence[str]
    release: Release
    generated: int
    seed: str
    corpus: Storage | None
    fixed: bool
    messages: tuple[str, ...]
    limits: DecodeLimits
    moves: bool = False
    is_night: bool = False


class Campaign(NamedTuple):
    """A campaign ready to run."""

    parameters: Parameters
    parts: tuple[Part, ...]


def prepared(request: CampaignRequest) -> Campaign:
    """Load every implementation once, and plan the work.

    Raises:
        AdapterError: an implementation cannot be loaded.
        BadCampaign: no implementation has any of the messages.
        NotThisCorpus: the corpus is missing, or of another release.
    """
    release = request.release
    implementations = [Implementation(_loaded(impl, release)) for impl in request.impls]
    selectors = parse_selection(request.messages)
    schemas, others = select(list(release.schemas()), selectors, other_names()), select_others(selectors)
    pairs = [frozenset((*map(str, offered(each, schemas)), *offered_others(each, others))) for each in implementations]
    facts = corpus_facts(request.corpus) if request.corpus else None
    blocks, cases = _blocks(request, schemas, others, facts)
    parameters = Parameters(
        release=release.name,
        subjects=_subjects(request.impls, implementations),
        cases=cases,
        seed="" if facts else request.seed,
        corpus=str(request.corpus or ""),
        corpus_hash=facts.hash if facts else "",
        fixed=request.fixed,
        moves=request.moves,
        messages=tuple(request.messages),
        memory=request.limits.memory,
        deadline=request.limits.deadline,
        folder=str(Path.cwd()),  # workers have another current folder, and import adapters from this one
        definitions=release.digest,
        keeps_rows=not request.is_night,
    )
    planned = parts(parameters, blocks, pairs)
    if not planned:
        raise BadCampaign("no implementation has any of these messages in a version that there are cases of")
    return Campaign(parameters, planned)


def _loaded(impl: str, release: Release) -> LoadedAdapter:
    """Load an implementation.

    One that takes too long is an error in the main thread. In another thread it ends the process.

    Raises:
        AdapterError: it cannot be loaded, or takes too long.
    """
    main, words = threading.main_thread(), list[str]()

    def interrupt(*_: object) -> None:
        raise AdapterError(impl, f"loading it takes longer than {words[0]}", "See what it waits for")

    def late(limit: TimeLimit) -> None:
        words.append(str(limit))
        signal.pthread_kill(main.ident or 0, signal.SIGALRM)

    if not hasattr(signal, "pthread_kill") or threading.current_thread() is not main:
        return load_adapter(impl, release)
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        return load_adapter(impl, release, late=late)
    finally:
        signal.signal(signal.SIGALRM, before)


def _blocks(
    request: CampaignRequest, schemas: Sequence[MessageSchema], others: Sequence[str], facts: CorpusFacts | None
) -> tuple[list[TaskBlock], int]:
    """Return all blocks, and the number of cases besides fixed ones."""
    types = [name for name in others if name != RECORD_BATCHES]
    groups = GROUPS if RECORD_BATCHES in others else ()
    fixed = list(fixed_blocks(schemas, [*types, *groups])) if request.fixed else []
    if facts is None:
        kind = MOVED if request.moves else MADE
        return [*fixed, *made_blocks(schemas, request.generated, kind)], request.generated
    if facts.release not in {None, request.release.name}:
        raise BadCampaign(f"{request.corpus} is of release {facts.release}, not {request.release.name}: see --release")
    kept = list(kept_blocks(facts, schemas))
    return [*fixed, *kept], sum(block.rows for block in kept)


def _subjects(impls: Sequence[str], implementations: Sequence[Implementation]) -> tuple[CampaignSubject, ...]:
    """Return the implementations with unique labels.

    A label is the implementation's own name. If two share it, it has the version too, or is the name given by the user.
    """
    names = Counter(each.name for each in implementations)
    whole = [f"{each.name} {each.version}" for each in implementations]
    labels = [
        each.name if names[each.name] == 1 else long if whole.count(long) == 1 else impl
        for each, long, impl in zip(implementations, whole, impls, strict=True)
    ]
    twice = [label for label, count in Counter(labels).items() if count > 1]
    if twice:
        raise BadCampaign(f"two implementations are both {twice[0]}: name each once")
    return tuple(
        CampaignSubject(label, impl, each.adapter.spec, each.version)
        for label, impl, each in zip(labels, impls, implementations, strict=True)
    )
