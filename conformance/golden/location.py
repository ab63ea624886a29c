"""Where the vectors are that belong to this suite: beside the definitions, in a checkout and in an installed wheel."""

from __future__ import annotations

from pathlib import Path

import specs

VECTORS = "vectors"


def committed_vectors() -> Path:
    """The folder of the vectors; it need not be there."""
    return Path(specs.__path__[0]).parent / VECTORS
