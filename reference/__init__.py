"""The meaning of Kafka's message definitions, byte for byte.

This package is the reference encoding of every message of every committed release. It has the definitions, the schemas
made from them, wire types with a meaning for every byte, and the same protocol declared in construct.

    definition    --resolve at a version-->    schema    --encode, decode-->    bytes

>>> schema = load_release("4.3.0").schema("MetadataRequest", 12)
>>> decode(schema, bytes.fromhex("01000000")).value["AllowAutoTopicCreation"]
False
>>> judge(schema, bytes.fromhex("010100")).reason
<Reason.TRUNCATED: 'truncated'>

`explain` and its like show the meaning of each byte; notebooks show what they return as a table.
"""

from reference.codec import Decoded, Encoded, decode, decode_leniently, encode, encode_with_spans
from reference.declared_messages import message as message_type
from reference.declared_text import declaration
from reference.definitions.errors import DefinitionError
from reference.errors import CodecError, ConformanceError, Malformed, Reason, Refusal, Unencodable
from reference.explained.bodies import explain_message as explain
from reference.explained.frames import explain_frame, explain_response
from reference.explained.records import explain_records
from reference.frames import Frame, decode_frame, encode_frame, frame_spans
from reference.headers import (
    UnsupportedApi,
    api_definition,
    api_schema,
    header_schema,
    request_header_version,
    response_header_version,
)
from reference.oracle import ApacheKafka, Result, Verdict, judge
from reference.prefixed import (
    BadRecord,
    NotStored,
    Stored,
    decode_prefixed,
    decode_record,
    decode_record_leniently,
    encode_prefixed,
    encode_record,
    stored_spans,
)
from reference.primitives import Primitive, PrimitiveDecoded, UnknownPrimitive, primitive, primitives
from reference.records import (
    BoundReached,
    Layer,
    MalformedRecords,
    Observed,
    RecordsVerdict,
    decode_control,
    decode_records,
    encode_control,
    encode_records,
    judge_records,
    records_from_json,
    records_layers,
    records_spans,
    records_to_json,
)
from reference.release import (
    Release,
    UnknownMessage,
    UnknownRelease,
    load_release,
    newest_release,
    proposals,
    releases,
)
from reference.schema import ArrayType, DataType, FieldSchema, FrameDirection, MessageSchema, PrimitiveType, StructType
from reference.values.comparison import Difference, difference, equal
from reference.values.defaults import TAGS, completed, default, is_default, minimal
from reference.values.json_form import from_json, to_json
from reference.values.json_scalars import NotJsonForm
from reference.wire.stream import Span

__all__ = [
    "TAGS",
    "ApacheKafka",
    "ArrayType",
    "BadRecord",
    "BoundReached",
    "CodecError",
    "ConformanceError",
    "DataType",
    "Decoded",
    "DefinitionError",
    "Difference",
    "Encoded",
    "FieldSchema",
    "Frame",
    "FrameDirection",
    "Layer",
    "Malformed",
    "MalformedRecords",
    "MessageSchema",
    "NotJsonForm",
    "NotStored",
    "Observed",
    "Primitive",
    "PrimitiveDecoded",
    "PrimitiveType",
    "Reason",
    "RecordsVerdict",
    "Refusal",
    "Release",
    "Result",
    "Span",
    "Stored",
    "StructType",
    "Unencodable",
    "UnknownMessage",
    "UnknownPrimitive",
    "UnknownRelease",
    "UnsupportedApi",
    "Verdict",
    "api_definition",
    "api_schema",
    "completed",
    "declaration",
    "decode",
    "decode_control",
    "decode_frame",
    "decode_leniently",
    "decode_prefixed",
    "decode_record",
    "decode_record_leniently",
    "decode_records",
    "default",
    "difference",
    "encode",
    "encode_control",
    "encode_frame",
    "encode_prefixed",
    "encode_record",
    "encode_records",
    "encode_with_spans",
    "equal",
    "explain",
    "explain_frame",
    "explain_records",
    "explain_response",
    "frame_spans",
    "from_json",
    "header_schema",
    "is_default",
    "judge",
    "judge_records",
    "load_release",
    "message_type",
    "minimal",
    "newest_release",
    "primitive",
    "primitives",
    "proposals",
    "records_from_json",
    "records_layers",
    "records_spans",
    "records_to_json",
    "releases",
    "request_header_version",
    "response_header_version",
    "stored_spans",
    "to_json",
]
