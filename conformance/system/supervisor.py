"""Starts programs, and ends each with all that it has started: a program of its own, with the standard library alone.

    python -I -S - DESCRIPTOR < supervisor.py

A process that leaves its group and its parent belongs to nobody, except to a *subreaper*: a process that Linux gives
such orphans to. The suite's own process is the user's, so this one is there. It forks a *keeper* for each program; a
keeper is a subreaper too, so what a program has left behind, in whatever session, is a descendant of its keeper.

A program is ended, all of it, when the suite asks for that, when its first process ends, and when the other end of the
keeper's socket is closed: as by the death of the suite, however it dies. Other systems have no subreapers: there only
the process group is ended.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import json
import os
import select
import signal
import socket
import struct
import sys
import time
from contextlib import suppress

LENGTH = struct.Struct("!I")
"""The head of a request: the bytes of JSON that follow. With it come descriptors: the keeper's socket, the program's
standard streams, and what else the program gets, from number 3 on."""

STARTED = struct.Struct("!ii")
"""The first reply: the process id; or 0, and the error number of the operating system."""

LEFT = 15
ENDED = struct.Struct(f"!i{LEFT}i")
"""The last reply: the status as of `os.waitpid`, and processes that could not be ended, then zeros."""

END = b"\0"
"""Ends a program with all that it has started; any other byte is the number of a signal for its group."""

SECONDS_TO_END = 5.0
"""After which a process that is still there is given up: it belongs to another user, or waits for a device."""

PAUSE = 0.002
MAXIMUM_DESCRIPTORS = 32
SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2)."""

NOT_IGNORED = ("HUP", "INT", "QUIT", "PIPE", "TERM", "CHLD", "TSTP", "TTIN", "TTOU", "XFSZ")
"""Signals that a program does not ignore just because Python does, or a shell for what it starts in the background."""


def main(descriptor: int) -> None:
    """Fork a keeper for each request, until the other side closes the socket; then end all of them."""
    adopt_orphans()
    family = Family(0)
    with socket.socket(fileno=descriptor) as control:
        while True:
            head, descriptors, _, _ = socket.recv_fds(control, LENGTH.size, MAXIMUM_DESCRIPTORS)
            if len(head) < LENGTH.size:
                break
            [length] = LENGTH.unpack(head)
            request = json.loads(control.recv(length, socket.MSG_WAITALL))
            for each in descriptors:
                os.set_inheritable(each, False)  # noqa: FBT003  # as it is called
            if os.fork() == 0:
                control.close()
                keep(request, descriptors)
            for each in descriptors:
                os.close(each)
            family.bury()
    family.end()


def adopt_orphans() -> None:
    """Become the parent of descendants that lose theirs, where the system has that."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, *(ctypes.c_ulong(word) for word in (1, 0, 0, 0)))


def keep(request: dict[str, list[str]], descriptors: list[int]) -> None:
    """Be a keeper: start a program, tell of its start, watch it, end it, and tell of its end."""
    try:
        adopt_orphans()
        woken, waking = os.pipe()
        os.set_blocking(waking, False)
        signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        pid, error = launch(request, descriptors[1:])
        family = Family(pid)
        with socket.socket(fileno=descriptors[0]) as link, suppress(OSError):  # nobody may be there to be told
            with suppress(OSError):
                link.sendall(STARTED.pack(pid, error))
                family.watch(link, woken)
            left = family.end()
            link.sendall(ENDED.pack(family.status, *left[:LEFT], *[0] * (LEFT - len(left))))
    finally:
        os._exit(0)


class Family:
    """A program, and what has descended from it; all that has descended from this process, if `first` is 0."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.has_ended = not first
        self.status = 0

    def watch(self, link: socket.socket, woken: int) -> None:
        """Return when the first process has ended, or when the other side asks for the end of all."""
        while not self.has_ended:
            ready, _, _ = select.select([link.fileno(), woken], [], [])
            if woken in ready:
                os.read(woken, 1024)
                self.bury()
            if link.fileno() in ready:
                for number in link.recv(16) or END:
                    if number == END[0]:
                        return
                    self.tell(number)

    def tell(self, number: int) -> None:
        """Send a signal to the program's process group."""
        if not self.has_ended:
            with suppress(OSError):
                os.killpg(self.first, number)

    def bury(self) -> bool:
        """Take in the children that have ended, and return whether there are others."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self.first:
                self.has_ended, self.status = True, status

    def end(self) -> list[int]:
        """End all, and return the processes that could not be ended."""
        if self.first:
            with suppress(OSError):
                os.killpg(self.first, signal.SIGKILL)
        given_up = time.monotonic() + SECONDS_TO_END
        while self.bury():
            left = descendants()
            if time.monotonic() > given_up:
                return left
            for pid in left:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(PAUSE)
        return []


def descendants() -> list[int]:
    """Return the descendants of this process that have not ended; none where the system does not tell."""
    children: dict[int, list[int]] = {}
    with suppress(OSError):
        for name in os.listdir("/proc"):  # noqa: PTH208  # pathlib takes longer to import than this program to start
            with suppress(OSError, IndexError):  # it has ended meanwhile
                if name.isdigit():
                    children.setdefault(_parent(name), []).append(int(name))
    found = children.get(os.getpid(), [])
    for pid in found:
        found += children.get(pid, [])
    return found


def _parent(name: str) -> int:
    """Return the parent as of /proc/PID/stat: the second field behind the name, which may have any character."""
    descriptor = os.open(f"/proc/{name}/stat", os.O_RDONLY)
    try:
        return int(os.read(descriptor, 1024).rpartition(b")")[2].split()[1])
    finally:
        os.close(descriptor)


def launch(request: dict[str, list[str]], descriptors: list[int]) -> tuple[int, int]:
    """Return the id of a new process that is the program, in a session of its own; or 0, and why there is none."""
    error, failed = os.pipe()
    pid = os.fork()
    if pid == 0:
        become(request, descriptors, failed)
    for each in (*descriptors, failed):
        os.close(each)
    failure = os.read(error, 16)
    os.close(error)
    return (0, int(failure)) if failure else (pid, 0)


def become(request: dict[str, list[str]], descriptors: list[int], failed: int) -> None:
    """Become a program; if that fails, write the error number of the operating system, and end."""
    number = errno.EINVAL
    try:
        os.setsid()
        high = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, len(descriptors)) for each in (*descriptors, failed)]
        failed = high.pop()
        for place, each in enumerate(high):
            os.dup2(each, place)
        for name in NOT_IGNORED:
            signal.signal(getattr(signal, f"SIG{name}"), signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        [folder] = encoded(request["folder"])
        words, pairs = encoded(request["command"]), encoded(request["environment"])
        os.chdir(folder)
        os.execvpe(words[0], words, dict(zip(pairs[::2], pairs[1::2], strict=True)))  # noqa: S606  # as asked
    except OSError as error:
        number = error.errno or number
    finally:
        os.write(failed, b"%d" % number)
        os._exit(127)


def encoded(texts: list[str]) -> list[bytes]:
    """Return the bytes of texts that have a character for each."""
    return [text.encode("latin-1") for text in texts]


if __name__ == "__main__":
    main(int(sys.argv[-1]))
