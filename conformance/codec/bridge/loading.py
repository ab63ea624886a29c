"""The loading of the adapter in `--impl`, with errors that say what to change.

Every mistake in the form of an adapter is found here, before the first test is collected. The files of an adapter are
found by its name alone; none of its code runs for that.
"""

from __future__ import annotations

import faulthandler
import importlib
import inspect
import os
import shlex
import sys
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, NoReturn

from conformance.adapter import AdapterError
from conformance.codec.adapter_place import AdapterPlace, add_import_folder, module_spec, place_of
from conformance.codec.bridge.child_client import DEADLINE, START_DEADLINE
from conformance.codec.bridge.harness import Harness, StdioCodec
from conformance.codec.bridge.harness_errors import HarnessStartError
from conformance.codec.bridge.import_output import held_output
from conformance.codec.python_codec import PythonCodec
from conformance.codec.validation import check_members
from conformance.system.command_words import BadCommand, command_words
from conformance.system.import_path import add_current_folder, current_folder
from conformance.system.own_processes import PYTHON
from conformance.system.printable import printable
from conformance.system.time_limits import TimeLimit
from conformance.targets.claims import STDIO, is_over_stdio
from conformance.targets.plain_values import describe
from reference import load_release, newest_release
from reference.suggestions import as_sentence, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from conformance.codec.session import AnyCodec
    from reference import Release

DEFAULT_ATTRIBUTE = "adapter"

CHILD_HOME = "conformance.codec.bridge"
CHILD = f"{CHILD_HOME}.child"
"""The harness for Python adapters; its package takes an import path before, for the suite itself."""

NOT_LOADED = 4
"""The exit status of a process whose adapter does not load in time: pytest's for wrong usage."""

HARNESS_COMMAND = "harness_command"
"""The function of an adapter that is a program. It returns the command, after building the program if need be."""


def load_codec(spec: str, release: Release | None = None, *, deadline: float = DEADLINE) -> AnyCodec:
    """Return the codec with the adapter of a spec.

    A spec is `module`, `module:attribute`, `file.py:attribute` or `stdio:COMMAND ARGS`. Without an attribute it is the
    module's `adapter`, if it has one, else the module itself. A class or a function is called without arguments. The
    current folder, and that of a file, come last on the import path.

    A command is started with the definitions of `release` (default: the newest), and has `deadline` seconds for each
    request. A module with `harness_command` is a program in another language: the function returns its command, which
    becomes the adapter's spec. An object with it may be named like a module of its package.

    An adapter that is not loaded in time ends this process, with a traceback.

    Raises:
        AdapterError: there is no such adapter, or it does not fit the contract.
    """
    if is_over_stdio(spec):
        return StdioCodec(spec, _harness(stdio_command(spec), release, deadline))
    place = _checked(spec, place_of(spec))
    with _in_time(spec), held_output(spec):
        member = _attribute(spec, _import(spec, place), place)
        if not hasattr(member, HARNESS_COMMAND):
            return PythonCodec(check_members(spec, _instance(spec, member), place.module))
    command = _built_command(spec, member)
    return StdioCodec(spec, _harness(command, release, deadline), STDIO + shlex.join(command))


@contextmanager
def _in_time(spec: str) -> Iterator[None]:
    """End this process with a traceback if an adapter is not loaded in time, since nothing else stops foreign code."""
    loaded = Event()

    def watch() -> None:
        limit = TimeLimit(os.getpid(), START_DEADLINE)
        while not loaded.wait(limit.pause):
            if limit.is_over():
                _end(spec, limit)

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        loaded.set()
        watcher.join()  # a fork server has no other threads


def _end(spec: str, limit: TimeLimit) -> NoReturn:
    hint = "It is here, the innermost call first; whatever waits there should not be done at its import."
    os.write(2, f"--impl={spec}: the adapter is not loaded within {limit}. {hint}\n".encode())
    faulthandler.dump_traceback(2)
    os._exit(NOT_LOADED)


def harness_words(spec: str, release: Release) -> tuple[str, ...]:
    """Return the command of the harness for `--impl`, built if need be. For a Python adapter it is `CHILD`."""
    if is_over_stdio(spec):
        return tuple(stdio_command(spec))
    place = _checked(spec, place_of(spec))
    with held_output(spec):
        member = _attribute(spec, _import(spec, place), place)
    if hasattr(member, HARNESS_COMMAND):
        return _built_command(spec, member)
    return (*PYTHON, "-m", CHILD, "--impl", spec, "--release", str(release.folder))


def _harness(command: Sequence[str], release: Release | None, deadline: float) -> Harness:
    return Harness(command, release or load_release(newest_release()), deadline=deadline)


def _built_command(spec: str, member: Any) -> tuple[str, ...]:
    try:
        return tuple(member.harness_command())
    except HarnessStartError as error:
        raise AdapterError(spec, str(error), "Install what is missing, or use another implementation") from error


def stdio_command(spec: str) -> list[str]:
    """Return the words of the command in a spec over stdio, split as in a shell, or raise AdapterError."""
    try:
        return command_words(spec.removeprefix(STDIO))
    except BadCommand as error:
        raise AdapterError(spec, error.problem, f'The form is --impl="{STDIO}COMMAND ARGS"') from error


SHOWN = 200
"""The number of characters of a file's name in an error."""

