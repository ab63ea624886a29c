"""What may be sent to a server: tiers, from what only asks to what may end it. `tiers.toml` has the facts.

Metadata with a topic that does not exist creates it where a server does so on its own. The values that the table puts
in prevent it; versions that cannot prevent it name no topics, or, in the tier `throw-away`, such as are ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from conformance.codec.declared_limits import UNLIMITED, DeclaredLimits
from conformance.live.server.cleanup import replaced
from reference.inputs.toml_text import packaged_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_FACTS: dict[str, Any] = packaged_toml("conformance.live.server", "tiers.toml")
_CREATING: dict[str, dict[str, str]] = _FACTS["names-nothing-without"]
NEVER = frozenset(_FACTS["never"]["apis"])
MAY_BE_SILENT = frozenset(_FACTS["may-be-silent"]["apis"])


class Tier(StrEnum):
    """The tiers, each with those before it."""

    READ_ONLY = "read-only"
    NO_OP = "no-op"
    THROW_AWAY = "throw-away"

    @property
    def about(self) -> str:
        """What a run of the tier does."""
        text: str = _FACTS[self]["about"]
        return text


class RequestForm(StrEnum):
    """In which form requests of an API may be sent."""

    NONE = "none"
    MINIMAL = "minimal"
    ANY = "any"


@dataclass(frozen=True)
class Permission:
    """What a run may send.

    Attributes:
        tier: how far it goes.
        allowed: the APIs that need an option of their own and have it.
        largest: bytes of the largest size that may be announced without being sent; 0: none may.
        limits: of the server's own, beyond which it may refuse.
    """

    tier: Tier = Tier.READ_ONLY
    allowed: frozenset[str] = frozenset()
    largest: int = 0
    limits: DeclaredLimits = UNLIMITED

    def form(self, api: str) -> RequestForm:
        """Return in which form requests of an API, as `Metadata`, may be sent."""
        if api in NEVER and api not in self.allowed:
            return RequestForm.NONE
        if self.tier is Tier.THROW_AWAY or api in _FACTS[Tier.READ_ONLY]["apis"]:
            return RequestForm.ANY
        is_minimal = self.tier is Tier.NO_OP and api in _FACTS[Tier.NO_OP]["minimal"]
        return RequestForm.MINIMAL if is_minimal else RequestForm.NONE

    def restricted(self, api: str, value: dict[str, Any]) -> dict[str, Any]:
        """Return a value with what the table puts in."""
        for path, harmless in _FACTS["values"].get(api, {}).items():
            value = replaced(value, path.split("."), _always(harmless))
        for preventing, naming in _CREATING.get(api, {}).items():
            if preventing not in value and self.tier is not Tier.THROW_AWAY:
                value = {**value, naming: []}
        return value

    def names_ours(self, api: str) -> bool:
        """Return whether requests of an API may name nothing but what is ours: they may change or create it."""
        is_asking = api in _FACTS[Tier.READ_ONLY]["apis"] and api not in _CREATING
        return self.tier is Tier.THROW_AWAY and not is_asking

    def left_out(self, apis: Iterable[str]) -> list[str]:
        """Return the APIs of which nothing is sent."""
        return sorted(api for api in apis if self.form(api) is RequestForm.NONE)


def _always(harmless: Any) -> Callable[[Any], Any]:
    """Return what puts a value in the place of any other."""
    return lambda _: harmless
