"""A broker that keeps what clients write, in memory: topics, records, groups, transactions.

It announces what it can answer well, and leaves out the rest: what brokers say to each other, share and streams groups,
the newer group protocol, telemetry, delegation tokens, SASL.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from conformance.live.judging.frame import KEY_AND_VERSION
from conformance.live.scripted import administration, membership, records, topics, transactions
from conformance.live.scripted.answers import Answers
from conformance.live.scripted.cluster import Cluster
from conformance.live.scripted.handling import fitted
from reference import completed
from reference.headers import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.live.address import Address
    from conformance.live.judging.definitions import Definitions
    from conformance.live.judging.frame import JudgedFrame
    from conformance.live.scripted.handling import Handler, Value

HANDLERS: dict[str, Handler] = {
    **administration.HANDLERS,
    **membership.HANDLERS,
    **records.HANDLERS,
    **topics.HANDLERS,
    **transactions.HANDLERS,
}


class ScriptedBroker(Answers):
    """The answers of a broker with a memory.

    Args:
        definitions: by which requests are read; the first release's APIs and versions are announced.
        address: by which it names itself.
        highest: see `Answers`.
        cluster: its state.
    """

    def __init__(
        self,
        definitions: Definitions,
        address: Callable[[], Address],
        highest: Callable[[int, int], int] | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        super().__init__(definitions, address, highest)
        self.cluster = cluster or Cluster()

    @cached_property
    def announced(self) -> list[dict[str, int]]:
        """The entries of ApiVersions: those that it has handlers for."""
        served = {*HANDLERS, *self.special}
        return [entry for entry in super().announced if self.definitions.name(entry["ApiKey"]) in served]

    def value_for(self, judged: JudgedFrame) -> Value:
        """Return the value of the response to a request."""
        schema = self.definitions.body("response", judged.api_key, judged.version)
        if schema is None:
            raise LookupError(str(judged))
        return completed(schema, fitted(schema, self._fields(judged)))

    def _fields(self, judged: JudgedFrame) -> Value:
        value: dict[str, Any] = judged.value or {}
        with self.cluster.changed:
            if judged.name in HANDLERS:
                return dict(HANDLERS[judged.name](self.cluster, value))
            fields = dict(self.special[judged.name](judged))
            if judged.name == "Metadata":
                fields["Topics"] = topics.topics_of_metadata(self.cluster, value, judged.version)
            return fields

    @property
    def ranges(self) -> dict[int, range]:
        """The versions that it announces, by API key."""
        return {entry["ApiKey"]: range(entry["MinVersion"], entry["MaxVersion"] + 1) for entry in self.announced}

    def answer(self, payload: bytes) -> bytes | None:
        """Return the response to a request; None: it is refused, as everything that is not announced."""
        api_key = int.from_bytes(payload[:2], signed=True)
        version = int.from_bytes(payload[2:4], signed=True)
        if len(payload) < KEY_AND_VERSION or (api_key != API_VERSIONS and version not in self.ranges.get(api_key, ())):
            return None
        return super().answer(payload)
