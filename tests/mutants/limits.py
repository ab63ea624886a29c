"""Readers with limits that they do not declare."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from conformance.adapter import Decoded
from conformance.codec.session import Session
from conformance.judge.checks.size_cases import limit_cases, limited
from conformance.judge.engine import run
from reference import TAGS, MessageSchema
from reference.errors import Malformed
from tests.mutants.mutant import Mutant

if TYPE_CHECKING:
    from conformance.judge.findings.trials import Event

MOST_TAGS, MOST_BYTES = 64, 1 << 16


class LimitMutant(Mutant):
    """A codec that refuses what is beyond its limits; those alone are looked for."""

    def parse(self, schema: MessageSchema, data: bytes) -> Decoded:
        read = super().parse(schema, data)
        tags = read.value.get(TAGS, ())
        if (self.name == "few-tags" and len(tags) > MOST_TAGS) or any(len(content) > MOST_BYTES for _, content in tags):
            raise Malformed("tag.size-within-input", None, 0, TAGS)
        return read

    def check(self, session: Session) -> Iterator["Event"]:
        """What comes of the limits of its messages."""
        for schema in limited(session, self.schemas()):
            yield from run(session, limit_cases(session, schema))


MUTANTS = (
    LimitMutant("few-tags", "limit.declared", "MetadataRequest-v12"),
    LimitMutant("small-tags", "limit.declared", "FetchRequest-v17"),
)
"""Every mutant with limits."""
