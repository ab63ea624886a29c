"""The text of a file: its head pretty-printed, then each vector, API or file of a release on its own line.

One changed vector is one changed line, and every JSON parser reads it. The same document always gives the same bytes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FORMAT = 1
HEAD = {"format": FORMAT, "project": "kafka-wire-conformance"}
"""The first members of every document: a file that was copied alone says where it is from."""
VECTORS = "vectors"
GROUPS = "groups"
APIS = "apis"
TAKEN = "taken"


def line_of(vector: Any) -> str:
    """Return one vector as it stands in a file, without the comma."""
    return json.dumps(vector, separators=(",", ":"))


def text_of(document: dict[str, Any]) -> str:
    """Return the canonical text of a document: of vectors, header versions, releases, or any other, pretty-printed."""
    for key, (begin, lines_of, end) in _LINES.items():
        if key in document:
            lines = lines_of(document[key])
            head = {name: value for name, value in document.items() if name != key}
            opening = json.dumps(head, indent=2).removesuffix("\n}")
            return "".join((opening, f',\n  "{key}": {begin}\n', ",\n".join(lines), f"\n  {end}\n}}\n"))
    return json.dumps(document, indent=2) + "\n"


def _groups(groups: list[dict[str, Any]]) -> Iterator[str]:
    for group in groups:
        head = "".join(
            f"      {json.dumps(key)}: {json.dumps(value)},\n" for key, value in group.items() if key != VECTORS
        )
        lines = ",\n".join(map(line_of, group[VECTORS]))
        yield f'    {{\n{head}      "{VECTORS}": [\n{lines}\n      ]\n    }}'


def _apis(apis: list[Any]) -> Iterator[str]:
    return map(line_of, apis)


def _taken(releases: dict[str, dict[str, list[int]]]) -> Iterator[str]:
    for release, files in releases.items():
        lines = ",\n".join(f"{line_of(path)}:{line_of(versions)}" for path, versions in files.items())
        yield f"    {line_of(release)}: {{\n{lines}\n    }}"


_LINES: dict[str, tuple[str, Callable[[Any], Iterator[str]], str]] = {
    GROUPS: ("[", _groups, "]"),
    APIS: ("[", _apis, "]"),
    TAKEN: ("{", _taken, "}"),
}
"""The member of a document that is written line by line, with its brackets."""
