"""Folders of definitions of no release."""

import json
from pathlib import Path

import pytest

from reference import load_release
from reference.release import FURTHER
from tests.helpers import definitions
from tests.helpers.definitions import Properties, field

REQUEST = definitions.message(field(), type="request", name="NewThingRequest", apiKey=9000)
RESPONSE = definitions.message(field(type="int16"), type="response", name="NewThingResponse", apiKey=9000)
APACHE = "// Licensed to a foundation\n{}\n// the end\n"


def write(folder: Path, *members: Properties) -> Path:
    """Write definitions as Apache Kafka does, with comments and descriptions."""
    folder.mkdir(parents=True, exist_ok=True)
    for each in members:
        described = {**each, "fields": [{**member, "about": "What it is for."} for member in each["fields"]]}
        (folder / f"{each['name']}.json").write_text(APACHE.format(json.dumps(described, indent=2)))
    return folder


def manifest(folder: Path, *names: str, **facts: str) -> Path:
    """Write a release.json with a list of messages."""
    (folder / "release.json").write_text(json.dumps({**facts, "messages": {name: {} for name in names}}))
    return folder


def changed(release: str, message: str, folder: Path, **properties: str) -> Path:
    """Copy a definition of a release, with properties of its first field changed."""
    definition = json.loads((load_release(release).folder / f"{message}.json").read_text(encoding="utf-8"))
    definition["fields"][0] |= properties
    return write(folder, definition)


@pytest.fixture
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder, with a cache of its own for releases.

    Releases made known by a test are forgotten after it.
    """
    monkeypatch.setenv(FURTHER, "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path
