"""The current folder on Python's import path: behind everything else where an adapter is loaded, else not at all.

Python puts it in front for `python -m`, and for the processes that start others by `python -c`. A project's own
json.py, random.py or click.py would then stand in for what the suite, and Python itself, mean by these names.

Only what is loaded at any start of Python is imported here: anything else might already be the project's own.
"""

import os
import sys

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120  # as above
"""The folder that the suite is imported from: a checkout, or site-packages."""

LIBRARY = os.path.dirname(os.path.abspath(os.__file__))  # noqa: PTH100, PTH120  # as above

SAFE = "PYTHONSAFEPATH"
"""The variable by which Python does not put the current folder in front."""

OURS = "kafka-conformance"
"""The value of that variable where the suite has set it; any value does."""


def current_folder() -> str:
    """Return it, or the suite's home if it is gone."""
    try:
        return os.getcwd()  # noqa: PTH109  # as above
    except FileNotFoundError:
        return HOME


def leave_current_folder() -> None:
    """Take the current folder from before the standard library on `sys.path`; a checkout is where the suite itself is.

    So does whatever means it: an empty entry, a dot.
    """
    folder = os.path.realpath(current_folder())
    if folder == os.path.realpath(HOME):
        return
    places = [os.path.realpath(entry) for entry in sys.path]  # of an empty one, the current folder
    before = places.index(os.path.realpath(LIBRARY)) if os.path.realpath(LIBRARY) in places else len(places)
    sys.path[:] = [entry for at, entry in enumerate(sys.path) if at >= before or places[at] != folder]


def add_current_folder() -> None:
    """Put the current folder behind all else on `sys.path`: adapters are imported from where one stands."""
    leave_current_folder()
    folder = current_folder()
    if folder not in sys.path:
        sys.path.append(folder)
