"""The bytes that `kafka-conformance explain` is given: hex on the command line, a file, or standard input."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from reference.inputs.errors import BadInput
from reference.inputs.files import read_bytes

STANDARD_INPUT, FILE_MARK = "-", "@"
HEX_DIGITS = b"0123456789abcdefABCDEF"
SEPARATORS = ("0x", "0X", ":", "_", ",")
"""What means nothing between digits, beside white space."""


class BytesType(click.ParamType[bytes]):
    """Bytes as hex, `@FILE`, or `-` for standard input; a file has bytes, or hex."""

    name = "hex|@file|-"

    def convert(self, value: str | bytes, param: click.Parameter | None, ctx: click.Context | None) -> bytes:
        """Return the bytes.

        Raises:
            click.BadParameter: it is no hex, or the file cannot be read.
        """
        if isinstance(value, bytes):
            return value
        try:
            return bytes_from(value)
        except (OSError, ValueError, BadInput) as error:
            self.fail(str(error), param, ctx)


def bytes_from(text: str) -> bytes:
    """Return the bytes that a word on the command line names.

    Raises:
        ValueError: it is no hex; says where.
        BadInput: the file is no regular file, or too large.
        OSError: the file cannot be read.
    """
    if text == STANDARD_INPUT:
        return from_content(sys.stdin.buffer.read())
    if text.startswith(FILE_MARK):
        return from_content(read_bytes(Path(text.removeprefix(FILE_MARK))))
    return from_hex(text)


def from_content(content: bytes) -> bytes:
    """Return the bytes that a file holds: those of its hex, if there is nothing else in it, or its own."""
    text = content.decode("latin-1")
    digits = _digits_of(text).encode("latin-1")
    if content.strip() and not digits.translate(None, HEX_DIGITS):
        return from_hex(text)
    return content


def from_hex(text: str) -> bytes:
    """Return the bytes behind hex digits; spaces, line ends, `:`, `_`, `,` and `0x` between them mean nothing.

    Raises:
        ValueError: another character is among them, or the number of digits is odd; says which, and what to do.
    """
    digits = _digits_of(text)
    wrong = re.search(r"[^0-9a-fA-F]", digits)
    if wrong:
        shown = f"{text:.40}…" if len(text) > 40 else text  # noqa: PLR2004  # enough to know it again
        raise ValueError(
            f"{shown!r} is not hex: {wrong[0]!r} is no hex digit. A file is named as {FILE_MARK}FILE, "
            f"standard input as {STANDARD_INPUT}"
        )
    if len(digits) % 2:
        raise ValueError(f"an odd number of hex digits, {len(digits)}: one is missing or too many")
    return bytes.fromhex(digits)


def _digits_of(text: str) -> str:
    for separator in SEPARATORS:
        text = text.replace(separator, "")
    return "".join(text.split())


BYTES = BytesType()
