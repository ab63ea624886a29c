"""Names of vectors: what varies, in lower case, with hyphens.

`Topics[0].Name=null` is `topics-0-name-null`. A name never holds a running number over all cases: a case that is added
must not rename those behind it.
"""

from __future__ import annotations

import re

_WORD_BEGINS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NEGATIVE = re.compile(r"(?:^|(?<==))-(?=[0-9])")
_BETWEEN = re.compile(r"[^a-z0-9]+")


def slug(*parts: str) -> str:
    """The parts as one name.

    >>> slug("Topics[0].LeaderEpoch", "-1")
    'topics-0-leader-epoch-minus-1'
    """
    words = (_WORD_BEGINS.sub("-", _NEGATIVE.sub("minus-", part)) for part in parts if part)
    return _BETWEEN.sub("-", "-".join(words).lower()).strip("-")
