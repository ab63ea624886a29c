"""What golden vectors are about, in requests to the harness and its replies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.differential.stored import PREFIXED
from conformance.golden.subjects import comparable
from reference import MessageSchema, Primitive, Release, difference, from_json, header_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

    Json = dict[str, Any]


def _pair(operation: str, schema: MessageSchema) -> Json:
    return {"op": operation, "message": schema.message, "version": schema.version}


def _difference(schema: MessageSchema, form: Any, read: Any) -> object:
    return difference(schema, from_json(schema, form), from_json(schema, read), absent=True)


class BodySubject:
    """A message without anything around it."""

    def __init__(self, schema: MessageSchema) -> None:
        self._schema = schema

    def writing(self, form: Any) -> Json:
        """The request to write a value."""
        return {**_pair("encode", self._schema), "value": form}

    def reading(self, wire: str) -> Json:
        """The request to read bytes."""
        return {**_pair("decode", self._schema), "wire": wire}

    def other(self, form: Any, reply: Mapping[str, Any]) -> object:
        """Where the value of a reply is not that value."""
        return _difference(self._schema, form, reply["value"])


class FrameSubject:
    """A request or response with its size and header."""

    def __init__(self, release: Release, schema: MessageSchema) -> None:
        direction = schema.direction
        self._schema = schema
        self._header = header_schema(release, direction, schema.api_key or 0, schema.version)
        self._api = {"direction": direction, "apiKey": schema.api_key, "version": schema.version}

    def writing(self, form: Any) -> Json:
        """The request to write a frame."""
        return {"op": "encode-frame", **self._api, "header": form["header"], "value": form["body"]}

    def reading(self, wire: str) -> Json:
        """The request to read a frame."""
        return {"op": "decode-frame", **self._api, "wire": wire}

    def other(self, form: Any, reply: Mapping[str, Any]) -> object:
        """Where the header or the body of a reply is another one."""
        return _difference(self._header, form["header"], reply["header"]) or _difference(
            self._schema, form["body"], reply["value"]
        )


class StoredSubject:
    """A message behind what says which it is."""

    def __init__(self, release: Release, schema: MessageSchema) -> None:
        self._schema = schema
        self._form = schema.stored_form
        self._is_record = self._form == "record"
        message = {"message": schema.message, "version": schema.version}
        source = {"source": release.source(schema.message)}
        prefix = {"prefix": PREFIXED.get(schema.kind)}
        self._writing = {**message, **(source if self._is_record else prefix)}
        self._reading = source if self._is_record else {**message, **prefix}

    def writing(self, form: Any) -> Json:
        """The request to write it."""
        return {"op": f"encode-{self._form}", **self._writing, "value": form}

    def reading(self, wire: str) -> Json:
        """The request to read it."""
        return {"op": f"decode-{self._form}", **self._reading, "wire": wire}

    def other(self, form: Any, reply: Mapping[str, Any]) -> object:
        """Where a reply is another record, or has another value."""
        if self._is_record and reply["message"] != self._schema.message:
            return f"it is {reply['message']}, not {self._schema}"
        return _difference(self._schema, form, reply["value"])


class WireTypeSubject:
    """One value of a wire type alone."""

    def __init__(self, each: Primitive) -> None:
        self._each = each

    def writing(self, form: Any) -> Json:
        """The request to write it."""
        return {"op": "encode-primitive", "name": self._each.name, "value": form}

    def reading(self, wire: str) -> Json:
        """The request to read it."""
        return {"op": "decode-primitive", "name": self._each.name, "wire": wire}

    def other(self, form: Any, reply: Mapping[str, Any]) -> object:
        """Where a reply has another value."""
        expected, actual = (comparable(self._each.from_json(each)) for each in (form, reply["value"]))
        return None if expected == actual else f"{actual!r:.80}, not {expected!r:.80}"
