"""The server under test: where it is, how one connects to it, and whether it still answers."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from conformance.live.broker.announced import NoServer, ask_versions
from conformance.live.broker.connection import Budget, Connection, connect

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable

    from conformance.live.address import Address
    from conformance.live.broker.announced import Announced
    from conformance.live.judging.definitions import Definitions

DEADLINE = 5.0
"""Seconds to wait for an answer to a sound request."""

PATIENCE = 5.0
"""Seconds within which a server must answer on a new connection to be alive, if it has no longer deadline."""

REFUSAL_DEADLINE = 1.0
"""Seconds to wait for what becomes of a broken one, before it is tried again with the whole deadline."""


@dataclass(frozen=True)
class Server:
    """A server behind a port.

    Attributes:
        address: where it is.
        definitions: by which its frames are judged.
        context: how TLS is spoken; None: plain TCP.
        authenticate: what is done on each new connection before anything else; None: nothing.
        deadline: seconds to wait for an answer.
        budget: how fast and how long it may be asked.
        options: the words by which `kafka-conformance broker` reaches it again, beside its address.
    """

    address: Address
    definitions: Definitions
    context: ssl.SSLContext | None = None
    authenticate: Callable[[Connection], None] | None = None
    deadline: float = DEADLINE
    budget: Budget = field(default_factory=Budget)
    options: tuple[str, ...] = ()

    def open(self) -> Connection:
        """Return a new connection on which nothing has been said.

        Raises:
            OSError: it does not accept connections.
        """
        return connect(self.address, self.deadline, self.context, self.budget)

    def connect(self) -> Connection:
        """Return a new connection, authenticated if the server asks for it.

        Raises:
            OSError: it does not accept connections.
        """
        connection = self.open()
        if self.authenticate is not None:
            try:
                self.authenticate(connection)
            except BaseException:
                connection.close()
                raise
        return connection

    @cached_property
    def announced(self) -> Announced:
        """What it announced when it was first asked.

        Raises:
            NoServer: it does not answer.
        """
        return ask_versions(self)

    def answers(self, patience: float | None = None) -> bool:
        """Return whether it answers ApiVersions on a new connection, within some seconds."""
        end = time.monotonic() + (max(self.deadline, PATIENCE) if patience is None else patience)
        while True:
            try:
                return bool(ask_versions(self).entries)
            except NoServer:
                if time.monotonic() >= end:
                    return False
                time.sleep(0.05)
