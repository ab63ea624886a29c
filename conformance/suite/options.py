"""The options of a run, each with its type, its default and its help in one place.

A new option is a field of `RunOptions`, and its use. The fields are read by `kafka-conformance run` and `broker`
(commands/suite_command.py), by pytest and its workers (run_options.py), by the section `[tool.kafka-conformance]`
(project_options.py), and by the page docs/reference/options.md.

`RunOptions` is a dataclass and no msgspec.Struct, since only the fields of a dataclass carry facts of our own. msgspec
reads their values all the same, so a type and its limits hold for each of these readers.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path  # noqa: TC003  # `get_type_hints` looks it up
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from conformance.codec.bridge.child_client import DEADLINE
from conformance.codec.bridge.isolation import MEMORY
from conformance.live.address import DEADLINE as SERVER_DEADLINE
from conformance.live.server.tiers import NEVER as NO_TIER
from conformance.targets.declared_limits import OF_SERVERS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

AUTO, ALWAYS, NEVER = "auto", "always", "never"
"""What a child process does: the choices of --isolation."""

MOST_WORKERS = 1_000
"""The most processes of a run, more than any machine has processors for."""

LARGEST = 10**9
"""No number of an option is larger: of seconds, of MiB, of frames."""

Whole = Annotated[int, Meta(ge=0, le=LARGEST)]
Number = Annotated[float, Meta(ge=0, le=LARGEST)]
Seconds = Annotated[float, Meta(gt=0, le=LARGEST)]

CODECS, SERVERS, PYTEST = "codecs", "servers", "pytest"
"""What an option is about: runs against codecs, runs against servers, or pytest itself, whose plugin has it."""

SHOWN = 40
"""Characters of a wrong value that an error shows."""


def option(text: str, metavar: str = "", *, default: Any = "", **facts: Any) -> Any:
    """Return the field of an option with these attributes of `Option`."""
    return field(default=default, metadata={"help": text, "metavar": metavar, **facts})


of_codecs, of_servers = partial(option, of=CODECS), partial(option, of=SERVERS)


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """The options of a run against a codec, or against a server behind a port."""

    impl: str = of_codecs(
        "The adapter of the implementation to test: MODULE[:ATTRIBUTE], FILE.py[:ATTRIBUTE] or stdio:COMMAND.",
        metavar="ADAPTER",
        is_key=True,
    )
    release: str = option(
        "A Kafka release, a proposal, or a folder of definitions (default: the newest release).",
        "NAME|PATH",
        is_key=True,
    )
    base_release: str = of_codecs("Leave what is the same in that other release to a run against it.", "NAME|PATH")
    messages: tuple[str, ...] = option(
        "Only these messages: names or globs, separated by commas. FetchRequest-v12..17 picks versions. Repeatable.",
        metavar="GLOBS",
        default=(),
        is_key=True,
    )
    ignore_project: bool = of_codecs("Take no options from pyproject.toml.", default=False)
    depth: Literal["quick", "full", "nightly"] = of_codecs("The number of generated values.", default="quick")
    records: Literal["opaque", "real"] = of_codecs(
        "The contents of records fields: any bytes (opaque), or record batches (real) as well.", default="opaque"
    )
    only: Literal["hostile"] | None = option(
        "Try invalid and deadly bytes alone, and measure the memory and time that each byte of them takes.",
        default=None,
    )
    smoke: bool = of_codecs(
        "Check the adapter itself, and run all checks on six messages: takes seconds.", default=False
    )
    isolation: Literal["auto", "always", "never"] = of_codecs(
        "Have a child process read invalid bytes, and a fork do the rest (auto); or a child process do everything but "
        "load the adapter (always), or nothing (never).",
        default=AUTO,
    )
    memory_limit: Whole = of_codecs("MiB for one decode in a child process; 0: no limit.", "MIB", default=MEMORY)
    time_limit: Seconds = of_codecs(
        "Seconds for one decode in a child process, or for one request to a harness.", "SECONDS", default=DEADLINE
    )
    known_failures: Path | None = option("A TOML file of expected findings.", "FILE", default=None, is_key=True)
    update_known_failures: bool = option(
        "Rewrite that file: remove entries that no longer fail, add new findings without a reason.", default=False
    )
    costs: bool = option("Show whose code takes the processor time.", default=False)
    found: Path | None = option("Try the found cases in this folder first, and add new findings.", "DIR", default=None)
    report: Path | None = option("Write all findings as JSON Lines.", "FILE", default=None, is_key=True)
    replace_report: bool = option("Let a partial run replace a report of more; else it is FILE.partial.", default=False)
    workers: Annotated[int, Meta(ge=0, le=MOST_WORKERS)] | None = option(
        "Processes at the same time.", "NUMBER", default=None, of=PYTEST, flag="-n", is_key=True
    )

    broker: str = of_servers("Test the server at this address, by frames alone.", "HOST:PORT")
    start: str = of_servers(
        "Start the server by this command, which prints HOST:PORT: one for each worker, and again if it died.",
        "COMMAND",
    )
    no_op: bool = of_servers("Send requests that change things, too, with values that change nothing.", default=False)
    throw_away: bool = of_servers("Send anything, hostile bytes included: the server may be lost.", default=False)
    memory: bool = of_servers("Announce large sizes, too, one connection at a time.", default=False)
    max_size: Whole = of_servers("The largest size that --memory announces, in MiB.", "MIB", default=64)
    pid: Whole | None = of_servers(
        "The server's process on this machine: its memory is watched, and silence is allowed while it works.",
        metavar="PID",
        default=None,
    )
    allow: tuple[str, ...] = of_servers(
        f"Send requests of this API, too, one of those that no tier allows: {', '.join(sorted(NO_TIER))}. Repeatable.",
        metavar="API",
        default=(),
        choices=sorted(NO_TIER),
    )
    limit: tuple[str, ...] = of_servers(
        f"A size beyond which the server may refuse sound requests: {', '.join(OF_SERVERS)}. Repeatable.",
        metavar="NAME=NUMBER",
        default=(),
    )
    not_loopback: bool = of_servers("Let --throw-away and --memory test another machine.", default=False)
    sasl: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] | None = of_servers(
        "Authenticate by this mechanism: PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512.", "MECHANISM", default=None
    )
    user: str = of_servers("Authenticate by this name, and by the password in the variable KAFKA_PASSWORD.", "NAME")
    tls: bool = of_servers("Speak TLS, and trust what this machine trusts.", default=False)
    cafile: str = of_servers("Speak TLS, and trust the authorities in this PEM file.", "FILE")
    certfile: str = of_servers("A PEM file with the client's certificate and key.", "FILE")
    rate: Number = of_servers("Send so many frames a second at most, by all workers together.", "FRAMES", default=0.0)
    minutes: Number = of_servers(
        "Ask nothing more after so many minutes, and count what was left out.", "MINUTES", default=0.0
    )
    deadline: Seconds = of_servers("Seconds to wait for an answer.", "SECONDS", default=SERVER_DEADLINE)

    @property
    def names_server(self) -> bool:
        """Whether they are about a server."""
        return bool(self.broker or self.start)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> RunOptions:
        """Return options by the values of their attributes, where None is no value."""
        return cls(**{name: value for name, value in values.items() if value is not None})

    @property
    def given(self) -> list[Option]:
        """The options with another value than their default."""
        return [each for each in OPTIONS.values() if getattr(self, each.name) != each.default]

    def words(self, names: Collection[str] | None = None) -> list[str]:
        """Return the given options as words of a command line, or those of some attributes."""
        found: list[str] = []
        for each in self.given:
            if names is None or each.name in names:
                value = getattr(self, each.name)
                for one in value if each.is_repeatable else (value,):
                    text = f"{one:g}" if isinstance(one, float) else str(one)
                    found += [each.flag] if each.is_flag else [each.flag, text]
        return found


REACHING = ("start", "sasl", "user", "tls", "cafile", "certfile", "deadline")
"""The options for reaching a server in the same way, beside its address."""


class Option(NamedTuple):
    """One option, made of a field.

    `kind` is the type of a value, or of one of several values. `of` is set if the option has no meaning for another
    kind of run. With `is_key` the section of a project may have it.
    """

    name: str
    kind: Any
    default: Any
    is_repeatable: bool
    help: str
    metavar: str
    of: str = ""
    is_key: bool = False
    choices: Sequence[str] = ()
    flag: str = ""

    @property
    def key(self) -> str:
        """The name in the section of a project."""
        return self.name.replace("_", "-")

    @property
    def is_flag(self) -> bool:
        """Whether it has no value."""
        return self.kind is bool

    def read(self, value: Any, *, strict: bool = False) -> Any:
        """Return one value in the option's type, or raise `ValueError`. With `strict` a text is no number."""
        if self.choices and value not in self.choices:
            raise ValueError(f"{shown(value)} is none of {', '.join(self.choices)}")
        try:
            return msgspec.convert(value, self.kind, strict=strict, dec_hook=from_text)
        except msgspec.ValidationError as error:
            raise ValueError(f"{shown(value)}: {error}") from error


def shown(value: Any) -> str:
    """Return a wrong value in an error."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def from_text(kind: type, value: Any) -> Any:
    """Return a path in JSON or TOML, for msgspec."""
    if not isinstance(value, str):
        raise TypeError(f"Expected `str`, got `{type(value).__name__}`")
    return kind(value)


def _options() -> dict[str, Option]:
    found, types = {}, get_type_hints(RunOptions, include_extras=True)
    for each in fields(RunOptions):
        kind = types[each.name]
        one = get_args(kind)[0] if get_origin(kind) in {tuple, Union, UnionType} else kind
        choices = get_args(one) if get_origin(one) is Literal else ()
        derived = {"flag": f"--{each.name.replace('_', '-')}", "choices": choices}
        is_repeatable = get_origin(kind) is tuple
        found[each.name] = Option(each.name, one, each.default, is_repeatable, **{**derived, **each.metadata})
    return found


OPTIONS = _options()
"""Every option, by its attribute."""


def options_of(*kinds: str) -> list[Option]:
    """Return the options about some kinds of runs, where "" stands for all kinds."""
    return [each for each in OPTIONS.values() if each.of in kinds]
