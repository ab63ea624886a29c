"""Reading definitions as Apache Kafka did before 3.0.0: `OLDER`.

Two things were let pass: a message without `flexibleVersions` had none (KAFKA-12877 made them mandatory), and text
after the object was not looked at (the DescribeProducersRequest of 2.8.2 has a bracket and a brace too many).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.definitions.json_flavour import Tree, read_tree
from reference.definitions.model import NO_VERSIONS, VersionRange
from reference.definitions.parse import Loader

if TYPE_CHECKING:
    from reference.definitions.properties import Properties


class OlderLoader(Loader):
    """How definitions of releases before 3.0.0 are read; what it reads obeys the rules of today."""

    def tree(self, text: str, source: str) -> dict[str, Tree]:
        """The first object of a text."""
        return read_tree(text, source, to_the_end=False)

    def flexible_versions(self, properties: Properties, valid: VersionRange) -> VersionRange:
        """The message's flexible versions: none, if nothing is said."""
        flexible = properties.versions("flexibleVersions") or NO_VERSIONS
        return NO_VERSIONS if valid.empty else flexible


OLDER = OlderLoader()
