import json
import zipfile
from pathlib import Path
from typing import Protocol

import pytest

DEFINITION = """\
// A definition as it might be published.
{{ "type": "{kind}", "name": "{name}", "validVersions": "0-1", "flexibleVersions": "1+", "apiKey": 1,
  "fields": [ {{ "name": "Some", "type": "int32", "versions": "0+", "about": "what it is for" }} ] }}
"""

DAY = (2019, 6, 19, 21, 0, 0)
"""When the definitions were put into the jars."""


def published(name: str, kind: str = "data") -> str:
    return DEFINITION.format(kind=kind, name=name)


class MakeJar(Protocol):
    """A function to make a jar of a name, with definitions of some names in a folder of it."""

    def __call__(self, jar: str, *names: str, folder: str = "common/message", kind: str = "data") -> Path:
        """Write the jar, and return where it is."""


@pytest.fixture
def make_jar(tmp_path: Path) -> MakeJar:
    """Return a maker of jars with definitions, a class, and a JSON file of another kind."""

    def make(jar: str, *names: str, folder: str = "common/message", kind: str = "data") -> Path:
        return archived(tmp_path / jar, *names, folder=folder, kind=kind)

    return make


def archived(path: Path, *names: str, folder: str = "common/message", kind: str = "data") -> Path:
    """Write a jar with definitions of those names, a class and a JSON file of another kind, and return its path."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("META-INF/settings.json", json.dumps({"name": "settings"}))
        archive.writestr("org/Some.class", b"\xca\xfe\xba\xbe")
        for name in names:
            entry = zipfile.ZipInfo(f"{folder}/{name}.json", DAY)
            archive.writestr(entry, published(name, kind), zipfile.ZIP_DEFLATED)
    return path
