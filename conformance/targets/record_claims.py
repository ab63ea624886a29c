"""The member `records` of an adapter, with an implementation's claims about record batches.

Each word has a list of values; the first is the default. Parts hidden by an implementation are not compared. The
summary lists them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from reference.records.batch import FIELDS as BATCH_FIELDS
from reference.records.compression import NAMES as CODECS
from reference.records.message_set import FIELDS as MESSAGE_FIELDS
from reference.records.record import FIELDS as RECORD_FIELDS
from reference.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping

HIDEABLE = tuple(
    name
    for name in dict.fromkeys((*BATCH_FIELDS, *RECORD_FIELDS, *MESSAGE_FIELDS[1]))
    if name not in {"magic", "records", "headers", "key", "value"}
)
"""The members of a value that an implementation may hide."""

WORDS = {
    "reader": ("consumer", "broker"),
    "check-crc": ("always", "option", "never"),
    "legacy-message-sets": ("write", "read", "no"),
    "wrapped-messages": ("kept", "delivered", "unwrapped"),
    "partial-tail": ("kept", "dropped"),
    "headers": ("ordered-list", "map"),
    "values": ("shown", "hidden"),
    "batches": ("kept", "flattened"),
    "control": ("shown", "skipped"),
    "empty-batches": ("shown", "dropped"),
    "log-append-deltas": ("shown", "hidden"),
    "leader-epoch": ("written", "own"),
}
"""The words with one value each; the README of the package explains them."""

LISTS = {"codecs": CODECS, "hidden": HIDEABLE}
"""The words with a list: its codecs (default: all), and its hidden members (default: none)."""


class BadClaim(ValueError):
    """A word, or its value, is unknown."""


@dataclass(frozen=True)
class RecordsClaims:
    """The claims of an implementation.

    Each attribute is a word, with underscores for its hyphens.
    """

    reader: str = "consumer"
    check_crc: str = "always"
    legacy_message_sets: str = "write"
    wrapped_messages: str = "kept"
    partial_tail: str = "kept"
    headers: str = "ordered-list"
    values: str = "shown"
    batches: str = "kept"
    control: str = "shown"
    empty_batches: str = "shown"
    log_append_deltas: str = "shown"
    leader_epoch: str = "written"
    codecs: tuple[str, ...] = CODECS
    hidden: frozenset[str] = frozenset()

    @classmethod
    def of(cls, words: Mapping[str, Any]) -> RecordsClaims:
        """Return the claims in the member `records` of an adapter.

        Raises:
            BadClaim: a word or a value is unknown; the text lists the known ones.
        """
        return cls(**{name.replace("-", "_"): _checked(name, value) for name, value in words.items()})

    @property
    def checks_crc(self) -> bool:
        """Whether it compares CRCs on request."""
        return self.check_crc != "never"

    def as_words(self) -> dict[str, Any]:
        """Return the words that differ from the defaults, as an adapter states them."""
        given = {field.name.replace("_", "-"): getattr(self, field.name) for field in fields(self)}
        listed = {name: sorted(value) if isinstance(value, frozenset) else value for name, value in given.items()}
        words = {name: list(value) if isinstance(value, tuple) else value for name, value in listed.items()}
        return {name: value for name, value in words.items() if value != _DEFAULTS[name]}

    def not_shown(self) -> list[str]:
        """Return the words with other values than their defaults, and the hidden members.

        They are not compared, and are for the summary.
        """
        words = [f"{word}: {value}" for word, value in self.as_words().items() if word in WORDS]
        codecs = [name for name in CODECS if name not in self.codecs]
        hidden = [f"hidden: {', '.join(sorted(self.hidden))}"] if self.hidden else []
        return words + ([f"no codec {', '.join(codecs)}"] if codecs else []) + hidden


_DEFAULTS = {word: values[0] for word, values in WORDS.items()} | {"codecs": list(CODECS), "hidden": []}


EVERY_RECORD = RecordsClaims()
"""The claims of an implementation without hidden parts."""


def _checked(name: str, value: Any) -> Any:
    if name in WORDS:
        if value not in WORDS[name]:
            raise BadClaim(f"{name!r} is {value!r}; there are {', '.join(WORDS[name])}")
        return value
    if name not in LISTS:
        hint = suggestion(str(name), (*WORDS, *LISTS), f"there are {', '.join((*WORDS, *LISTS))}")
        raise BadClaim(f"{name!r} means nothing; {hint}")
    if isinstance(value, str) or not all(item in LISTS[name] for item in value):
        raise BadClaim(f"{name!r} is {value!r}, not a list of some of: {', '.join(LISTS[name])}")
    return frozenset(value) if name == "hidden" else tuple(value)
