"""Check that nothing else reads JSON or TOML.

Each other use of a library is listed here, with its reason.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
CALL = re.compile(
    r"json\.(?:loads?|JSONDecoder)\(|tomllib\.loads?\(|tomlkit\.(?:parse|loads?|load)\(|msgspec\.json\.Decoder\("
)
COPY = "json.loads(json.dumps("
"""A copy of a document in plain types."""

OTHERS = {
    "conformance/judge/blame/consequences.py": "the value of a violation of this run",
    "conformance/judge/blame/lenient_codecs.py": "the value of a violation of this run",
    "conformance/codec/bridge/hangs.py": "the journal of this run",
    "conformance/codec/bridge/bridge_json.py": "lines of the bridge: by a faster library, bounded by the transport",
    "conformance/codec/bridge/transcript.py": "lines of a harness, any of which may be no JSON",
    "conformance/campaign/folder.py": "a row that a worker has written",
    "conformance/campaign/vectors.py": "a row that a worker has written",
    "conformance/suite/item_forks.py": "what a fork of this process has written",
    "conformance/live/server/suspects.py": "a file that a worker of this run has written",
    "conformance/definitions/book.py": "cells of the book, which has NaN and Infinity",
    "conformance/judge/findings/ratchet_update.py": "a text that the reader of TOML has read before",
    "conformance/judge/findings/results.py": "a property that a worker of this run has written",
    "conformance/generate/definitions/drawn_definitions.py": "a definition that was just written",
    "conformance/adapters/harnesses/libraries.py": "what cargo prints",
    "conformance/system/supervisor.py": "the request of the parent",
    "reference/definitions/json_flavour.py": "definitions, in a dialect of their own",
    "reference/inputs/json_text.py": "the reader",
    "reference/inputs/toml_text.py": "the reader",
}


def test_json_and_toml_are_read_by_one_reader_each() -> None:
    files = [file for room in ("conformance", "reference") for file in (ROOT / room).rglob("*.py")]
    texts = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8").replace(COPY, "") for file in files}
    assert {name for name, text in texts.items() if CALL.search(text)} == set(OTHERS)
