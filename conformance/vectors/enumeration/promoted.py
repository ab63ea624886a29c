"""Found cases promoted to golden vectors.

promoted.json lists them, and every build of the vectors adds them. The id of a promoted vector is made of the broken
rule and of its bytes: it stays the same for ever.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from conformance.system.whole_files import write_text
from conformance.vectors.enumeration.pairs import releases_with_vectors
from conformance.vectors.enumeration.vector import VectorBytes, slug
from conformance.vectors.flags import flags
from reference.errors import ConformanceError
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.resources.abc import Traversable

    from conformance.judge.forms import FoundForm

FORMAT = 1
NAME = "promoted.json"
DIGITS = 8
LONGEST = 8192
"""The limit of the bytes of a vector."""


class NotPromoted(ConformanceError):
    """A case unfit as a vector, with the reason in the text."""


class Promoted(NamedTuple):
    """One entry of promoted.json.

    Attributes:
        release: the release or proposal with the vectors of the pair.
        message: the message.
        version: its version.
        rule: the broken rule.
        wire: the bytes, in hex.
        found: the implementation with the failure, and its version.
    """

    release: str
    message: str
    version: int
    rule: str
    wire: str
    found: str

    @property
    def id(self) -> str:
        """The id of the vector in its group."""
        return slug("promoted", self.rule, hashlib.sha256(bytes.fromhex(self.wire)).hexdigest()[:DIGITS])

    @property
    def flag(self) -> str:
        """The first flag about the rule.

        Raises:
            NotPromoted: there is none.
        """
        for name, flag in flags().items():
            if self.rule in flag.rules:
                return name
        raise NotPromoted(f"no flag of the vectors is about {self.rule}: {self.message}-v{self.version}")


@cache  # opening an archive reads its list of files
def promoted_file() -> Traversable:
    """Return the file of the entries.

    It may be in an archive, which is read-only.
    """
    return files("conformance.vectors") / NAME


def promoted() -> list[Promoted]:
    """Return all entries."""
    return list(_entries(promoted_file()))  # type: ignore[arg-type]  # paths are hashable, in archives too


@cache
def _entries(file: Traversable) -> tuple[Promoted, ...]:
    document = parse_json(file.read_bytes(), file.name)
    return tuple(Promoted(**entry) for entry in document["vectors"])


def promoted_cases(release: str, message: str, version: int) -> Iterator[VectorBytes]:
    """Yield the cases of a pair."""
    for entry in promoted():
        if entry[:3] == (release, message, version):
            yield VectorBytes(entry.id, bytes.fromhex(entry.wire), (entry.flag,))


def promoted_of(case: FoundForm) -> Promoted:
    """Return the entry of a found case, from the form in its file.

    The case must be about a message body, and have bytes.

    Raises:
        NotPromoted: it is of another kind, too long, or of a message without vectors.
    """
    place = f"{case.message}-v{case.version}"
    if not case.wire or case.kind not in KINDS:
        raise NotPromoted(f"{place}: a case of kind {case.kind} has no bytes of a message that a vector could hold")
    if len(case.wire) > 2 * LONGEST:
        raise NotPromoted(f"{place}: {len(case.wire) // 2} bytes, and no vector has more than {LONGEST}")
    homes = list(releases_with_vectors(case.release, case.message, case.version))
    if not homes:
        raise NotPromoted(f"{place} of {case.release} has no vectors in any release")
    run = case.run
    version = run.get("implementation_version", run.get("version", ""))
    found = f"{run.get('implementation', run.get('impl', ''))} {version}".strip()
    entry = Promoted(homes[0], case.message, case.version, case.rule, case.wire, found)
    entry.flag  # noqa: B018  # raises if there is none
    return entry


KINDS = frozenset(("value", "hostile-bytes", "invalid-bytes"))


def add_promoted(entries: Iterable[Promoted]) -> list[Promoted]:
    """Add entries to promoted.json, and return the new ones."""
    present = promoted()
    new = [entry for entry in dict.fromkeys(entries) if entry[:5] not in {each[:5] for each in present}]
    ordered = sorted([*present, *new])
    document = {"format": FORMAT, "vectors": [entry._asdict() for entry in ordered]}
    write_text(Path(str(promoted_file())), json.dumps(document, indent=1) + "\n")
    _entries.cache_clear()
    return new
