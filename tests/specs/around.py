"""Whole frames and stored messages as subjects of the book."""

from dataclasses import dataclass
from typing import Any

from reference import (
    TAGS,
    Frame,
    Malformed,
    MessageSchema,
    Release,
    Result,
    decode_frame,
    decode_prefixed,
    decode_record,
    decode_record_leniently,
    encode_frame,
    encode_prefixed,
    encode_record,
    equal,
    from_json,
    header_schema,
)
from tests.specs.subjects import Body, Judgement


@dataclass(frozen=True)
class Framed:
    """A whole request or response, with the header's value and the body's under `body`."""

    release: Release
    schema: MessageSchema

    @property
    def header(self) -> MessageSchema:
        return header_schema(self.release, self._direction, self._api_key, self.schema.version)

    def value(self, form: Any) -> Any:
        """Correlation id, client id and unknown tags of the header, and the body."""
        names = {"CorrelationId", "ClientId", TAGS}
        header = from_json(self.header, {name: item for name, item in form.items() if name in names})
        return {**header, "body": Body(self.schema).value(form.get("body", {}))}

    def encode(self, value: Any) -> bytes:
        return encode_frame(
            self.release,
            self._direction,
            self._api_key,
            self.schema.version,
            value["CorrelationId"],
            value.get("ClientId"),
            value["body"],
            header_tags=value.get(TAGS, ()),
        )

    def judge(self, wire: bytes) -> Judgement:
        known = {} if self._direction == "request" else {"api_key": self._api_key, "api_version": self.schema.version}
        try:
            frame: Frame = decode_frame(self.release, self._direction, wire, **known)
        except Malformed as error:
            result = Result.UNSPECIFIED if error.reason is None else Result.INVALID
            return Judgement(result, (error.rule,), error.reason, error.offset, accepted=False)
        own = {name: item for name, item in frame.header.items() if not name.startswith("RequestApi")}
        return Judgement(Result.VALID, value={**own, "body": frame.value})

    def equal(self, first: Any, second: Any) -> bool:
        heads = [{name: item for name, item in value.items() if name != "body"} for value in (first, second)]
        return heads[0] == heads[1] and equal(self.schema, first["body"], second["body"])

    @property
    def _direction(self) -> Any:
        return "request" if self.schema.kind == "request" else "response"

    @property
    def _api_key(self) -> int:
        assert self.schema.api_key is not None
        return self.schema.api_key


@dataclass(frozen=True)
class Stored(Body):
    """A stored message, as a record of the metadata log, or after an int16."""

    release: Release

    def encode(self, value: Any) -> bytes:
        return encode_record(self.schema, value) if self._is_record else encode_prefixed(self.schema, value)

    def judge(self, wire: bytes) -> Judgement:
        """Strictly, then, for records, leniently."""
        try:
            return Judgement(Result.VALID, value=self._read(wire))
        except Malformed as error:
            if error.reason is not None:
                return Judgement(Result.INVALID, (error.rule,), error.reason, error.offset, accepted=False)
            rules = (error.rule,)
        try:
            value = decode_record_leniently(self.release, wire).value if self._is_record else None
        except Malformed:
            value = None
        return Judgement(Result.UNSPECIFIED, rules, accepted=value is not None, value=value)

    @property
    def _is_record(self) -> bool:
        return self.schema.kind == "metadata"

    def _read(self, wire: bytes) -> Any:
        if self._is_record:
            return decode_record(self.release, wire).value
        return decode_prefixed(self.release, self.schema.message, wire).value
