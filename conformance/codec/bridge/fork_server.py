"""A fork server, as fuzzers use it, with everything loaded to fork each child in milliseconds.

An adapter with its codec takes a second or more to load, and a codec that aborts on hostile bytes is loaded often.
`ForkServer` is the client's side, `serve` the server's. They exchange packets of a fixed size over a pair of sockets.
The three standard streams of a child are passed along as file descriptors.

Children are started from nothing where there is no `fork`, or where loading the adapter started threads. A fork would
have none of these threads, but all the locks that they held.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import socket
import struct
import sys
import time
import traceback
from contextlib import ExitStack, suppress
from subprocess import PIPE, STDOUT
from typing import IO, TYPE_CHECKING, NamedTuple, cast

from conformance.codec.bridge.child_client import START_DEADLINE
from conformance.codec.bridge.harness_errors import HarnessLostError, HarnessStartError
from conformance.codec.bridge.transport import cannot_run, ending_of
from conformance.system.forks import has_more_threads
from conformance.system.parents import end_with
from conformance.system.proc import bytes_of_peak
from conformance.system.program_output import Pipe, new_pipe
from conformance.system.programs import start
from conformance.system.time_limits import TimeLimit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from conformance.codec.bridge.harness_errors import Ending

_REQUEST = struct.Struct("!?id")
"""To fork: true, the size of the preparation that follows in bytes, 0. To wait: false, the process id, the seconds."""

_REPLY = struct.Struct("!?iq")
"""To the start: whether forking is possible. To fork: true, the process id. To wait: whether the child ended, its
status, and the peak of its resident memory as of getrusage(2). Other numbers are 0.
"""

_STREAMS = 3
_KEPT = 2000
"""Bytes kept of the beginning, and of the end, of the fork server's output."""

_PAUSE = 0.001

CAN_FORK = hasattr(os, "fork") and hasattr(socket, "recv_fds")


class _Reply(NamedTuple):
    is_done: bool = True
    number: int = 0
    peak: int = 0


class ForkedChild:
    """A child of the fork server, in the form of `RunningChild`."""

    def __init__(self, server: ForkServer, process_id: int, pipes: Sequence[IO[bytes]]) -> None:
        self.stdin, self.stdout, self.stderr = pipes
        self._server = server
        self.pid = process_id
        self._status: int | None = None
        self.peak = 0
        """The peak of its resident memory in bytes, once it has ended."""

    def wait(self, seconds: float | None = None) -> int | None:
        """Return the exit status, minus the number of a signal that ended the child, or None if it runs for longer."""
        while self._status is None:
            self._status, self.peak = self._server.wait(self.pid, 1.0 if seconds is None else seconds)
            if seconds is not None:
                break
        return self._status

    def kill(self) -> int:
        """End the child by force, and return its exit status."""
        if self._status is None:  # its process id is not used again before that is known
            os.kill(self.pid, signal.SIGKILL)
        status = self.wait()
        return -signal.SIGKILL if status is None else status


