"""The subject under test.

It is a codec, a server, a client, or the frames of a capture.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from conformance import __version__
from conformance.codec.selection import NOTHING_SHARED
from conformance.judge.blame.consequences import same_mistake
from conformance.judge.blame.lenient_codecs import same_leniency
from conformance.judge.blame.reasons import (
    other_range,
    own_words,
    read_back,
    same_null,
    same_refused_field,
    without_codecs,
)
from conformance.judge.blame.same_words import same_words
from conformance.judge.case import Violation
from conformance.judge.findings.lines import Run
from conformance.judge.findings.results import Results

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.codec.selection import Shared
    from conformance.judge.case import Case
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.judge.forms import Broken, CaseForm
    from reference import Release

WAYS = (
    same_mistake,
    same_leniency,
    same_refused_field,
    other_range,
    same_null,
    own_words,
    same_words,
    without_codecs,
    read_back,
)
"""The ways to find the cause of a finding, the surest way first."""


class Subject(ABC):
    """The implementation or capture under test.

    Attributes:
        kind: its kind, as reports name it.
        impl: its name: an adapter, an address, a command, or a file.
        release: the release of its definitions.
        options: the options of a replay under the same conditions.
    """

    kind: ClassVar[Literal["codec", "server", "client", "capture"]]
    impl: str
    release: Release
    options: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name in a heading."""
        return self.impl

    @property
    def declared(self) -> list[tuple[str, str]]:
        """The remarks of the subject on itself, as (kind of the remark, text)."""
        return []

    @abstractmethod
    def case_of(self, form: CaseForm) -> Case:
        """Return the case of a form, read from a file or an event."""

    def about(self, **facts: Any) -> Run:
        """Return the first line of a report, with further `facts` of this kind of subject."""
        facts = {"implementation": self.title, **facts}
        return Run(suite=__version__, kind=self.kind, impl=self.impl, release=self.release.name, **facts)

    def results(self, known_failures: Sequence[KnownFailure], shared: Shared = NOTHING_SHARED) -> Results:
        """Return empty results for a run of this subject."""

        def read(event: Broken) -> Violation:
            return Violation.of(event, self.case_of(event))

        return Results(known_failures, read, self.declared, WAYS, shared)
