import json
from pathlib import Path

import pytest

from tests.helpers.public_names import public_names

COMMITTED = Path(__file__).parent / "public_names.json"


@pytest.mark.parametrize("part", public_names())
def test_public_names_are_those_of_the_committed_list(part: str) -> None:
    """A name that is gone breaks users, a new one is a promise, so either needs a line in the list and in CHANGELOG."""
    assert public_names()[part] == json.loads(COMMITTED.read_text(encoding="utf-8"))[part]
