"""Folders of definitions with headerVersions, as in Apache Kafka's sources after 4.4.0."""

import json
from pathlib import Path
from typing import Any

from reference import Release, load_release, newest_release, request_header_version, response_header_version
from reference.definitions.canonical import canonical_json
from reference.definitions.header_versions import APIS
from reference.definitions.model import VersionRange, ranges_of

RESOURCES = "src/main/resources/common/message"


def checkout(folder: Path, release: str | None = None) -> Path:
    """Write the definitions of a release as a checkout of sources, module by module.

    By default it is the newest release.
    """
    loaded = load_release(release or newest_release())
    for name in loaded.messages:
        file = folder / loaded.source(name).removeprefix("kafka-") / RESOURCES / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(with_headers(loaded, name), indent=2), encoding="utf-8")
    return folder


def with_headers(release: Release, name: str) -> dict[str, Any]:
    """Return a definition with its headerVersions by the rules of releases up to 4.4.0."""
    definition = release.definition(name)
    tree: dict[str, Any] = json.loads(canonical_json(definition))
    if definition.kind in APIS and not definition.valid_versions.empty:
        tree["headerVersions"] = written_map(release, name)
    return tree


def written_map(release: Release, name: str) -> dict[str, str]:
    """Return the map from versions to headers, from version 0 to a last range without end."""
    definition = release.definition(name)
    of_direction = request_header_version if definition.kind == "request" else response_header_version
    headers: dict[int, list[int]] = {}
    for version in range(definition.valid_versions.highest + 1):
        headers.setdefault(of_direction(definition.api_key or 0, version, release), []).append(version)
    ranges = [(versions, header) for header, numbers in headers.items() for versions in ranges_of(numbers)]
    *before, (last, header) = sorted(ranges, key=lambda each: each[0])
    closed = {str(versions): str(header) for versions, header in before}
    return {**closed, str(VersionRange(last.lowest, 32767)): str(header)}
