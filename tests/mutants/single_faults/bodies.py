"""Bodies behind headers and prefixes, which the reference reads and writes."""

from typing import Any

from reference import MessageSchema, Result, decode_leniently, judge
from tests.second_codec.steps import Input


def read_body(schema: MessageSchema, source: Input) -> tuple[dict[str, Any], int]:
    """Read a body from all that is left, and return it with the number of bytes that follow it."""
    rest = source.take(source.left)
    value, consumed = decode_leniently(schema, rest)
    source.is_open |= judge(schema, rest[:consumed]).result is not Result.VALID
    return value, len(rest) - consumed
