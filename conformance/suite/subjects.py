"""The subjects of a run of pytest, a codec or a server, and the parts of the suite that an adapter may lack."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from conformance.adapter import REPRESENTATIONS
from conformance.codec.selection import offered
from conformance.judge.case import NotAsked
from conformance.judge.checks.all_cases import case_from
from conformance.judge.checks.smaller_bytes import cut_hang
from conformance.judge.count_lines import UNASKED
from conformance.judge.subject import Subject
from conformance.live.server.black_box import server_pairs
from conformance.live.server.cleanup import clean_up
from conformance.live.server.exchanges import exchange_from
from conformance.live.server.preface import preface
from conformance.live.server.resending import check_found_exchange
from conformance.live.server.survival import unless_busy, until_lost
from conformance.live.server.tiers import Tier
from conformance.report.files.found_cases import check_found
from conformance.targets.outcome import Kind, Outcome
from reference.definitions.model import ranges_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from conformance.codec.corrections import Fault
    from conformance.codec.session import Session
    from conformance.judge.case import Case, Event, Violation
    from conformance.judge.forms import CaseForm
    from conformance.live.server.black_box import BlackBox
    from conformance.report.files.found_cases import FoundCase
    from conformance.targets import Claims
    from reference import MessageSchema, Release

MAXIMUM_LISTED = 6
"""The maximum number of messages listed with their unknown versions."""


class SuitePart(NamedTuple):
    """A part of the suite that an adapter may lack."""

    what: str
    why: str
    """The reason for not testing it, a gap of the adapter."""
    is_offered: Callable[[Claims], bool]


def _function(what: str, name: str) -> SuitePart:
    return SuitePart(what, f"no {name}", lambda claims: name in claims.functions)


def _capability(what: str, name: str, *functions: str) -> SuitePart:
    def is_offered(claims: Claims) -> bool:
        return name in claims.capabilities and claims.functions.issuperset(functions)

    return SuitePart(what, f"capability {name} not declared", is_offered)


PARTS = (
    _function("writing", "encode"),
    _function("reading", "decode"),
    _capability("unknown tags kept", "unknown-tags"),
    _capability("absent fields", "absent-fields", "encode"),
    _capability("partial values", "partial-values", "encode"),
    _function("sizes", "size"),
    _function("header versions", "header_version"),
    _function("writing frames", "encode_frame"),
    _function("reading frames", "decode_frame"),
    _function("writing prefixed messages", "encode_prefixed"),
    _function("reading prefixed messages", "decode_prefixed"),
    _function("writing metadata records", "encode_record"),
    _function("reading metadata records", "decode_record"),
    _function("writing wire types alone", "encode_primitive"),
    _function("reading wire types alone", "decode_primitive"),
    _function("writing record batches", "encode_records"),
    _function("reading record batches", "decode_records"),
)


def not_offered(claims: Claims) -> list[SuitePart]:
    """Return the parts without tests, as the adapter lacks them."""
    return [part for part in PARTS if not part.is_offered(claims)]


def versions_of_others(claims: Claims, release: Release) -> Iterator[tuple[str, str]]:
    """Yield a note on the versions named by `supported()` but missing in a release, which are not tried."""
    named: dict[str, list[int]] = {}
    known = {(schema.message, schema.version) for schema in release.schemas()}
    for message, version in sorted(claims.pairs() - known):
        named.setdefault(message, []).append(version)
    texts = [f"{message} {' '.join(map(str, ranges_of(those)))}" for message, those in named.items()]
    if texts:
        more = f", and {len(texts) - MAXIMUM_LISTED} more messages" if len(texts) > MAXIMUM_LISTED else ""
        listed = ", ".join(texts[:MAXIMUM_LISTED])
        yield "note", f"supported() names versions that {release.title} does not have: {listed}{more}"


def declared(claims: Claims) -> list[tuple[str, str]]:
    """Return the statements of an adapter, each a `representation`, `not-compared` or `note`, with a text."""
    names = [("representation", f"{name}: {REPRESENTATIONS[name]}") for name in sorted(claims.representations)]
    hidden = (
        [("not-compared", text) for text in claims.records.not_shown()] if "decode_records" in claims.functions else []
    )
    return (
        names
        + hidden
        + [("not-compared", text) for text in claims.hidden.texts]
        + [("note", note) for note in claims.notes]
    )


CODEC: Final = "codec"
SERVER: Final = "server"


class Tested(Subject):
    """The subject of the items of pytest, an implementation with a version in its own words, or a server."""

    name: str
    version: str

    @property
    def session(self) -> Session:
        """The session with a codec. A server raises `LookupError`."""
        raise LookupError("a check of a codec in a run of a server")

    @property
    def server(self) -> BlackBox:
        """The server and the frames sent to it. A codec raises `LookupError`."""
        raise LookupError("a check of a server in a run of a codec")

    @abstractmethod
    def again(self, found: FoundCase[Any]) -> Iterator[Event]:
        """Run a found case once more."""

    def not_offered(self) -> list[SuitePart]:
        """Return the missing parts of the suite."""
        return []

    def offers_any(self, parts: Iterable[str]) -> bool:
        """Return whether it offers one of some parts, by their names."""
        return not {*parts} <= {part.what for part in self.not_offered()}

    def offered(self, schemas: Iterable[MessageSchema]) -> list[MessageSchema]:  # noqa: ARG002  # a codec says so
        """Return those of some messages that it is known to have, whether or not the run selects them."""
        return []

    @property
    def knows_all(self) -> bool:
        """Whether `offered` lists all its messages."""
        return True

    def preface(self, schemas: Sequence[MessageSchema]) -> list[str]:  # noqa: ARG002  # a server is told
        """Return the frames to send to it, in words."""
        return []

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The mistakes of an adapter that show in every value."""
        return ()

    @property
    def is_called_here(self) -> bool:
        """Whether its code runs in this process."""
        return False

    def isolate_all(self) -> None:
        """Have the child process of a codec do everything from now on."""

    def shown(self, violation: Violation) -> Violation:
        """Return a violation with its case in the form for the end of an item."""
        return violation

    def clean_up(self) -> list[str]:
        """Remove the resources created by the run on a server that lives on, and return the results in sentences."""
        return []

    @abstractmethod
    def close(self) -> None:
        """End the processes started for the run."""


