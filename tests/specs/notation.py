"""The notation of types in the book's examples.

    compact-nullable-string          a type alone, by its name in `reference.primitives`
    MetadataRequest v12              the body of a message
    RequestHeader v0 of 3.9.1        the same in another release than the newest
    Point v1                         a message of a ```json block of the chapter
    frame of ApiVersionsRequest v3   a whole request or response: size, header and body
    stored OffsetCommitKey v1        a message with its prefix in storage
    record batches                   a whole records field, of batches without members at their defaults

`subject_of` reads it.
"""

from collections.abc import Mapping

from conformance.definitions.book import named_in
from reference import load_release, newest_release, primitive
from reference.definitions.model import Definition
from reference.resolution import resolve
from tests.specs.around import Framed, Stored
from tests.specs.record_batches import Batches
from tests.specs.subjects import Alone, Body, Field, Subject


def subject_of(notation: str, definitions: Mapping[str, Definition]) -> Subject:
    """Return the subject of a notation, by the `definitions` of its chapter."""
    if notation == "record batches":
        return Batches()
    named = named_in(notation)
    if named is None:
        found = primitive(notation)
        return Alone(found) if found.schema is None else Field(found.schema)
    if named.message in definitions:
        return Body(resolve(definitions[named.message], named.version))
    release = load_release(named.release or newest_release())
    schema = release.schema(named.message, named.version)
    match named.around:
        case "frame of":
            return Framed(release, schema)
        case "stored":
            return Stored(schema, release)
        case _:
            return Body(schema)
