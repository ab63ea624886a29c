"""Names of the suite, and the removal of named resources from a server at the end.

Names of created or changed resources begin with a prefix of the suite. The definitions mark fields with names of a
topic, a group or a transactional id; `tiers.toml` has further fields. Only read-only requests may name resources of
others. No request removes transactional ids. A run creates none, unless InitProducerId is allowed.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.value_paths import with_change
from conformance.live.server.connection import request
from conformance.system.system_errors import text_of
from reference import UnsupportedApi, api_definition, api_schema, completed
from reference.inputs.toml_text import packaged_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from conformance.definitions.defining_releases import Definitions
    from conformance.live.server.server import Server
    from reference.definitions.model import Definition, FieldDefinition

    Path = tuple[str, ...]

PATIENCE = 60.0
"""Seconds to wait for resources in use, as silent members of a group are dropped after 45 s."""

PAUSE = 0.5
CORRELATION_ID = 99
SHOWN = 3
ANY = 1
"""The filter of ACLs for any type, pattern, operation and permission."""

PREFIX = "kafka-wire-conformance-"
"""The beginning of all names created by a run."""

LONGEST = 2**15 - 1
"""The number of bytes of the longest possible string."""

_FACTS: dict[str, Any] = packaged_toml("conformance.live.server", "tiers.toml")["own-names"]
_ENTITIES = frozenset(_FACTS["entities"])
_FIELDS: dict[str, list[str]] = _FACTS["fields"]
_NEVER_NULL: dict[str, list[str]] = _FACTS["never-null"]


@dataclass(frozen=True)
class Asker:
    """Sends requests to a server by the name of an API, in the newest known and announced version."""

    server: Server

    def ask(self, api: str, value: Mapping[str, Any]) -> dict[str, Any]:
        """Return the value of the response, or an empty one without it. Fields missing in the version are left out."""
        newest = {self.server.definitions.name(key): (key, version) for key, version in self._pairs()}
        if api not in newest:
            return {}
        numbers = newest[api]
        release = self.server.definitions.release_of(*numbers)
        if release is None:
            return {}
        schema = api_schema(release, "request", *numbers)
        names = {field.name for field in schema.fields}
        full = completed(schema, {name: each for name, each in value.items() if name in names})
        asked = request(release, *numbers, CORRELATION_ID, full)
        with self.server.connect() as connection:
            connection.send(asked.wire)
            reply = connection.receive()
        answer = asked.judge(self.server.definitions, reply).value if reply.is_frame else None
        return answer or {}

    def _pairs(self) -> Iterator[tuple[int, int]]:
        yield from self.server.announced.pairs(self.server.definitions)


class ResourceKind(NamedTuple):
    """A kind of resource created by runs, with the functions to find and remove it."""

    plural: str
    find: Callable[[Asker], list[Any]]
    remove: Callable[[Asker, list[Any]], object]


def _topics(asker: Asker) -> list[str]:
    topics = asker.ask("Metadata", {"Topics": None, "AllowAutoTopicCreation": False}).get("Topics") or ()
    return [topic["Name"] for topic in topics if topic["Name"] and is_own(topic["Name"])]


def _remove_topics(asker: Asker, names: list[str]) -> object:
    by_name = {"TopicNames": names, "Topics": [{"Name": name} for name in names]}
    return asker.ask("DeleteTopics", {**by_name, "TimeoutMs": 5_000})


def _groups(asker: Asker) -> list[str]:
    return [each["GroupId"] for each in asker.ask("ListGroups", {}).get("Groups") or () if is_own(each["GroupId"])]


def _remove_groups(asker: Asker, names: list[str]) -> object:
    return asker.ask("DeleteGroups", {"GroupsNames": names})


def _acls(asker: Asker) -> list[tuple[int, int, str]]:
    """Return type, pattern and name of resources with ACLs."""
    resources = asker.ask("DescribeAcls", _acl_filter(ANY, ANY, None)).get("Resources") or ()
    named = [(each["ResourceType"], each.get("PatternType", ANY), each["ResourceName"]) for each in resources]
    return [each for each in named if is_own(each[2])]


def _remove_acls(asker: Asker, resources: list[tuple[int, int, str]]) -> object:
    return asker.ask("DeleteAcls", {"Filters": [_acl_filter(*resource) for resource in resources]})


def _acl_filter(kind: int, pattern: int, name: str | None) -> dict[str, Any]:
    """Return a filter for the ACLs of a resource, or of all resources without a name."""
    anyone = {"PrincipalFilter": None, "HostFilter": None, "Operation": ANY, "PermissionType": ANY}
    return {"ResourceTypeFilter": kind, "PatternTypeFilter": pattern, "ResourceNameFilter": name, **anyone}


def _users(asker: Asker) -> list[tuple[str, int]]:
    """Return name and mechanism of SCRAM credentials."""
    results = asker.ask("DescribeUserScramCredentials", {"Users": None}).get("Results") or ()
    return [
        (each["User"], info["Mechanism"])
        for each in results
        if is_own(each["User"])
        for info in each["CredentialInfos"]
    ]


def _remove_users(asker: Asker, users: list[tuple[str, int]]) -> object:
    deletions = [{"Name": name, "Mechanism": mechanism} for name, mechanism in users]
    return asker.ask("AlterUserScramCredentials", {"Deletions": deletions, "Upsertions": []})


KINDS = (
    ResourceKind("groups", _groups, _remove_groups),
    ResourceKind("topics", _topics, _remove_topics),
    ResourceKind("resources with ACLs", _acls, _remove_acls),
    ResourceKind("SCRAM credentials", _users, _remove_users),
)


def clean_up(server: Server, patience: float = PATIENCE) -> list[str]:
    """Remove the resources created by runs, with attempts for some seconds, and return the results in sentences."""
    asker = Asker(server)
    sentences: list[str] = []
    for kind in KINDS:
        try:
            sentences += _clean(asker, kind, patience)
        except OSError as error:
            return [
                *sentences,
                f"not cleaned up, what begins with {PREFIX} may be left on the server: {text_of(error)}",
            ]
    return sentences


def _clean(asker: Asker, kind: ResourceKind, patience: float) -> Iterator[str]:
    found = left = kind.find(asker)
    end = time.monotonic() + patience
    while left:
        kind.remove(asker, left)
        left = kind.find(asker)
        if not left or time.monotonic() > end:
            break
        time.sleep(PAUSE)
    if len(found) > len(left):
        yield f"cleaned up: {len(found) - len(left)} {kind.plural} whose names begin with {PREFIX}"
    if left:
        yield f"left on the server: {len(left)} {kind.plural}, which it does not remove: {_some(left)}"


def _some(things: Sequence[Any]) -> str:
    texts = [str(thing)[:80] for thing in things[:SHOWN]]
    return ", ".join(texts) + (", ..." if len(things) > SHOWN else "")


def is_own(name: str) -> bool:
    """Return whether a name is one of the suite."""
    return name.startswith(PREFIX)


def own(name: str) -> str:
    """Return a name of the suite within the longest possible length."""
    longer = PREFIX + name
    return longer if len(longer.encode(errors="surrogatepass")) <= LONGEST else PREFIX + name[len(PREFIX) :]


def with_own_names(definitions: Definitions, api_key: int, value: dict[str, Any]) -> dict[str, Any]:
    """Return a request of an API with names of the suite only. Null stays, unless it stands for all resources."""
    for path in _paths(definitions, api_key):
        value = with_change(value, ".".join(path), _own_or_null)
    for text in _NEVER_NULL.get(definitions.name(api_key), ()):
        value = with_change(value, text, lambda name: PREFIX if name is None else name)
    return value


def _own_or_null(names: Any) -> Any:
    if isinstance(names, list):
        return [own(name) for name in names]
    return None if names is None else own(names)


@cache
def _paths(definitions: Definitions, api_key: int) -> tuple[Path, ...]:
    """Return the fields with names in the requests of an API, in any version and release."""
    found = {tuple(text.split(".")) for text in _FIELDS.get(definitions.name(api_key), ())}
    for release in definitions.among:
        try:
            definition = api_definition(release, "request", api_key)
        except UnsupportedApi:
            continue
        found.update(_naming(definition, definition.fields, ()))
    return tuple(sorted(found))


def _naming(definition: Definition, fields: Sequence[FieldDefinition], above: Path) -> Iterator[Path]:
    for field in fields:
        path = (*above, field.name)
        if field.entity_type in _ENTITIES:
            yield path
        common = definition.common_struct(field.struct_name) if field.struct_name else None
        yield from _naming(definition, common.fields if common else field.fields, path)
