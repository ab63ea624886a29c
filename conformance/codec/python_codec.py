"""The calls of a Python adapter in this process, with an outcome for each, however the adapter behaves."""

from __future__ import annotations

import sys
from opcode import opmap
from pathlib import Path
from traceback import walk_tb
from typing import TYPE_CHECKING

from conformance.adapter import AdapterError, Unrepresentable, Unsupported
from conformance.targets import DECODE, ENCODE
from conformance.targets.outcome import REFUSALS, Kind, Outcome
from conformance.targets.plain_values import UnsupportedType, describe, plain, short_repr
from reference import Reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.codec.loaded_adapter import LoadedAdapter
    from conformance.targets import Ask

OF_MAPPING = "raise Unrepresentable for a value that the codec's types cannot hold"
REASONS = tuple(str(reason) for reason in Reason)


class PythonCodec:
    """A Python adapter under test."""

    sends_ahead = False

    def __init__(self, adapter: LoadedAdapter) -> None:
        self.claims = adapter
        self._rejections = tuple(each for each in adapter.rejections if each is not Exception)

    def send(self, asks: Sequence[Ask]) -> None:
        """Do nothing: each call is made in its turn."""

    def perform(self, ask: Ask) -> Outcome:
        """Return the outcome of one call."""
        what, target = ask.what, ask.target
        outcome = target.unasked(ask, self.claims) if what == ENCODE else None
        if outcome is not None:
            return outcome
        name = target.function(what)
        function = getattr(self.claims, name, None)
        if function is None:
            return Outcome(Kind.UNSUPPORTED, text=name)
        # a copy, by which a change to the bytes (from C) is noticed
        content = bytes(bytearray(ask.content)) if what == DECODE else ask.content
        arguments, keywords = target.arguments(what, content), target.keywords(content) if what == ENCODE else {}
        try:
            returned = function(*arguments, **keywords)
        except (KeyboardInterrupt, AdapterError):
            raise
        except BaseException as error:  # noqa: BLE001  # SystemExit and its like must not end the run
            outcome = self._refusal(error, has_reason=what == DECODE and target.content_class is None)
        else:
            outcome = target.taken(what, returned)
        if what == DECODE and content != ask.content:
            return Outcome(Kind.PROTOCOL_ERROR, text=f"{name} changed the bytes that it was handed")
        return outcome

    def describe(self) -> Outcome:
        """Return the outcome with the implementation's own schema."""
        if self.claims.describe is None:
            return Outcome(Kind.UNSUPPORTED, text="the adapter has no describe")
        return Outcome(Kind.VALUE, value={**self.claims.describe()})

    def _refusal(self, error: BaseException, *, has_reason: bool) -> Outcome:
        kind, reason, module = self._kind_of(error), "", raised_in(error)
        is_own = kind in REFUSALS and self.claims.is_own_code(module)
        if is_own and _is_of_standard(error):
            text = f"the adapter's own code ({place_in(error, module)}) raises {describe(error)}: {OF_MAPPING}"
            return Outcome(Kind.HARNESS_ERROR, text=text, raised_in=module)
        is_python = is_own and kind is Kind.UNCLASSIFIED and _is_of_python(error)
        place = place_in(error, module) if is_python else ""
        if has_reason and kind in REFUSALS and isinstance(error, Exception):
            try:
                reason = self._reason(error)
            except UnsupportedType as problem:
                return Outcome(Kind.PROTOCOL_ERROR, text=str(problem))
        return Outcome(kind, text=describe(error), reason=reason, raised_in=module, place=place)

    def _reason(self, error: Exception) -> str:
        if self.claims.classify is None:
            return ""
        try:
            reason = plain(self.claims.classify(error))
        except (Exception, SystemExit) as broken:
            raise UnsupportedType(f"classify failed on {describe(error)}: {describe(broken)}") from broken
        if reason is None:
            return ""
        if reason not in REASONS:
            known = ", ".join(REASONS)
            raise UnsupportedType(
                f"classify returned {short_repr(reason)} for {describe(error)}; the reasons are {known}"
            )
        return str(reason)

    def _kind_of(self, error: BaseException) -> Kind:
        kinds: tuple[tuple[type[BaseException] | tuple[type[BaseException], ...], Kind], ...] = (
            (Unsupported, Kind.UNSUPPORTED),
            (Unrepresentable, Kind.UNREPRESENTABLE),
            (MemoryError, Kind.EXHAUSTED_MEMORY),
            (RecursionError, Kind.CRASHED),
            (self._rejections, Kind.REJECTED),
            (Exception, Kind.UNCLASSIFIED),
        )
        return next((kind for classes, kind in kinds if isinstance(error, classes)), Kind.CRASHED)


def raised_in(error: BaseException) -> str:
    """Return the name of the module whose code raised an exception, itself or by a call of the standard library."""
    modules = _modules_of(error)
    others = [name for name in modules if not _is_standard(name)]
    return (others or modules)[-1]


def place_in(error: BaseException, module: str) -> str:
    """Return the file and line of a module in which an exception passed last, as `adapter.py:34`."""
    places = [
        f"{Path(frame.f_code.co_filename).name}:{line}"
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_globals.get("__name__") == module
    ]
    return places[-1] if places else ""


def _is_of_python(error: BaseException) -> bool:
    """Return whether Python raised an exception by itself, as for a missing key, and no statement `raise` did."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None or type(error).__module__ != "builtins":
        return False
    code = traceback.tb_frame.f_code.co_code
    return code[traceback.tb_lasti] != opmap["RAISE_VARARGS"]


def _modules_of(error: BaseException) -> list[str]:
    """Return the modules of the frames of an exception, the innermost last, or one empty name without frames."""
    return [str(frame.f_globals.get("__name__", "")) for frame, _ in walk_tb(error.__traceback__)] or [""]


def _is_standard(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _is_of_standard(error: BaseException) -> bool:
    """Return whether code of the standard library raised an exception, as an enum does."""
    return _is_standard(_modules_of(error)[-1])
