"""What can be wrong with a message itself, its common structs, or the text of its definition, a row for each way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.definitions.damage import INNER, field

if TYPE_CHECKING:
    from collections.abc import Callable

Properties = dict[str, Any]


class MessageDamage(NamedTuple):
    """One way in which a message can be broken."""

    number: str
    rule: str
    name: str
    apply: Callable[[Properties], Properties]
    features: Properties = {}  # noqa: RUF012  # never changed
    """What the sound message has to be like: arguments of `Features`."""


class TextDamage(NamedTuple):
    """One way in which the text of a definition can be none."""

    number: str
    rule: str
    name: str
    apply: Callable[[str], str]


def _lacks(number: str, rule: str, name: str) -> MessageDamage:
    return MessageDamage(
        number, rule, f"no {name}", lambda sound: {each: value for each, value in sound.items() if each != name}
    )


def _has(number: str, rule: str, what: str, features: Properties | None = None, /, **properties: Any) -> MessageDamage:
    """A message that is broken by those properties."""
    return MessageDamage(number, rule, what, lambda sound: sound | properties, features or {})


def _common(
    number: str, rule: str, name: str, *structs: Properties, fields: tuple[Properties, ...] = ()
) -> MessageDamage:
    """A message that is broken by further common structs, and by fields that have them."""

    def apply(sound: Properties) -> Properties:
        common = [*sound.get("commonStructs", ()), *structs]
        return sound | {"commonStructs": common, "fields": [*sound.get("fields", ()), *fields]}

    return MessageDamage(number, rule, name, apply)


def _inline(number: str, rule: str, name: str, *fields: Properties) -> MessageDamage:
    """A message that is broken by further fields."""
    return MessageDamage(number, rule, name, lambda sound: sound | {"fields": [*sound.get("fields", ()), *fields]})


def _struct(*fields: Properties, **properties: Any) -> Properties:
    return {"name": "Damage", "versions": "0+"} | properties | {"fields": list(fields)}


NO_REQUEST = {"kinds": ("data", "header", "response", "metadata", "coordinator-value")}
KEY = {"kinds": ("coordinator-key",)}
PLAIN = {"kinds": ("data",), "tags": False, "overrides": False, "flexible": True, "inflexible": False}

MESSAGE_DAMAGES: tuple[MessageDamage, ...] = (
    _lacks("6.5", "name-present", "name"),
    _lacks("6.5", "kind-present", "type"),
    *(_has("6.6", "kind", kind, type=kind) for kind in ("Request", "REQUEST", "trigger", "coordinator")),
    MessageDamage(
        "6.6",
        "coordinator-api-key",
        "no apiKey",
        lambda sound: {name: value for name, value in sound.items() if name != "apiKey"},
        {"kinds": ("coordinator-key", "coordinator-value")},
    ),
    _has("6.6", "coordinator-key-version", "two versions", KEY, validVersions="0-1"),
    _has(
        "6.6",
        "coordinator-key-version",
        "another version",
        KEY | {"common_structs": False},
        validVersions="1",
        fields=[],
    ),
    _has("6.6", "coordinator-key-not-flexible", "flexible", KEY, flexibleVersions="0+"),
    _lacks("6.7", "valid-versions-present", "validVersions"),
    *(_has("6.1", "versions-syntax", f"valid {text}", validVersions=text) for text in ("all", "0;1", "0-99999")),
    _has("6.3", "versions-not-negative", "valid -1", validVersions="-1"),
    _has("6.8", "valid-versions-bounded", "0+", {"kinds": ("data",)}, validVersions="0+", fields=[], commonStructs=[]),
    _lacks("6.10", "flexible-versions-present", "flexibleVersions"),
    _has("6.11", "flexible-open-ended", "closed", PLAIN, flexibleVersions="0-9"),
    _has("6.12", "listeners-on-requests", "of no request", NO_REQUEST, listeners=["broker"]),
    *(
        _has("6.12", "listener-known", name, {"kinds": ("request",)}, listeners=[name])
        for name in ("proxy", "Broker", "zookeeper")
    ),
    _has("6.13", "unstable-on-requests", "of no request", NO_REQUEST, latestVersionUnstable=True),
    *(_has("6.15", "api-key-range", str(key), apiKey=key) for key in (32768, -32769, "many")),
    *(_has("6.16", "known-properties", name, **{name: "text"}) for name in ("about", "apiStability", "version")),
    _common("6.16", "known-properties", "about a common struct", _struct(about="what it is for")),
    _common("6.5", "name-present", "of a common struct", {"versions": "0+", "fields": []}),
    _common("6.26", "versions-present", "of a common struct", {"name": "Damage", "fields": []}),
    _common("6.46", "common-struct-given-up", "none", _struct(versions="none")),
    _common("6.48", "common-struct-capitalised", "lower case", _struct(name="damage")),
    _common("6.49", "common-structs-unique", "twice", _struct(), _struct(field())),
    _common(
        "6.50", "common-struct-respecified", "inline", _struct(field()), fields=(field(type="Damage", fields=INNER),)
    ),
    _common("6.52", "common-struct-recursive", "itself", _struct(field(type="[]Damage"))),
    _common(
        "6.52",
        "common-struct-recursive",
        "through another",
        _struct(field(type="[]Damager")),
        _struct(field(type="Damage", nullableVersions="0+"), name="Damager"),
    ),
    _common("6.52", "inline-struct-in-common", "fields", _struct(field(type="Inline", fields=INNER))),
    _common("6.52", "inline-struct-in-common", "without fields", _struct(field(type="[]Unheard"))),
    _common("6.52", "common-struct-versions", "later", _struct(versions="100+"), fields=(field(type="Damage"),)),
    _common(
        "6.52",
        "common-struct-versions",
        "made too late",
        _struct(field(type="Damager", versions="100+"), versions="100+"),
        _struct(field(), name="Damager"),
        fields=(field(type="Damager"),),
    ),
    _inline(
        "6.51", "inline-struct-once", "twice", field(type="Damage", fields=INNER), field(name="Again", type="[]Damage")
    ),
    _inline(
        "6.51",
        "inline-struct-once",
        "inside itself",
        field(type="Damage", fields=[field(name="Deep", type="[]Damage")]),
    ),
)
"""Every damage to a message as a whole."""

TEXT_DAMAGES: tuple[TextDamage, ...] = (
    TextDamage("8.2", "json", "a comma too many", lambda text: text[:-1] + ",}"),
    TextDamage("8.2", "json", "more after the end", lambda text: text + "}"),
    TextDamage("8.2", "json", "a comment of another language", lambda text: "# comment\n" + text),
    TextDamage("8.2", "json", "single quotes", lambda text: text.replace('"', "'")),
    TextDamage("8.2", "json", "cut off", lambda text: text[:-1]),
    TextDamage("8.1", "json", "a comment without end", lambda text: text + "/*"),
    TextDamage("8.1", "json", "an array", lambda text: f"[{text}, {text}]"),
    TextDamage("8.2", "json", "NaN", lambda text: text[:-1] + ', "apiKey": NaN}'),
)
"""Every damage to the text of a definition."""
