"""Mutants as adapters of the suite, each over all pairs of its release.

The option is `--impl=tests.mutants.adapters:NAME`. Mutants of record batches have nothing else.
"""

from dataclasses import fields
from types import SimpleNamespace
from typing import Any

from conformance.codec.loaded_adapter import LoadedAdapter
from reference import decode, encode, load_release
from tests.helpers.releases import BASE
from tests.mutants.catalogue import LEGAL
from tests.mutants.evidence import MUTANTS
from tests.mutants.records import RecordsMutant

DEFAULTS = {field.name: field.default for field in fields(LoadedAdapter)}


def __getattr__(name: str) -> SimpleNamespace:
    """Return the adapter of the mutant with this name, completed by the reference."""
    for mutant in (*MUTANTS, *LEGAL):
        if mutant.name == name:
            loaded = mutant.adapter()
            given = {each.name: getattr(loaded, each.name) for each in fields(loaded)}
            given = {key: member for key, member in given.items() if member != DEFAULTS.get(key, ...)}
            given["records"] = loaded.records.as_words()
            if isinstance(mutant, RecordsMutant):
                del given["supported"]
                return SimpleNamespace(**given)
            sound: dict[str, Any] = {"encode": encode, "decode": lambda schema, data: decode(schema, data).value}
            return SimpleNamespace(**{**sound, **given, "supported": _every_pair})
    raise AttributeError(name)


def _every_pair() -> dict[str, list[int]]:
    versions: dict[str, list[int]] = {}
    for schema in load_release(BASE).schemas():
        versions.setdefault(schema.message, []).append(schema.version)
    return versions
