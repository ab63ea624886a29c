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


def published(name: str, kind: str = "data") -> str:
    return DEFINITION.format(kind=kind, name=name)


class MakeJar(Protocol):
    """Makes a jar of that name, with definitions of those names in a folder of it."""

    def __call__(self, jar: str, *names: str, folder: str = "common/message", kind: str = "data") -> Path:
        """Write the jar, and return where it is."""


@pytest.fixture
def make_jar(tmp_path: Path) -> MakeJar:
    """Return a maker of jars; beside the definitions they contain a class and a JSON file of another kind."""

    def make(jar: str, *names: str, folder: str = "common/message", kind: str = "data") -> Path:
        path = tmp_path / jar
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("META-INF/settings.json", json.dumps({"name": "settings"}))
            archive.writestr("org/Some.class", b"\xca\xfe\xba\xbe")
            for name in names:
                archive.writestr(f"{folder}/{name}.json", published(name, kind))
        return path

    return make
