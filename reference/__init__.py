"""What Kafka's message definitions mean, byte for byte.

The reference encoding of every message of every committed release: definitions, schemas, and declarative wire types
built on construct. It knows nothing of tests and of other implementations.
"""

from reference.codec import Decoded, Encoded, decode, decode_leniently, encode, encode_with_spans
from reference.errors import CodecError, Malformed, Reason, Refusal, Unencodable
from reference.release import Release, UnknownMessage, UnknownRelease, load_release, newest_release, releases
from reference.schema import FieldSchema, MessageSchema
from reference.values.comparison import Difference, difference, equal
from reference.values.defaults import TAGS, default, is_default, minimal
from reference.values.json_form import NotJsonForm, from_json, to_json
from reference.wire.stream import Span

__all__ = [
    "TAGS",
    "CodecError",
    "Decoded",
    "Difference",
    "Encoded",
    "FieldSchema",
    "Malformed",
    "MessageSchema",
    "NotJsonForm",
    "Reason",
    "Refusal",
    "Release",
    "Span",
    "Unencodable",
    "UnknownMessage",
    "UnknownRelease",
    "decode",
    "decode_leniently",
    "default",
    "difference",
    "encode",
    "encode_with_spans",
    "equal",
    "from_json",
    "is_default",
    "load_release",
    "minimal",
    "newest_release",
    "releases",
    "to_json",
]
