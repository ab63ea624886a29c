"""The text of a file: its head pretty-printed, then each vector, and each API of header versions, on its own line.

One changed vector is one changed line, and every JSON parser reads it. The same document always gives the same bytes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = 1
VECTORS = "vectors"
GROUPS = "groups"
APIS = "apis"


def line_of(vector: Any) -> str:
    """Return one vector as it stands in a file, without the comma."""
    return json.dumps(vector, separators=(",", ":"))


def text_of(document: dict[str, Any]) -> str:
    """Return the canonical text of a document: of vectors, of header versions, or any other, pretty-printed."""
    for key in (GROUPS, APIS):
        if key in document:
            lines = _groups(document[key]) if key == GROUPS else map(line_of, document[key])
            head = {name: value for name, value in document.items() if name != key}
            opening = json.dumps(head, indent=2).removesuffix("\n}")
            return "".join((opening, f',\n  "{key}": [\n', ",\n".join(lines), "\n  ]\n}\n"))
    return json.dumps(document, indent=2) + "\n"


def _groups(groups: list[dict[str, Any]]) -> Iterator[str]:
    for group in groups:
        head = "".join(
            f"      {json.dumps(key)}: {json.dumps(value)},\n" for key, value in group.items() if key != VECTORS
        )
        lines = ",\n".join(map(line_of, group[VECTORS]))
        yield f'    {{\n{head}      "{VECTORS}": [\n{lines}\n      ]\n    }}'
