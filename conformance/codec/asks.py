"""What can be asked of an implementation: one call, as a value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from conformance.codec.outcome import Outcome
    from conformance.codec.targets import Target
    from conformance.codec.targets.target import Json

ENCODE: Final = "encode"
DECODE: Final = "decode"
SIZE: Final = "size"
HEADER: Final = "header-version"


class Ask(NamedTuple):
    """One call of an implementation.

    Attributes:
        what: `ENCODE`, `DECODE`, `SIZE` or `HEADER`.
        target: what is on the wire.
        content: a content of the target, or bytes.
        name: what the case calls the answer, if it is not its own; else empty.
        isolated: whether the bytes may be invalid: they are read where a crash costs one outcome.
        here: whether valid bytes are read in the process that writes, wherever others are.
        has_form: whether a request can carry the content; if not, it is written in this process.
        alike: what it has in common with others that may be deadly; empty: nothing.
    """

    what: str
    target: Target
    content: Any = None
    name: str = ""
    isolated: bool = False
    alike: str = ""
    here: bool = False
    has_form: bool = True

    @property
    def key(self) -> str:
        """The name of its answer."""
        return self.name or self.what


def has_form(rule: str) -> bool:
    """Return whether values that break a rule have a JSON form: they are of other types, or of fields there are not."""
    return not rule.startswith("value.")


def request_of(ask: Ask) -> Json:
    """Return the request of the bridge protocol."""
    if ask.what == DECODE:
        return ask.target.read_request(ask.content)
    if ask.what == HEADER:
        return ask.target.header_request()
    request = ask.target.write_request(ask.content)
    return {**request, "op": SIZE} if ask.what == SIZE else request


if TYPE_CHECKING:
    Answers = dict[str, Outcome]
    """The outcomes of what a case has asked so far, by `Ask.key`."""