class ForkServer:
    """The parent process of forked children, from its start to `close`."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], shared: Sequence[int] = ()) -> None:
        """Start `command` and wait until it is ready.

        Its last argument is the file descriptor of its socket. The `shared` descriptors have the next numbers.

        Raises:
            HarnessStartError: it does not run, it ends, or is not ready in time.
        """
        self._control, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = start(
                    [*command, "3"],
                    stdout=PIPE,
                    stderr=STDOUT,
                    environment=environment,
                    others=[theirs.fileno(), *shared],
                )
            except OSError as error:
                self._control.close()
                raise cannot_run(command, error) from error
        self._output = Pipe(cast("IO[bytes]", self._process.stdout), _KEPT)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._control, selectors.EVENT_READ)
        self._selector.register(self._output.stream, selectors.EVENT_READ)
        self.is_closed = False
        self.can_fork = self._receive().is_done

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def fork(self, *, prepare: bytes = b"") -> ForkedChild:
        """Return a new child, forked after the server has called the function `prepare` of `serve` with these bytes.

        Raises:
            HarnessStartError: the fork server has ended.
            HarnessLostError: it was ended from outside.
        """
        with ExitStack() as theirs:
            (stdin, requests), (replies, stdout), (errors, stderr) = (new_pipe() for _ in range(_STREAMS))
            for descriptor in (stdin, stdout, stderr):
                theirs.callback(os.close, descriptor)
            pipes = os.fdopen(requests, "wb", 0), os.fdopen(replies, "rb", 0), os.fdopen(errors, "rb", 0)
            try:
                packet = _REQUEST.pack(True, len(prepare), 0.0)  # noqa: FBT003  # a packet's fields have no names
                with suppress(ConnectionError):  # `_receive` reports the end of the server
                    socket.send_fds(self._control, [packet], [stdin, stdout, stderr])
                    self._control.sendall(prepare)
                process_id = self._receive().number
            except BaseException:
                for pipe in pipes:
                    pipe.close()
                raise
        return ForkedChild(self, process_id, pipes)

    def wait(self, process_id: int, seconds: float) -> tuple[int | None, int]:
        """Return the exit status of a child, or None if it runs on after so long, and the peak of its memory in bytes.

        Raises:
            HarnessLostError: the fork server was ended from outside.
        """
        if self.is_closed:
            with suppress(OSError):  # it has ended
                os.kill(process_id, signal.SIGKILL)
            return -signal.SIGKILL, 0
        with suppress(ConnectionError):  # as above
            self._control.sendall(_REQUEST.pack(False, process_id, seconds))  # noqa: FBT003  # a packet's fields have no names
        reply = self._receive()
        return reply.number if reply.is_done else None, bytes_of_peak(reply.peak)

    def close(self) -> None:
        """End the fork server and all its children."""
        self.is_closed = True
        self._selector.close()
        self._control.close()
        self._process.end()

    def _receive(self) -> _Reply:
        """Return a reply, and read the output of the fork server meanwhile."""
        limit, packet = TimeLimit(self.pid, START_DEADLINE), b""
        while not limit.is_over():
            for key, _ in self._selector.select(limit.pause):
                if key.fileobj is self._output.stream:
                    if self._output.read() == 0:
                        self._selector.unregister(self._output.stream)
                    continue
                with suppress(ConnectionError):
                    packet = self._control.recv(_REPLY.size, socket.MSG_WAITALL)
                if len(packet) == _REPLY.size:
                    return _Reply(*_REPLY.unpack(packet))
                ending = self._ending()
                error = HarnessLostError if ending.is_from_outside else HarnessStartError
                raise error(f"the fork server ended; {ending}")
        raise HarnessStartError(f"the fork server does not answer within {limit}; {self._ending()}")

    def _ending(self) -> Ending:
        ending = ending_of(self._process, self._output, grace=1.0)
        self.close()
        return ending


def serve(descriptor: int, work: Callable[[], None], prepare: Callable[[bytes], object]) -> None:
    """Fork a child on each request, until the other side closes the socket.

    Args:
        descriptor: of the socket to the client.
        work: the work of a child, whose standard streams are those from the client.
        prepare: does with the client's preparation, before the fork, what each new child would otherwise do first.
    """
    with socket.socket(fileno=descriptor) as control:
        gc.freeze()
        control.sendall(_REPLY.pack(*_Reply(not has_more_threads(1))))
        children: set[int] = set()
        while True:
            packet, descriptors, _, _ = socket.recv_fds(control, _REQUEST.size, _STREAMS)
            if len(packet) < _REQUEST.size:
                break
            wants_child, number, seconds = _REQUEST.unpack(packet)
            if wants_child:
                if number:
                    prepare(control.recv(number, socket.MSG_WAITALL))
                gc.freeze()  # a collection in the child would touch, and so copy, what was prepared
                process_id = _fork(control, descriptors, work)
                children.add(process_id)
                control.sendall(_REPLY.pack(*_Reply(number=process_id)))
            else:
                control.sendall(_wait(number, seconds, children))
        for process_id in children:
            os.kill(process_id, signal.SIGKILL)


def _fork(control: socket.socket, descriptors: Sequence[int], work: Callable[[], None]) -> int:
    server, process_id = os.getpid(), os.fork()
    if process_id:
        for descriptor in descriptors:
            os.close(descriptor)
        return process_id
    status = 1
    try:
        end_with(server)
        os.setsid()  # a group of its own, which `_wait` ends with the processes that the codec started
        control.close()
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)
            os.close(descriptor)
        work()
        status = 0
    except BaseException:  # noqa: BLE001  # a forked child must never go on as if it were the server
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def _wait(process_id: int, seconds: float, children: set[int]) -> bytes:
    end = time.monotonic() + seconds
    while True:
        ended, status, usage = os.wait4(process_id, os.WNOHANG)
        if ended:
            children.discard(process_id)
            with suppress(OSError):  # it has left no processes of its own
                os.killpg(process_id, signal.SIGKILL)
            return _REPLY.pack(*_Reply(number=os.waitstatus_to_exitcode(status), peak=usage.ru_maxrss))
        if time.monotonic() >= end:
            return _REPLY.pack(*_Reply(is_done=False))
        # polling each millisecond is enough, since the child has mostly ended by now
        time.sleep(_PAUSE)
