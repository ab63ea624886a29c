"""What is under test: a codec, a server, a client, or the frames of a capture."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from conformance.__about__ import __version__
from conformance.codec.selection import NOTHING_SHARED
from conformance.judge.blame.consequences import same_mistake
from conformance.judge.findings.causes import of_several, same_end, same_place, same_refusal
from conformance.judge.findings.lines import Run
from conformance.judge.findings.results import Results
from conformance.judge.findings.same_rules import same_rule
from conformance.judge.findings.violations import Violation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.codec.selection import Shared
    from conformance.judge.findings.forms import Broken, CaseForm
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.judge.findings.violations import Case
    from reference import Release

WAYS = (same_end, same_mistake, same_rule, of_several, same_refusal, same_place)
"""How causes are told from what follows from them, the surest way first."""


class Subject(ABC):
    """What is under test.

    Attributes:
        kind: its kind, as reports name it.
        impl: how it is named: an adapter, an address, a command, or a file.
        release: by whose definitions it is tested.
        options: those by which a replay reaches the same.
    """

    kind: ClassVar[Literal["codec", "server", "client", "capture"]]
    impl: str
    release: Release
    options: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Its name in a heading."""
        return self.impl

    @property
    def declared(self) -> list[tuple[str, str]]:
        """What it says of itself: the sort of each remark, and the text."""
        return []

    @abstractmethod
    def case_of(self, form: CaseForm) -> Case:
        """Return the case in a file, or of an event."""

    def about(self, **facts: Any) -> Run:
        """Return what a report says of it first; `facts` are those of its kind."""
        return Run(suite=__version__, kind=self.kind, impl=self.impl, release=self.release.name, **facts)

    def results(self, known_failures: Sequence[KnownFailure], shared: Shared = NOTHING_SHARED) -> Results:
        """Return where the results of a run of it are added up."""

        def read(event: Broken) -> Violation:
            return Violation.of(event, self.case_of(event))

        return Results(known_failures, read, self.declared, WAYS, shared)
