"""The answers of a scripted broker, with a canonical response to every request.

`Answers` has the definitions' defaults. It names itself wherever a client asks for a broker, and announces the versions
of its release. It closes the connection after an invalid request, as Apache Kafka does.

`ScriptedBroker` keeps topics, records, groups and transactions. It announces only APIs that it can answer well, and
leaves out the rest: requests between brokers, share and streams groups, the newer group protocol, telemetry, delegation
tokens, SASL.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from conformance.live.capture.frame_verdict import UNSUPPORTED_VERSION, judge_request, received
from conformance.live.scripted import administration, membership, topics, transactions
from conformance.live.scripted import record_requests as records
from conformance.live.scripted.cluster import BROKER_ID, UNKNOWN_TOPIC, Cluster
from conformance.targets.faults.schema_codec import converted
from reference import UnsupportedApi, api_definition, completed, encode_frame
from reference.definitions.header_versions import API_VERSIONS
from reference.explained.frames import KEY_AND_VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from conformance.definitions.defining_releases import Definitions
    from conformance.live.address import Address
    from conformance.live.capture.frame_verdict import JudgedFrame
    from conformance.live.scripted.cluster import Handler, Value
    from reference import Release

CLUSTER_ID = "kafka-wire-conformance"
KEYS = 128
"""The upper bound of API keys searched for in the release."""


HANDLERS: dict[str, Handler] = {
    **administration.HANDLERS,
    **membership.HANDLERS,
    **records.HANDLERS,
    **topics.HANDLERS,
    **transactions.HANDLERS,
}


class Answers:
    """The answers of one broker, which knows its own address."""

    def __init__(self, definitions: Definitions, address: Callable[[], Address]) -> None:
        self.definitions = definitions
        self.release: Release = definitions.among[0]
        self._address = address
        # The fields with other values than their defaults, by API.
        self.special: dict[str, Callable[[JudgedFrame], Mapping[str, Any]]] = {
            "ApiVersions": lambda _: {"ApiKeys": self.announced},
            "Metadata": self._metadata,
            "FindCoordinator": self._coordinator,
            "DescribeCluster": lambda _: {
                "ClusterId": CLUSTER_ID,
                "ControllerId": BROKER_ID,
                "Brokers": [self._named("BrokerId", "Rack")],
            },
        }

    @cached_property
    def announced(self) -> list[dict[str, int]]:
        """The entries of ApiVersions."""
        entries = []
        for api_key in range(KEYS):
            try:
                versions = api_definition(self.release, "request", api_key).valid_versions
            except UnsupportedApi:
                continue
            entries.append({"ApiKey": api_key, "MinVersion": versions.lowest, "MaxVersion": versions.highest})
        return entries

    def answer(self, payload: bytes) -> bytes | None:
        """Return the response to a request, its size included, or None for a refusal."""
        judged = received(self.definitions, judge_request(self.definitions, payload))
        if judged.api_key == API_VERSIONS and judged.unknown:
            return self._too_new(payload)
        if judged.value is None or judged.correlation_id is None or judged.unknown:
            return None
        value = self.value_for(judged)
        return b"" if judged.name == "Produce" and judged.value["Acks"] == 0 else self.response(judged, value)

    def value_for(self, judged: JudgedFrame) -> dict[str, Any]:
        """Return the value of the response to a request."""
        schema = self.definitions.body("response", judged.api_key, judged.version)
        if schema is None:
            raise LookupError(str(judged))
        return converted(schema, self._fields(judged))

    def _fields(self, judged: JudgedFrame) -> Value:
        special = self.special.get(judged.name)
        return {} if special is None else dict(special(judged))

    def response(self, judged: JudgedFrame, value: dict[str, Any]) -> bytes:
        """Return the frame of a response to a request."""
        release = self.definitions.release_of(judged.api_key, judged.version)
        if release is None:
            raise LookupError(str(judged))
        numbers = judged.api_key, judged.version, judged.correlation_id or 0
        return encode_frame(release, "response", *numbers, None, value)

    def _too_new(self, payload: bytes) -> bytes:
        """Return version 0 of the response, with error 35 (KIP-511)."""
        schema = self.release.schema("ApiVersionsResponse", 0)
        value = completed(schema, {"ErrorCode": UNSUPPORTED_VERSION, "ApiKeys": self.announced})
        correlation_id = int.from_bytes(payload[4:8], signed=True)
        return encode_frame(self.release, "response", API_VERSIONS, 0, correlation_id, None, value)

    def _named(self, key: str, *absent: str) -> dict[str, Any]:
        address = self._address()
        return {key: BROKER_ID, "Host": address.host, "Port": address.port, **dict.fromkeys(absent)}

    def _metadata(self, judged: JudgedFrame) -> Mapping[str, Any]:
        return {
            "Brokers": [self._named("NodeId")],
            "ClusterId": CLUSTER_ID,
            "ControllerId": BROKER_ID,
            "Topics": [
                {"ErrorCode": UNKNOWN_TOPIC, "Name": topic["Name"]}
                for topic in (judged.value or {}).get("Topics") or ()
                if topic["Name"] is not None
            ],
        }

    def _coordinator(self, judged: JudgedFrame) -> Mapping[str, Any]:
        keys = (judged.value or {}).get("CoordinatorKeys") or ()
        coordinators = [{"Key": key, **self._named("NodeId")} for key in keys]
        return {**self._named("NodeId"), "Coordinators": coordinators}


class ScriptedBroker(Answers):
    """The answers of a broker with a memory. The first release's APIs and versions are announced."""

    def __init__(self, definitions: Definitions, address: Callable[[], Address]) -> None:
        super().__init__(definitions, address)
        self.cluster = Cluster()
        self.special["DescribeGroups"] = lambda judged: membership.describe(
            self.cluster, judged.value or {}, judged.version
        )

    @cached_property
    def announced(self) -> list[dict[str, int]]:
        """The entries of ApiVersions, for APIs with a handler."""
        served = {*HANDLERS, *self.special}
        return [entry for entry in super().announced if self.definitions.name(entry["ApiKey"]) in served]

    def _fields(self, judged: JudgedFrame) -> Value:
        value: dict[str, Any] = judged.value or {}
        with self.cluster.changed:
            if judged.name in HANDLERS:
                return dict(HANDLERS[judged.name](self.cluster, value))
            if judged.name == "Metadata" and topics.is_refused(value, judged.version):
                return topics.refusal(value)
            fields = dict(self.special[judged.name](judged))
            if judged.name == "Metadata":
                fields["Topics"] = topics.topics_of_metadata(self.cluster, value, judged.version)
            return fields

    @property
    def ranges(self) -> dict[int, range]:
        """The announced versions, by API key."""
        return {entry["ApiKey"]: range(entry["MinVersion"], entry["MaxVersion"] + 1) for entry in self.announced}

    def answer(self, payload: bytes) -> bytes | None:
        """Return the response to a request, or None for a refusal, as of versions that are not announced."""
        api_key = int.from_bytes(payload[:2], signed=True)
        version = int.from_bytes(payload[2:4], signed=True)
        if len(payload) < KEY_AND_VERSION or (api_key != API_VERSIONS and version not in self.ranges.get(api_key, ())):
            return None
        return super().answer(payload)
