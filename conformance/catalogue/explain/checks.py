"""Which parts of the suite test a rule: a table, of which a test of this project shows that it is true."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

MODULES = {
    "absent fields": ("test_absent_fields",),
    "broken inputs": ("test_broken_input",),
    "frames": ("test_framing",),
    "partial values": ("test_partial_values",),
    "hostile inputs": ("test_hostile_input", "test_generated_hostile_input"),
    "stored messages": ("test_stored",),
    "unwritable values": ("test_unwritable_values",),
    "values": ("test_edge_values", "test_generated_values"),
    "wire types": ("test_primitives",),
}
"""The modules of the suite that run a check, by its name."""


@lru_cache(maxsize=1)
def checks_by_rule() -> Mapping[str, tuple[str, ...]]:
    """The names of the checks that name a rule, by the rule."""
    text = (files(__package__) / "tested_by.toml").read_text(encoding="utf-8")
    return {rule: tuple(checks) for rule, checks in tomllib.loads(text).items()}


def modules_for(rule: str) -> tuple[str, ...]:
    """The modules of the suite that test a rule; none for rules about definitions: those are tested by their reader."""
    return tuple(module for check in checks_by_rule().get(rule, ()) for module in MODULES[check])
