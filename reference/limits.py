"""The limits of Apache Kafka's readers, which the protocol does not have: specs/limits.toml."""

from __future__ import annotations

from sys import maxsize
from typing import NamedTuple


class Limits(NamedTuple):
    """The numbers beyond which Apache Kafka's reader of a release refuses, though the protocol has no such limit."""

    array_length: int = maxsize
    """Of the elements of an array."""
    tagged_fields: int = maxsize
    """Of the entries of one tag section."""


UNLIMITED = Limits()
