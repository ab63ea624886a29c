"""The output of an adapter at its import, as one warning.

An adapter or its codec may print or log in each of many processes, and on the standard output of a command whose
output is for a program.
"""

from __future__ import annotations

import sys
import warnings
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any, TextIO

from conformance.system.printable import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

SHOWN = 200
"""The number of characters of the output in the warning."""

LONGEST = 100_000
"""The number of characters that are kept for the error of an import."""


class PrintedAtImport(UserWarning):
    """Output of an adapter at its import."""


class _Held:
    """A standard stream during an import, and the true one after it, as handlers of `logging` keep the stream."""

    def __init__(self, name: str, parts: list[str]) -> None:
        self._name = name
        self._parts: list[str] | None = parts
        self._size = 0

    @property
    def _stream(self) -> TextIO:
        stream: Any = getattr(sys, self._name)
        return getattr(sys, f"__{self._name}__") if stream is self else stream  # type: ignore[no-any-return]

    def write(self, text: str) -> int:
        if self._parts is None:
            return self._stream.write(text)
        if self._size < LONGEST:
            self._parts.append(text)
            self._size += len(text)
        return len(text)

    def release(self) -> None:
        self._parts = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def _warnings_to(stream: TextIO) -> Iterator[None]:
    # warnings are no output of the adapter
    show = warnings.showwarning

    def to_stream(  # noqa: PLR0913, PLR0917  # the form of `warnings.showwarning`
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        show(message, category, filename, lineno, file or stream, line)

    with warnings.catch_warnings():
        warnings.showwarning = to_stream
        yield


@contextmanager
def held_output(spec: str) -> Iterator[None]:
    """Hold back what an adapter prints, and warn of it, or print it on standard error if an error ends the import."""
    parts: list[str] = []
    output, errors = _Held("stdout", parts), _Held("stderr", parts)
    try:
        with _warnings_to(sys.stderr), redirect_stdout(output), redirect_stderr(errors):
            yield
    except BaseException:
        sys.stderr.write(for_terminal("".join(parts)))
        raise
    finally:
        for stream in (output, errors):
            stream.release()
    if text := "".join(parts).strip():
        lines = text.splitlines()
        shown = f"printed {len(lines)} line{'s' if len(lines) > 1 else ''} at its import: {lines[0][:SHOWN]}"
        warnings.warn_explicit(shown, PrintedAtImport, spec, 0)
