"""Single changes of a release's definitions, drawn over every kind of change, and what they should be called.

What a released version's bytes show is decided by `readings`; what Apache Kafka's README forbids beside, and what is a
promise, by the kind of the change.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

from reference import FieldSchema, load_release
from reference.definitions.model import HIGHEST_VERSION, Definition
from reference.definitions.parse import LOADER
from reference.resolution import resolve
from tests.campaign.proof.readings import changed
from tests.helpers.releases import NEWEST

Json = dict[str, Any]
Draw = Callable[[Random, Json], bool]
"""Changes a definition in place; returns whether it had the part that is changed."""

RELEASE = NEWEST
TYPES = (
    *("int8", "int16", "int32", "int64", "bool", "string", "bytes", "records", "uuid", "uint16", "float64"),
    "[]int32",
)
DEFAULTS = ("0", "1", "-1", "null", "a", "true", "")
RANGES = ("0+", "1+", "2+", "3+", "0-1", "0", "none")
KINDS = ("request", "response", "header", "metadata", "data", "coordinator-key", "coordinator-value")


class Single(NamedTuple):
    """A definition, and one that differs from it in one thing."""

    kind: str
    old: Json
    new: Json

    @property
    def text(self) -> str:
        """The text of the new one."""
        return json.dumps(self.new)

    @property
    def parsed(self) -> tuple[Definition, Definition]:
        """Both, of which the new one must be valid."""
        return LOADER.parse(json.dumps(self.old), "old.json"), LOADER.parse(self.text, "new.json")


@cache
def versions(text: str) -> range:
    """Return the versions of a range; one that is open ends with the highest number that there is."""
    if text == "none":
        return range(0)
    first, _, last = text.rstrip("+").partition("-")
    return range(int(first), (HIGHEST_VERSION if text.endswith("+") else int(last or first)) + 1)


@cache
def _definitions() -> tuple[str, ...]:
    release = load_release(RELEASE)
    return tuple((release.folder / f"{name}.json").read_text(encoding="utf-8") for name in sorted(release.messages))


def single_change(number: int) -> Single:
    """Draw the change of that number: kind by kind, each of a definition that has what is changed."""
    random = Random(number)  # noqa: S311  # no secret
    kind = list(CHANGES)[number % len(CHANGES)]
    while True:
        old = json.loads(random.choice(_definitions()))
        new = copy.deepcopy(old)
        if CHANGES[kind](random, new) and new != old:
            return Single(kind, old, new)


def _lists(definition: Json) -> Iterator[list[Json]]:
    waiting = [definition, *definition.get("commonStructs", ())]
    while waiting:
        fields = waiting.pop().get("fields", [])
        yield fields
        waiting += fields


def _fields(definition: Json) -> list[Json]:
    return [field for fields in _lists(definition) for field in fields]


def _of_field(change: Callable[[Random, Json], bool]) -> Draw:
    def draw(random: Random, definition: Json) -> bool:
        fields = _fields(definition)
        return bool(fields) and change(random, random.choice(fields))

    return draw


def _of_list(change: Callable[[Random, list[Json]], bool]) -> Draw:
    def draw(random: Random, definition: Json) -> bool:
        return change(random, random.choice([*_lists(definition)]))

    return draw


def _put(name: str, *values: Any) -> Callable[[Random, Json], bool]:
    def put(random: Random, owner: Json) -> bool:
        owner[name] = random.choice(values)
        return True

    return put


def _drop(*names: str) -> Callable[[Random, Json], bool]:
    def drop(_: Random, owner: Json) -> bool:
        return len([name for name in names if owner.pop(name, None) is not None]) > 0

    return drop


def _flip(name: str) -> Callable[[Random, Json], bool]:
    def flip(_: Random, owner: Json) -> bool:
        owner[name] = not owner.get(name, False)
        return True

    return flip


def _array(_: Random, field: Json) -> bool:
    field["type"] = field["type"].removeprefix("[]") if field["type"].startswith("[]") else f"[]{field['type']}"
    return True


def _tag(random: Random, field: Json) -> bool:
    field.update(tag=random.randrange(3), taggedVersions=random.choice(RANGES))
    return True


def _added(random: Random, fields: list[Json]) -> bool:
    field = {"name": "Added", "type": random.choice(TYPES), "versions": random.choice(RANGES)}
    fields.insert(random.randrange(len(fields) + 1), field | random.choice(({}, {"ignorable": True})))
    return True


def _tagged(random: Random, fields: list[Json]) -> bool:
    tag = 1 + max((field["tag"] for field in fields if "tag" in field), default=-1)
    start = random.choice(RANGES[:4])
    fields.append(
        {"name": "Added", "type": random.choice(TYPES), "versions": start, "taggedVersions": start, "tag": tag}
    )
    return True


def _removed(random: Random, fields: list[Json]) -> bool:
    return bool(fields) and bool(fields.pop(random.randrange(len(fields))))


def _exchanged(random: Random, fields: list[Json]) -> bool:
    if len(fields) < 2:
        return False
    at = random.randrange(len(fields) - 1)
    fields[at], fields[at + 1] = fields[at + 1], fields[at]
    return True


def _exchanged_tags(random: Random, fields: list[Json]) -> bool:
    tagged = [field for field in fields if "tag" in field]
    if len(tagged) < 2:
        return False
    one, other = random.sample(tagged, 2)
    one["tag"], other["tag"] = other["tag"], one["tag"]
    return True


def _valid(random: Random, definition: Json) -> bool:
    valid = versions(definition["validVersions"])
    low, high = valid.start + random.randrange(-1, 2), valid.stop - 1 + random.randrange(-1, 2)
    definition["validVersions"] = random.choice((f"{max(low, 0)}-{high}", "none")) if 0 <= low <= high else "none"
    return True


def _listeners(random: Random, definition: Json) -> bool:
    return bool(definition.get("listeners")) and bool(definition["listeners"].pop(random.randrange(2) - 1))


def _misspelt(random: Random, owner: Json) -> bool:
    name = random.choice([*owner])
    owner[name[:-1]] = owner.pop(name)
    return True


CHANGES: dict[str, Draw] = {
    "type": _of_field(_put("type", *TYPES)),
    "array": _of_field(_array),
    "name": _of_field(_put("name", "Renamed")),
    "versions": _of_field(_put("versions", *RANGES)),
    "nullable": _of_field(_put("nullableVersions", *RANGES)),
    "not nullable": _of_field(_drop("nullableVersions")),
    "default": _of_field(_put("default", *DEFAULTS)),
    "no default": _of_field(_drop("default")),
    "ignorable": _of_field(_flip("ignorable")),
    "not ignorable": _of_field(_drop("ignorable")),
    "mapKey": _of_field(_flip("mapKey")),
    "zeroCopy": _of_field(_flip("zeroCopy")),
    "entityType": _of_field(_drop("entityType")),
    "about": _of_field(_put("about", "What it is for.")),
    "tagged": _of_field(_tag),
    "not tagged": _of_field(_drop("tag", "taggedVersions")),
    "taggedVersions": _of_field(_put("taggedVersions", *RANGES)),
    "flexible field": _of_field(_put("flexibleVersions", *RANGES)),
    "field misspelt": _of_field(_misspelt),
    "field lacks": _of_field(lambda random, field: field.pop(random.choice([*field])) is not None),
    "field added": _of_list(_added),
    "tag added": _of_list(_tagged),
    "field removed": _of_list(_removed),
    "fields exchanged": _of_list(_exchanged),
    "tags exchanged": _of_list(_exchanged_tags),
    "validVersions": _valid,
    "flexibleVersions": _put("flexibleVersions", *RANGES),
    "apiKey": _put("apiKey", 0, 7, 9000),
    "kind": _put("type", *KINDS),
    "message name": _put("name", "Renamed", "renamed", "RenamedRequest"),
    "listener removed": _listeners,
    "listener": _put("listeners", ["broker"], ["controller"], []),
    "latestVersionUnstable": _flip("latestVersionUnstable"),
    "misspelt": _misspelt,
    "lacks": lambda random, definition: definition.pop(random.choice([*definition])) is not None,
}
"""How each kind of change is drawn."""


def expected(single: Single) -> set[str]:
    """Return the effects of which the most severe one must be one; empty if there need be no change."""
    old, new = single.old, single.new
    before, after = (versions(each["validVersions"]) for each in (old, new))
    definitions = single.parsed
    broken = {each for each in before if each in after and changed(*definitions, each, single.kind)}
    if before and after and after.stop < before.stop:
        broken |= {*range(after.stop, before.stop)}
    if _forbidden(single):
        return {"incompatible"}
    unstable = {before.stop - 1} if _is_unstable(old) else set()
    if broken - unstable:
        return {"incompatible"}
    dropped = {version for version in before if version not in after}
    if dropped - unstable:
        return {"dropped"}
    if broken or dropped:
        return {"unstable"}
    return {"review"} if _withdraws(single) else {"review", "compatible", ""}


def _is_unstable(definition: Json) -> bool:
    return bool(definition.get("latestVersionUnstable"))


def _forbidden(single: Single) -> bool:
    """Whether the README forbids it, whatever the bytes of the body say."""
    old, new = single.old, single.new
    if single.kind in ("default", "no default"):
        return any(_another_default(single, version) for version in versions(old["validVersions"]))
    to_coordinator = old["type"] == "data" and new["type"].startswith("coordinator")
    return old.get("apiKey") != new.get("apiKey") or (old["type"] != new["type"] and not to_coordinator)


def _another_default(single: Single, version: int) -> bool:
    """Whether a field that was changed has another default, in a version that has its struct."""
    old, new = (resolve(each, version).body for each in single.parsed)
    return _differ(old, new)


def _differ(old: FieldSchema, new: FieldSchema) -> bool:
    pairs = zip(_parts(old), _parts(new), strict=True)
    return old.default != new.default or any(_differ(one, other) for one, other in pairs)


def _parts(field: FieldSchema) -> tuple[FieldSchema, ...]:
    return (*field.item.fields, *field.item.absent_fields)


def _withdraws(single: Single) -> bool:
    old, new = single.old, single.new
    before, after = (versions(each["validVersions"]) for each in (old, new))
    if single.kind in ("ignorable", "not ignorable"):
        pairs = zip(_fields(old), _fields(new), strict=True)
        field = next(one for one, other in pairs if one != other)
        there = versions(field.get("versions") or field["taggedVersions"])
        return bool(field.get("ignorable")) and field in old["fields"] and any(each not in there for each in before)
    unstable = (
        _is_unstable(new) and after and after[-1] in before and not (_is_unstable(old) and after[-1] == before[-1])
    )
    gone = set(old.get("listeners", ())) - set(new.get("listeners", ()))
    return bool(unstable) or bool(gone and after) or (not before and bool(after) and "apiKey" in old)
