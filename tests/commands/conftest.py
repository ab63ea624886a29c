from tests.definitions.conftest import make_jar

__all__ = ["make_jar"]