FORMS = "The form is --impl=module[:attribute] or --impl=./file.py[:attribute]"


def _checked(spec: str, place: AdapterPlace) -> AdapterPlace:
    if place.file is not None:
        try:
            _check_file(spec, place.file)
        except OSError as error:
            raise AdapterError(spec, f"{place.file.name[:SHOWN]}: {error.strerror}", FORMS) from error
    elif not all(part.isidentifier() for part in place.module.split(".")):
        raise AdapterError(spec, f"{place.module!r} is not the name of a module", FORMS)
    return place


def _check_file(spec: str, file: Path) -> None:
    if file.is_file() and file.suffix == ".py":
        return
    if file.is_dir():
        problem, hint = f"{file} is a folder", "Name the file in it that is the adapter, as --impl=folder/file.py"
    elif file.exists():
        problem, hint = f"{file} is no file of Python", "The name of an adapter's file ends with .py"
    else:
        others = [each.name for each in file.parent.glob("*.py")] if file.parent.is_dir() else []
        problem = f"there is no file {file}" if file.parent.is_dir() else f"there is no folder {file.parent}"
        hint = as_sentence(suggestion(file.name, others, FORMS))
    raise AdapterError(spec, problem, hint)


def _import(spec: str, place: AdapterPlace) -> Any:
    add_current_folder()
    if place.file is not None:
        add_import_folder(place.file)
    module = place.module
    try:
        return _import_file(module, place.location) if place.location else importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = error.name or ""
        package, _, name = module.rpartition(".")
        harness = getattr(sys.modules.get(package), name, None)
        if missing == module and hasattr(harness, HARNESS_COMMAND):
            return harness
        if module == missing or module.startswith(f"{missing}."):
            problem = f"there is no module {missing!r} ({printable(str(error))})"
            hint = "Install it, or put its folder on the import path (PYTHONPATH)"
        else:
            problem = f"the module {module!r} is there, but something it imports is missing: {printable(str(error))}"
            hint = f"Install {_package_of(module, missing)} in the environment that runs the suite"
        raise AdapterError(spec, problem, hint) from error
    except (Exception, SystemExit) as error:
        shown = place.file or repr(module)
        trial = shlex.join(["python", str(place.file)]) if place.file else f"python -c 'import {module}'"
        problem = f"importing {shown} failed with {describe(error)}"
        raise AdapterError(spec, problem, f"See that `{trial}` works") from error


def _import_file(name: str, file: Path) -> ModuleType:
    """Return the module of a file, under a name by which nothing is imported."""
    known = sys.modules.get(name)
    if known is not None and known.__file__ == str(file):
        return known
    spec = spec_from_file_location(name, file)
    assert spec is not None  # noqa: S101  # its name ends with .py
    assert spec.loader is not None  # noqa: S101
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


OWN_ADAPTERS = "conformance.adapters."
PACKAGES = {"kafka": "kafka-python", "snappy": "python-snappy", "confluent_kafka": "confluent-kafka"}
"""The packages of an index whose names differ from those of their modules."""


def _package_of(module: str, missing: str) -> str:
    if module.startswith(OWN_ADAPTERS):
        return "kafka-wire-conformance[adapters]"
    top = missing.partition(".")[0]
    return PACKAGES.get(top, top) or "what is missing"


def _attribute(spec: str, module: Any, place: AdapterPlace) -> Any:
    attribute = place.attribute
    if not attribute:
        return getattr(module, DEFAULT_ATTRIBUTE, module)
    member: Any = module
    for part in attribute.split("."):
        if not hasattr(member, part):
            public = ", ".join(sorted(name for name in vars(module) if not name.startswith("_")))
            problem = f"{place.file or repr(place.module)} has no attribute {attribute!r}"
            raise AdapterError(spec, problem, f"It has: {public or 'nothing public'}")
        member = getattr(member, part)
    return member


def _instance(spec: str, member: Any) -> Any:
    if not (inspect.isclass(member) or inspect.isroutine(member)):
        return member
    try:
        return member()
    except (Exception, SystemExit) as error:
        hint = "A class or function that is an adapter is called without arguments, and makes or returns the adapter"
        raise AdapterError(spec, f"calling {member.__name__}() failed with {describe(error)}", hint) from error


KNOWN_FAILURES = "known_failures.toml"
"""The file beside an adapter with its known failures."""

ROWS = "known_failures"
"""The folder with known failures of adapters that are objects of a package, in files by their names."""


def adapter_file(impl: str) -> Path | None:
    """Return the file of the module in `--impl`, of its package if it has none, or None for a command."""
    if is_over_stdio(impl):
        return None
    place = place_of(impl)
    return place.file or _file_of(place.module) or _file_of(place.module.rpartition(".")[0])


def known_failures_file(impl: str) -> Path | None:
    """Return the file with the known failures of an adapter, or None if there is none."""
    file = adapter_file(impl)
    if file is None:
        return None
    place = place_of(impl)
    belongs = file.parent / KNOWN_FAILURES
    if place.file is None and not _file_of(place.module):
        belongs = file.parent / ROWS / f"{place.module.rpartition('.')[2]}.toml"
    return belongs if belongs.is_file() else None


def _file_of(module: str) -> Path | None:
    spec = module_spec(module, current_folder())
    return Path(spec.origin) if spec and spec.origin else None
