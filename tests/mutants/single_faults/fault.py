"""What every family of single faults offers, and what is told of each fault."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """One step of a codec that is done wrong, or otherwise where the protocol leaves it open."""

    family: str
    name: str
    side: str
    about: str
    legal: bool = False


@dataclass(frozen=True)
class Seen:
    """What shows a fault; a text is the first rule or vector that did, and empty if none did."""

    differs: bool
    fixed: str
    generated: str
    vectors: str
    first: str
