"""Where vectors are: the folder of those that belong to this suite, and the place of a message in a tree of them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import specs
from reference import load_release
from reference.release import PROPOSED

VECTORS = "vectors"


def committed_vectors() -> Path:
    """The folder of the vectors, beside the definitions in a checkout and in a wheel; it need not be there."""
    return Path(specs.__path__[0]).parent / VECTORS


class Home(NamedTuple):
    """What a file of vectors is about."""

    release: str
    """A release or a proposal."""
    section: str
    """messages, headers, frames, or stored."""
    message: str

    @property
    def path(self) -> str:
        """The file's path in a tree: `4.3.0/messages/FetchRequest.json`, `proposals/kip-625/messages/...`."""
        folder = f"{PROPOSED}/{self.release}" if load_release(self.release).proposed else self.release
        return f"{folder}/{self.section}/{self.message}.json"


def home_of(path: str) -> Home:
    """The inverse of `Home.path`.

    Raises:
        ValueError: it is no path of a file about a message.
    """
    release, section, message = path.removeprefix(f"{PROPOSED}/").removesuffix(".json").split("/")
    return Home(release, section, message)
