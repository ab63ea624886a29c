"""The command `kafka-conformance`, and the list of its commands.

Commands are imported when used, as most need hypothesis, pytest or the definitions of a release, which takes a second.
"""

from __future__ import annotations

import errno
import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from conformance import __version__
from conformance.commands.common import UnwrittenError
from conformance.commands.group import CommandGroup, LazyCommand
from conformance.system.import_path import leave_current_folder
from conformance.system.system_errors import text_of
from conformance.system.terminal import errors_printable, open_standard_streams
from conformance.system.whole_files import NotWritten
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterator

MODULES = {
    "bench": LazyCommand("bench:bench", "Measure the speed of codecs."),
    "bridge": LazyCommand("bridge:bridge", "Check a harness in another language."),
    "broker": LazyCommand("broker:broker", "Test a server behind a port."),
    "campaign": LazyCommand("campaign:campaign", "Try millions of cases on several codecs."),
    "capture": LazyCommand("capture:capture", "Record the frames of clients and a server."),
    "client": LazyCommand("client:client", "Test a client program."),
    "completion": LazyCommand("completion:completion", "Print what completes commands in a shell."),
    "corpus": LazyCommand("corpus:corpus", "Build and check corpora of wire bytes."),
    "explain": LazyCommand("explain:explain", "Show what each byte of a message is."),
    "judge": LazyCommand("judge:judge", "Judge every frame of a capture or a pcap."),
    "kip625": LazyCommand("kip625:kip625", "Measure the encodings of KIP-625."),
    "matrix": LazyCommand("matrix:matrix", "Test several codecs and releases at once."),
    "new": LazyCommand("new:new", "Write an adapter or a harness to begin with."),
    "nightly": LazyCommand("nightly:nightly", "Search at random until time is up."),
    "prove": LazyCommand("prove:prove", "Compare the reference with Apache Kafka."),
    "redact": LazyCommand("capture:redact_command", "Take the contents of records from a capture."),
    "release": LazyCommand("release:release", "Import a release and run everything on it."),
    "replay": LazyCommand("replay:replay", "Run one case, or found cases, again."),
    "report": LazyCommand("report:report", "Make a site, JUnit, SARIF … of reports."),
    "rules": LazyCommand("rules:rules", "List the rules, or explain one."),
    "run": LazyCommand("run:run", "Test a codec: every check, every message."),
    "schema": LazyCommand("schema:schema", "Compare a codec's own schema with Kafka's."),
    "specs": LazyCommand("specs:specs", "Show, check and compare definitions."),
    "vectors": LazyCommand("vectors:vectors", "Build, check and run the golden vectors."),
}
"""The commands of other modules, with their help in the list of all commands."""

HEADINGS = {
    "Begin": ("new", "bridge", "completion"),
    "Test": ("run", "broker", "client", "replay", "matrix"),
    "Look": ("explain", "rules", "schema", "report"),
    "Traffic": ("capture", "judge", "redact"),
    "Golden vectors": ("vectors",),
    "Definitions": ("specs",),
    "Campaigns": ("campaign", "nightly", "corpus"),
    "Develop the suite": ("bench", "prove", "release", "kip625"),
}
"""The commands by their purpose."""


class Commands(CommandGroup):
    """A group whose errors for users and of the operating system are printed without traceback, with status 1."""

    def main(self, *arguments: Any, **extra: Any) -> Any:
        """Run a command line, also without standard streams."""
        open_standard_streams()
        with interruptible():
            return super().main(*arguments, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Invoke a command, and raise a ConformanceError or an OSError of it as `ClickException`."""
        with errors_printable():
            try:
                return super().invoke(ctx)
            except NotWritten as error:
                raise UnwrittenError(str(error)) from error
            except ConformanceError as error:
                raise click.ClickException(str(error)) from error
            except OSError as error:
                if error.errno == errno.EPIPE:  # nobody reads the output any more: click ends silently
                    raise
                raise click.ClickException(text_of(error)) from error

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        """Return the context of a command line. Its errors are those of click."""
        with errors_printable():
            return super().make_context(*arguments, **extra)


@click.group(cls=Commands, modules=MODULES, headings=HEADINGS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="kafka-conformance")
def main() -> None:
    """Test implementations of the Kafka wire protocol.

    Codecs, servers, clients and captures are tested, and each departure from the protocol is shown in bytes. Begin with
    `kafka-conformance new adapter NAME`, and `kafka-conformance run --impl=./NAME.py --smoke`.
    """
    leave_current_folder()  # `load_codec` puts it behind all else


ENDING = ("SIGTERM", "SIGHUP")
"""The signals of a service manager, and of a closed terminal."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt for each signal that would end this process without any clean-up.

    Ignored signals stay ignored, as SIGHUP below `nohup`. Only the main thread may do this; others go without.
    """
    before = {} if threading.current_thread() is not threading.main_thread() else _abrupt()
    for number in before:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _abrupt() -> dict[int, signal.Handlers]:
    numbers = (getattr(signal, name) for name in ENDING if hasattr(signal, name))
    return {number: signal.SIG_DFL for number in numbers if signal.getsignal(number) is signal.SIG_DFL}
