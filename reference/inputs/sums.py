"""The SHA-256 of each file of a folder, in a file that `sha256sum --check` reads.

Folders of the user's cache have it. A changed or cut file is not believed later.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from reference.inputs.errors import BadInput
from reference.inputs.files import read_bytes, read_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SUMS = "SHA256SUMS"


def sums_of(contents: Mapping[str, bytes]) -> str:
    """Return the text of the file for the contents of the others, by name."""
    return "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(contents.items()))


def misfit(folder: Path) -> str:
    """Return the first difference of a folder from its sums, such as `A.json is not as it was written`.

    It is empty without a difference, and for a missing folder.
    """
    if not folder.is_dir():
        return ""
    try:
        contents = {path.name: read_bytes(path) for path in sorted(folder.iterdir()) if path.name != SUMS}
        sums = read_text(folder / SUMS)
    except FileNotFoundError:
        return f"{SUMS} is missing"
    except (OSError, BadInput) as error:
        return str(error)
    return "" if sums == sums_of(contents) else _difference(set(sums.splitlines()), contents)


def _difference(sums: set[str], contents: Mapping[str, bytes]) -> str:
    changed = [name for name in contents if sums_of({name: contents[name]}).rstrip() not in sums]
    missing = sorted(line.partition("  ")[2] for line in sums if line.partition("  ")[2] not in contents)
    named = changed or missing
    return f"{named[0] if named else SUMS} is {'missing' if missing and not changed else 'not as it was written'}"
