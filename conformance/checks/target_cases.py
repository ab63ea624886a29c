"""What the cases have in common whose target is not a message body: a frame, a stored message, a wire type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from conformance.findings.violations import Case
from conformance.implementation.targets import Target

AnyTarget = TypeVar("AnyTarget", bound=Target)


@dataclass(frozen=True)
class TargetCase(Case, Generic[AnyTarget]):
    """A case of that target."""

    of: AnyTarget

    @property
    def target(self) -> AnyTarget:
        """The target."""
        return self.of


@dataclass(frozen=True)
class WireCase(TargetCase[AnyTarget]):
    """Bytes of that target, valid or not: the reference says which."""

    name: str
    data: bytes
    path: str = ""

    @property
    def wire(self) -> bytes:
        """The bytes."""
        return self.data
