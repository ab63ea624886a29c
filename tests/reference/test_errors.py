import pickle
import pkgutil
from importlib import import_module

import pytest

import reference
from reference import CodecError, ConformanceError, DefinitionError, Malformed, Reason, Refusal, Unencodable
from reference.errors import InternalError

GROUPS = {ConformanceError, CodecError, DefinitionError}
"""The base classes of other errors; a fault of the project itself has one name everywhere."""


def errors() -> set[type[Exception]]:
    modules = [import_module(module.name) for module in pkgutil.walk_packages(reference.__path__, "reference.")]
    return {
        value
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Exception) and not name.startswith("_")
        if value.__module__.startswith("reference.")
    }


def test_every_error_is_one_of_the_family() -> None:
    assert {error for error in errors() if not issubclass(error, ConformanceError)} == set()


def test_names_of_groups_alone_end_with_error() -> None:
    assert {error for error in errors() if error.__name__.endswith("Error")} == {*GROUPS, InternalError}


@pytest.mark.parametrize(
    "error",
    [
        Malformed("bool.other-than-0-1", Reason.TRUNCATED, 5, "A[0]", "detail"),
        Unencodable(Refusal.OUT_OF_RANGE, "A[0]", "detail"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_error_of_the_codec_survives_pickling(error: Malformed | Unencodable) -> None:
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301  # of our own
    assert (str(copy), copy.rule, copy.reason, copy.path) == (str(error), error.rule, error.reason, error.path)
