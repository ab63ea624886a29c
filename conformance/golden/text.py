"""The text of a file: its head pretty-printed, then each vector on a line of its own.

One changed vector is one changed line, and every language's JSON parser reads it. The same document gives the same
bytes, for nothing here has an order but the one in which the document was made.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = 1
VECTORS = "vectors"
GROUPS = "groups"


def line_of(vector: Any) -> str:
    """One vector, as it stands in a file, without the comma."""
    return json.dumps(vector, separators=(",", ":"))


def text_of(document: dict[str, Any]) -> str:
    """The canonical text of a document of groups, or of any other one."""
    if GROUPS not in document:
        return json.dumps(document, indent=2) + "\n"
    head = {key: value for key, value in document.items() if key != GROUPS}
    opening = json.dumps(head, indent=2).removesuffix("\n}")
    return "".join((opening, f',\n  "{GROUPS}": [\n', ",\n".join(_groups(document[GROUPS])), "\n  ]\n}\n"))


def _groups(groups: list[dict[str, Any]]) -> Iterator[str]:
    for group in groups:
        head = "".join(
            f"      {json.dumps(key)}: {json.dumps(value)},\n" for key, value in group.items() if key != VECTORS
        )
        lines = ",\n".join(map(line_of, group[VECTORS]))
        yield f'    {{\n{head}      "{VECTORS}": [\n{lines}\n      ]\n    }}'
