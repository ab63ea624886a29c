"""The current folder on Python's import path, last where an adapter is loaded and absent elsewhere.

Python puts it first for `python -m` and for helper processes started by `python -c`. There a project's own json.py,
random.py or click.py would replace the module of this name for the suite and for Python itself.

This module imports only modules loaded at any start of Python: any other might already be the project's own.
"""

import os
import sys

HOME = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120  # as above
"""The folder that the suite is imported from: a checkout, or site-packages."""

LIBRARY = os.path.dirname(os.path.abspath(os.__file__))  # noqa: PTH100, PTH120  # as above

SAFE = "PYTHONSAFEPATH"
"""The environment variable that keeps the current folder off the front of Python's path."""

OURS = "kafka-conformance"
"""The value of that variable when set by the suite. Python accepts any value."""


def current_folder() -> str:
    """Return the current folder, or the suite's home if it is gone."""
    try:
        return os.getcwd()  # noqa: PTH109  # as above
    except FileNotFoundError:
        return HOME


def take_import_path() -> None:
    """Set `sys.path` to the first argument of this process, and remove it from the arguments.

    A process of the suite gets the path of its starter so, and not by PYTHONPATH: modules that Python imports at its
    start, such as sitecustomize, must not come from there.
    """
    sys.path[:] = sys.argv.pop(1).split(os.pathsep)


def leave_current_folder() -> None:
    """Remove all entries for the current folder from `sys.path` that come before the standard library.

    A checkout of the suite as current folder stays: the suite is imported from there.
    """
    folder = os.path.realpath(current_folder())
    if folder == os.path.realpath(HOME):
        return
    places = [os.path.realpath(entry) for entry in sys.path]  # an empty entry becomes the current folder
    before = places.index(os.path.realpath(LIBRARY)) if os.path.realpath(LIBRARY) in places else len(places)
    sys.path[:] = [entry for at, entry in enumerate(sys.path) if at >= before or places[at] != folder]


def add_current_folder() -> None:
    """Put the current folder last on `sys.path`, to import adapters from it."""
    leave_current_folder()
    folder = current_folder()
    if folder not in sys.path:
        sys.path.append(folder)
