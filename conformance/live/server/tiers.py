"""Tiers of permitted requests, from read-only ones to those that may end the server, by the facts of `tiers.toml`.

On many servers a Metadata request for an unknown topic creates it. Values from the table prevent that. Versions without
a field for it name no topics, or, in the tier `throw-away`, topics of the suite.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from conformance.generate.value_paths import with_field
from conformance.targets.declared_limits import UNLIMITED, DeclaredLimits
from reference.inputs.toml_text import packaged_toml

if TYPE_CHECKING:
    from collections.abc import Iterable

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
        """The effect of a run of the tier."""
        text: str = _FACTS[self]["about"]
        return text


class RequestForm(StrEnum):
    """The permitted form of an API's requests."""

    NONE = "none"
    MINIMAL = "minimal"
    ANY = "any"


@dataclass(frozen=True)
class Permission:
    """The permitted requests of a run.

    Attributes:
        allowed: the APIs allowed by options of their own.
        largest: the largest frame size, in bytes, to announce without sending the frame; 0 for none.
        limits: declared limits of the server; it may refuse more.
    """

    tier: Tier = Tier.READ_ONLY
    allowed: frozenset[str] = frozenset()
    largest: int = 0
    limits: DeclaredLimits = UNLIMITED

    def form(self, api: str) -> RequestForm:
        """Return the permitted form of requests of an API, such as `Metadata`."""
        if api in NEVER and api not in self.allowed:
            return RequestForm.NONE
        if self.tier is Tier.THROW_AWAY or api in _FACTS[Tier.READ_ONLY]["apis"]:
            return RequestForm.ANY
        is_minimal = self.tier is Tier.NO_OP and api in _FACTS[Tier.NO_OP]["minimal"]
        return RequestForm.MINIMAL if is_minimal else RequestForm.NONE

    def restricted(self, api: str, value: dict[str, Any]) -> dict[str, Any]:
        """Return a value with the harmless values of the table."""
        for path, harmless in _FACTS["values"].get(api, {}).items():
            value = with_field(value, path, harmless)
        for preventing, naming in _CREATING.get(api, {}).items():
            if preventing not in value and self.tier is not Tier.THROW_AWAY:
                value = {**value, naming: []}
        return value

    def names_ours(self, api: str) -> bool:
        """Return whether requests of an API may name only resources of the suite, as they may change or create them."""
        is_asking = api in _FACTS[Tier.READ_ONLY]["apis"] and api not in _CREATING
        return self.tier is Tier.THROW_AWAY and not is_asking

    def left_out(self, apis: Iterable[str]) -> list[str]:
        """Return the APIs without permitted requests."""
        return sorted(api for api in apis if self.form(api) is RequestForm.NONE)