class CodecSubject(Tested):
    """A codec, by its adapter."""

    kind = CODEC

    def __init__(self, session: Session) -> None:
        self._session = session
        self.name, self.version = session.claims.name, session.claims.version
        self.impl, self.release = session.claims.spec, session.release

    @property
    def session(self) -> Session:
        return self._session

    @property
    def declared(self) -> list[tuple[str, str]]:
        claims = self.session.claims
        return [*declared(claims), *versions_of_others(claims, self.session.release)]

    def case_of(self, form: CaseForm) -> Case:
        return case_from(form, self.release)

    def again(self, found: FoundCase[Any]) -> Iterator[Event]:
        return check_found(self.session, found)

    def not_offered(self) -> list[SuitePart]:
        return not_offered(self.session.claims)

    def offered(self, schemas: Iterable[MessageSchema]) -> list[MessageSchema]:
        return offered(self.session.claims, schemas)

    @property
    def knows_all(self) -> bool:
        """As `Tested.knows_all`, but a harness names only messages of the run's release."""
        return not self.session.claims.is_over_bridge

    @property
    def faults(self) -> tuple[Fault, ...]:
        return self.session.mistakes.faults

    @property
    def is_called_here(self) -> bool:
        return not self.session.claims.is_over_bridge

    def isolate_all(self) -> None:
        self._session = replace(self._session, isolate_all=True)

    def shown(self, violation: Violation) -> Violation:
        """As `Tested.shown`, with a hang cut short."""
        return cut_hang(self.session, violation)

    def close(self) -> None:
        if self.session.child is not None:
            self.session.child.close()


class ServerSubject(Tested):
    """A server behind a port."""

    kind = SERVER

    def __init__(self, black_box: BlackBox, release: Release) -> None:
        self._black_box = black_box
        self.name, self.version, self.impl = black_box.name, black_box.version, black_box.place
        self.release, self.options = release, black_box.server.options

    @property
    def server(self) -> BlackBox:
        return self._black_box

    @property
    def declared(self) -> list[tuple[str, str]]:
        return [("note", note) for note in self.server.notes]

    def case_of(self, form: CaseForm) -> Case:
        return exchange_from(form)

    def again(self, found: FoundCase[Any]) -> Iterator[Event]:
        return asked(self.server, check_found_exchange(self.server, found.case), str(found))

    def preface(self, schemas: Sequence[MessageSchema]) -> list[str]:
        return [preface(self.server, server_pairs(self.server, schemas))]

    def clean_up(self) -> list[str]:
        """As `Tested.clean_up`, but the resources of a server started by the suite end with it."""
        black_box = self.server
        if black_box.started is not None or black_box.permission.tier is not Tier.THROW_AWAY:
            return []
        return clean_up(black_box.server)

    def close(self) -> None:
        self.server.close()


def asked(black_box: BlackBox, events: Iterable[Event], about: str) -> Iterator[Event]:
    """Yield the events of a check of a server, as long as it answers. `about` names a check left out."""
    if not black_box.lost:
        yield from unless_busy(about, until_lost(black_box, events))
    if black_box.lost:
        yield NotAsked("frame", about, Outcome(Kind.NOT_RUN, text=f"{UNASKED}{black_box.lost}"))
