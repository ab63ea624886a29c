"""Headers with bodies behind them as one schema, to show what another header does: `framed`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference import load_release, newest_release
from reference.headers import REQUEST_HEADER, RESPONSE_HEADER, header_before
from reference.resolution import resolve
from reference.schema import FieldSchema, MessageSchema

if TYPE_CHECKING:
    from reference.definitions.model import Definition
    from reference.evolution import DefinitionSet
    from reference.schema import StructType


def framed(definition: Definition, version: int, members: DefinitionSet) -> MessageSchema | None:
    """Return what follows the size of a frame with a version of a request or response; None if its header is unknown.

    Headers that the definitions lack are those of the newest release.
    """
    name = REQUEST_HEADER if definition.kind == "request" else RESPONSE_HEADER
    headers = members.definitions.get(name) or load_release(newest_release()).definition(name)
    number = header_before(definition, version)
    if number not in headers.valid_versions:
        return None
    parts = {"Header": resolve(headers, number).struct, "Body": resolve(definition, version).struct}
    fields = tuple(_part(part, struct) for part, struct in parts.items())
    return MessageSchema(definition.name, version, "data", None, flexible=False, fields=fields, absent_fields=())


def _part(name: str, struct: StructType) -> FieldSchema:
    return FieldSchema(name, struct, default={field.name: field.default for field in struct.fields})
