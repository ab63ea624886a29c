"""The preparation of a campaign, with names and versions of implementations, the choice of cases, and the plan."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from conformance.campaign.inputs import fixed_blocks, kept_blocks, made_blocks
from conformance.campaign.pipeline.corpus import corpus_facts
from conformance.campaign.plan import MADE, MOVED, CampaignSubject, Parameters, Part, TaskBlock, parts
from conformance.codec.bridge.loading import load_codec
from conformance.codec.selection import offered, other_names, parse_selection, select, select_others
from conformance.judge.checks.check_list import offered_others
from conformance.targets import RECORD_BATCHES, RECORD_GROUPS, Claims
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.campaign.pipeline.storage import Storage
    from conformance.codec.bridge.isolation import DecodeLimits
    from reference import MessageSchema, Release


class BadCampaign(ConformanceError):
    """A campaign that cannot be run as requested, with the reason."""


class CampaignRequest(NamedTuple):
    """The user's request for a campaign, by the options of the command.

    Attributes:
        generated: the number of generated cases; 0 with a corpus.
        fixed: whether the deterministic cases of every run are tried as well.
        moves: whether generated cases are made by moves.
        is_night: whether only findings are kept.
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

    An implementation that is not loaded in time ends this process, as in `load_codec`.

    Raises:
        AdapterError: an implementation cannot be loaded.
        BadCampaign: no implementation has any of the messages, or the corpus is of another release.
        NotThisCorpus: the corpus is missing.
    """
    release = request.release
    implementations = [load_codec(impl, release).claims for impl in request.impls]
    selectors = parse_selection(request.messages)
    schemas, others = select(list(release.schemas()), selectors, other_names()), select_others(selectors)
    pairs = [frozenset((*map(str, offered(each, schemas)), *offered_others(each, others))) for each in implementations]
    facts = corpus_facts(request.corpus) if request.corpus else None
    blocks = [*_fixed(schemas, others)] if request.fixed else []
    if facts is None:
        blocks += made_blocks(schemas, request.generated, MOVED if request.moves else MADE)
    elif facts.release in {None, release.name}:
        blocks += kept_blocks(facts, schemas)
    else:
        raise BadCampaign(f"{request.corpus} is of release {facts.release}, not {release.name}: see --release")
    parameters = Parameters(
        release=release.name,
        subjects=_subjects(request.impls, implementations),
        cases=sum(block.rows for block in blocks),
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


def _fixed(schemas: Sequence[MessageSchema], others: Sequence[str]) -> Iterator[TaskBlock]:
    types = [name for name in others if name != RECORD_BATCHES]
    return fixed_blocks(schemas, [*types, *(RECORD_GROUPS if RECORD_BATCHES in others else ())])


def _subjects(impls: Sequence[str], implementations: Sequence[Claims]) -> tuple[CampaignSubject, ...]:
    """Label each by its own name, by that and its version if two share it, else as the user does."""
    names = [(each.name, f"{each.name} {each.version}") for each in implementations]
    counts = Counter(name for pair in names for name in pair)
    subjects: dict[str, CampaignSubject] = {}
    for impl, each, pair in zip(impls, implementations, names, strict=True):
        label = next((name for name in pair if counts[name] == 1), impl)
        if label in subjects:
            raise BadCampaign(f"two implementations are both {label}: name each once")
        subjects[label] = CampaignSubject(label, impl, each.spec, each.version)
    return tuple(subjects.values())
