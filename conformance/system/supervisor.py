"""Starts programs, and ends each with all processes that it has started.

    python -I -S - DESCRIPTOR < supervisor.py

This is a program of its own and uses the standard library alone.

A process that leaves its group and its parent goes to a *subreaper*: a process to which Linux gives such orphans. The
suite's own process belongs to the user, so this one is the subreaper. It forks a *keeper* for each program. A keeper is
a subreaper too, so all processes of the program, in any session, are descendants of its keeper.

A keeper ends its program with all processes when the suite requests it, when the program's first process ends, and when
the other end of the keeper's socket is closed, as at any death of the suite. Other systems have no subreapers. There
only the process group is ended.
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
"""The head of a request: the number of bytes of JSON after it. Descriptors come with it: the keeper's socket, the
program's standard streams, and further ones for the program from number 3 on."""

STARTED = struct.Struct("!ii")
"""The first reply: the process id and 0, or 0 and the error number of the operating system."""

LEFT = 15
ENDED = struct.Struct(f"!iq{LEFT}i")
"""The last reply: the status as of `os.wait4`, the peak of resident memory there, and processes that could not be
ended, filled up with zeros."""

END = b"\0"
"""Ends a program with all its processes. Any other byte is the number of a signal for its group."""

SECONDS_TO_END = 5.0
"""Seconds before a keeper gives up a process. Such a process belongs to another user, or waits for a device."""

PAUSE = 0.002
MAXIMUM_DESCRIPTORS = 32
PARENT_DEATH_SIGNAL, SUBREAPER = 1, 36
"""PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of prctl(2)."""

# Python ignores some of these, and a shell ignores others in its background jobs: a program gets their defaults.
NOT_IGNORED = ("HUP", "INT", "QUIT", "PIPE", "TERM", "CHLD", "TSTP", "TTIN", "TTOU", "XFSZ")


def main(descriptor: int) -> None:
    """Fork a keeper for each request until the other side closes the socket, then end all keepers."""
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
    """Become the parent of orphaned descendants, on systems with this feature."""
    control(SUBREAPER, 1)


def control(operation: int, word: int) -> bool:
    """Call prctl(2) for this process, and return whether the system has it and grants the request."""
    words = (ctypes.c_ulong(each) for each in (word, 0, 0, 0))
    return sys.platform == "linux" and bool(ctypes.CDLL(None).prctl(operation, *words) == 0)


def keep(request: dict[str, list[str]], descriptors: list[int]) -> None:
    """Start a program, report its start, watch it, end it, and report its end, as the whole life of a keeper."""
    try:
        adopt_orphans()
        woken, waking = os.pipe()
        os.set_blocking(waking, False)
        signal.set_wakeup_fd(waking, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        pid, error = launch(request, descriptors[1:])
        family = Family(pid)
        with socket.socket(fileno=descriptors[0]) as link, suppress(OSError):  # nobody may be there to read it
            with suppress(OSError):
                link.sendall(STARTED.pack(pid, error))
                family.watch(link, woken)
            left = family.end()
            link.sendall(ENDED.pack(family.status, family.peak, *left[:LEFT], *[0] * (LEFT - len(left))))
    finally:
        os._exit(0)


class Family:
    """A program and its descendants, or all of this process if `first` is 0."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.has_ended = not first
        self.status = 0
        self.peak = 0

    def watch(self, link: socket.socket, woken: int) -> None:
        """Return when the first process has ended, or the other side requests the end of all."""
        while not self.has_ended:
            # `woken` is readable after each SIGCHLD, so neither the program's end nor a request has to be polled.
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
        """Reap the children that have ended, and return whether others are left."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self.first:
                self.has_ended, self.status, self.peak = True, status, usage.ru_maxrss

    def end(self) -> list[int]:
        """End all processes, and return those that could not be ended."""
        if self.first:
            with suppress(OSError):
                os.killpg(self.first, signal.SIGKILL)
        given_up = time.monotonic() + SECONDS_TO_END
        while self.bury():  # again and again: a process may have forked before its signal came
            left = descendants()
            if time.monotonic() > given_up:
                return left
            for pid in left:
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(PAUSE)
        return []


def descendants() -> list[int]:
    """Return the live descendants of this process, or none on systems without /proc."""
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
    """Skip the name, which may have any character, to the parent as the second field after it."""
    descriptor = os.open(f"/proc/{name}/stat", os.O_RDONLY)
    try:
        return int(os.read(descriptor, 1024).rpartition(b")")[2].split()[1])
    finally:
        os.close(descriptor)


def launch(request: dict[str, list[str]], descriptors: list[int]) -> tuple[int, int]:
    """Return the process id of a new program in its own session and 0, or 0 and the error number of the system."""
    error, failed = os.pipe()
    pid = os.fork()
    if pid == 0:
        become(request, descriptors, failed)
    for each in (*descriptors, failed):
        os.close(each)
    failure = os.read(error, 16)  # empty as soon as the new program runs, which closes its end of the pipe
    os.close(error)
    return (0, int(failure)) if failure else (pid, 0)


def become(request: dict[str, list[str]], descriptors: list[int], failed: int) -> None:
    """Become a program, or write the operating system's error number and end."""
    number = errno.EINVAL
    try:
        os.setsid()
        control(PARENT_DEATH_SIGNAL, signal.SIGKILL)  # a keeper that is killed ends nothing itself
        # All descriptors move to high numbers first: numbers 0, 1, 2, ... may be in use by others of them.
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
        os.execvpe(words[0], words, dict(zip(pairs[::2], pairs[1::2], strict=True)))  # noqa: S606  # as requested
    except OSError as error:
        number = error.errno or number
    finally:
        os.write(failed, b"%d" % number)
        os._exit(127)


def encoded(texts: list[str]) -> list[bytes]:
    """Return the bytes of texts with a character for each byte."""
    return [text.encode("latin-1") for text in texts]


if __name__ == "__main__":
    main(int(sys.argv[-1]))
