"""The SHA-256 of each file of a folder of the user's cache, in a file that `sha256sum --check` reads.

A changed or cut file is not believed later.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from reference.inputs.errors import BadInput
from reference.inputs.files import opened, read_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SUMS = "SHA256SUMS"


def sums_of(contents: Mapping[str, bytes]) -> str:
    """Return the text of the file for the contents of the others, by name."""
    return _text({name: hashlib.sha256(content).hexdigest() for name, content in contents.items()})


def sums_in(folder: Path) -> str:
    """Return the text of the file for the others in a folder, or raise BadInput for an irregular file, or OSError."""
    hashes = {}
    for path in folder.iterdir():
        if path.name != SUMS:
            with opened(path) as file:
                hashes[path.name] = hashlib.file_digest(file, "sha256").hexdigest()
    return _text(hashes)


def _text(hashes: Mapping[str, str]) -> str:
    return "".join(f"{sha256}  {name}\n" for name, sha256 in sorted(hashes.items()))


def misfit(folder: Path) -> str:
    """Return the first difference of a folder from its sums, as `A.json is not as it was written`, or empty text."""
    # a missing folder has none
    if not folder.is_dir():
        return ""
    try:
        written, present = read_text(folder / SUMS), sums_in(folder)
    except FileNotFoundError:
        return f"{SUMS} is missing"
    except (OSError, BadInput) as error:
        return str(error)
    if written == present:
        return ""
    names = [_name(line) for line in present.splitlines() if line not in written.splitlines()]
    missing = {_name(line) for line in written.splitlines()} - {_name(line) for line in present.splitlines()}
    if names:
        return f"{names[0]} is not as it was written"
    return f"{min(missing, default=SUMS)} is {'missing' if missing else 'not as it was written'}"


def _name(line: str) -> str:
    return line.partition("  ")[2]
