"""Writers that end their process by one way, at one kind of value.

`DEADLY` names both: the way, and the message or the kind of value, as in `abort HeartbeatRequest`.
"""

import ctypes
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import reference
from conformance.adapter import Value
from conformance.adapters import reference as whole
from reference import MessageSchema
from tests.fakes.crashing_codecs import is_in_child
from tests.fakes.lies import Honest, lie

MESSAGES = tuple(
    f"{name}{kind}"
    for name in ("AddOffsetsToTxn", "DeleteGroups", "EndTxn", "Heartbeat", "LeaveGroup", "SyncGroup")
    for kind in ("Request", "Response")
)
"""A dozen."""

WRONG_TYPE, SMALLEST = "wrong-type", "smallest"
"""A text for a number, and the smallest HeartbeatRequest."""


def overflow() -> None:
    """Overflow the stack of C, by sorting two numbers with a function that sorts two numbers."""
    sys.setrecursionlimit(10**9)
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    sort, numbers = ctypes.CDLL(None).qsort, (ctypes.c_int * 2)(2, 1)

    @compare  # type: ignore[untyped-decorator]  # of ctypes
    def again(*_: object) -> int:
        sort(numbers, 2, ctypes.sizeof(ctypes.c_int), again)
        return 0

    again(None, None)


WAYS: Mapping[str, Callable[[], object]] = {
    "abort": os.abort,
    "exit": partial(os._exit, 0),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "overflow": overflow,
    "segfault": lambda: os.kill(os.getpid(), signal.SIGSEGV),
}


def _end_at_the_deadly(schema: MessageSchema, value: Value) -> Value:
    way, when = os.environ["DEADLY"].split()
    is_wrong_type = isinstance(value.get("GenerationId"), str)
    is_smallest = schema.message == "HeartbeatRequest" and value == reference.minimal(schema)
    if schema.message == when or (is_wrong_type and when == WRONG_TYPE) or (is_smallest and when == SMALLEST):
        WAYS[way]()
    return value


def _warn(_schema: MessageSchema, value: Value) -> Value:
    warnings.warn("this codec is old", FutureWarning, stacklevel=1)
    return value


def _wait(schema: MessageSchema, value: Value) -> Value:
    if schema.message == "HeartbeatResponse" and not is_in_child():
        file = Path(os.environ["WAITING"])
        file.with_suffix(".new").write_text(str(os.getpid()), encoding="ascii")
        file.with_suffix(".new").rename(file)
        threading.Event().wait()
    return value


EndsWriting = lie(supported={message: [1] for message in MESSAGES}, given=_end_at_the_deadly)
"""Ends its process at one kind of value."""
HasAThread = lie(EndsWriting, start=lambda: threading.Thread(target=threading.Event().wait, daemon=True).start())
EndsItsFirstProcess = lie(
    given=lambda schema, value: os.abort() if value.get("ErrorCode") == 1 and not is_in_child() else value
)
"""Ends the process in which it was not started for the suite's calls alone, at an error code."""
WarnsWriting = lie(given=_warn)
Waits = lie(given=_wait)
"""Never returns from one message outside of the child of the suite, and names its process in the file `WAITING`."""


class EndsTheFirstCall(Honest):
    """Ends each process at its first call, unless that one is refused."""

    _called_in = 0
    supported = staticmethod(lambda: {"HeartbeatRequest": [1], "HeartbeatResponse": [1], "EndTxnRequest": [1]})

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        is_first, self._called_in = self._called_in != os.getpid(), os.getpid()
        wire = super().encode(schema, value)
        if is_first:
            os.abort()
        return wire


class StaysInTheChild:
    """Does everything that the reference does, and ends every process but the child of the suite."""

    def __init__(self) -> None:
        for name in dir(whole):
            if name.startswith(("encode", "decode")) or name in {"size", "header_version"}:
                setattr(self, name, partial(self._call, getattr(whole, name)))
        self.name, self.version, self.capabilities = "reference", "1", whole.capabilities
        self.rejections, self.supported = whole.rejections, Honest().supported

    def _call(self, function: object, *arguments: object, **named: object) -> object:
        if not is_in_child():
            os.abort()
        return function(*arguments, **named)  # type: ignore[operator]
