"""The commands about definitions read jars, as the importer does."""

from tests.definitions.conftest import make_jar

__all__ = ["make_jar"]
