"""Messages at the limits of Apache Kafka 4.4.0, and just beyond."""

from reference import MessageSchema, load_release
from reference.wire.varints import unsigned_varint

LIMITED, UNLIMITED = load_release("4.4.0"), load_release("4.3.0")
MANY_FIELDS: MessageSchema = LIMITED.schema("AbortTransactionRecord", 0)
MANY_ELEMENTS: MessageSchema = LIMITED.schema("ListGroupsRequest", 5)
FIELDS, ELEMENTS = 10_000, 1_000_000


def too_many_fields(beyond: int = 1) -> bytes:
    """Return an AbortTransactionRecord with more unknown tagged fields than the limit, by `beyond`."""
    count = FIELDS + beyond
    return unsigned_varint(count) + b"".join(unsigned_varint(5 + tag) + b"\0" for tag in range(count))


def too_many_elements(beyond: int = 1) -> bytes:
    """Return a ListGroupsRequest with more states than the limit, by `beyond`."""
    count = ELEMENTS + beyond
    return unsigned_varint(count + 1) + b"\x02a" * count + b"\x01\0"
