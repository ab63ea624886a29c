"""Tests over all items of a table, with the failing items as their message."""

from collections.abc import Callable, Iterable, Iterator
from functools import update_wrapper
from typing import Any, TypeVar

import pytest

Item = TypeVar("Item")


def for_each(
    items: Iterable[Item], name: Callable[[Item], Any] = str
) -> Callable[[Callable[[Item], None]], Callable[[], None]]:
    """Return one test of the check of every item.

    Args:
        items: the items; none at all are refused, as such a test cannot fail.
        name: the word for an item in the message.
    """
    given = list(items)
    assert given, "there is nothing to check"

    def test_of(check: Callable[[Item], None]) -> Callable[[], None]:
        def test() -> None:
            failures = [f"{name(item)}: {failure}" for item in given for failure in _failures(check, item)]
            if failures:
                pytest.fail("\n".join(failures), pytrace=False)

        update_wrapper(test, check)
        vars(test).pop("__wrapped__")  # otherwise pytest looks for a fixture of the item's name
        return test

    return test_of


def _failures(check: Callable[[Item], None], item: Item) -> Iterator[str]:
    """Yield the message of the check, if an item fails it."""
    try:
        check(item)
    except (AssertionError, pytest.fail.Exception) as error:
        yield str(error)
    except Exception as error:
        error.add_note(f"of {item}")
        raise
