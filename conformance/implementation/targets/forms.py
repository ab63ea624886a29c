"""The JSON forms of the contents that a harness was last asked to write.

It is asked for many ahead, and then for one after another; a content has one form, as nobody changes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference import to_json

if TYPE_CHECKING:
    from reference import MessageSchema

CONTENTS_KEPT = 128
"""Contents whose forms are kept: those that are asked ahead, and as many again."""


class LastForms:
    """Forms by content: the object, since to find an equal one takes longer than to make its form."""

    def __init__(self) -> None:
        self._forms: dict[int, tuple[MessageSchema, Any, Any]] = {}

    def of(self, schema: MessageSchema, content: Any) -> Any:
        """Return the form of a content; nobody may change either."""
        known = self._forms.get(id(content))
        if known is not None and known[0] is schema and known[1] is content:
            return known[2]
        form = to_json(schema, content)
        if len(self._forms) >= CONTENTS_KEPT:
            del self._forms[next(iter(self._forms))]
        self._forms[id(content)] = schema, content, form
        return form
