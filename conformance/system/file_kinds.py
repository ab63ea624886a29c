"""The kinds of files that a user names as an output, each told by the beginning of its content.

They are apart from their writers, since options need them before a writer is imported.
"""

from __future__ import annotations

import re
import zlib

from conformance.system.whole_files import HEAD, FileKind

_GZIP = 16 + zlib.MAX_WBITS


def _beginning(noun: str, pattern: bytes) -> FileKind:
    return FileKind(noun, re.compile(pattern).match)


REPORT = _beginning("a report", rb'\{"event": ?"run"[^\n]*\}\r?\n\{"event": ?"extent"')
CAPTURE = _beginning("a capture", rb'\{"capture": ?[0-9]')
MARKDOWN = _beginning(
    "Markdown of a report", rb"# Conformance to the Kafka wire protocol\r?\n\r?\n(## `|\| implementation \| Kafka \|)"
)
HTML = _beginning(
    "a page of reports",
    rb'<!DOCTYPE html>\s*<html lang="en">\s*<head>\s*<meta charset="utf-8">\s*'
    rb"<title>[^\n]*Kafka wire protocol conformance</title>",
)
JUNIT = _beginning("JUnit's XML of a report", rb'<\?xml[^>]*\?>\s*<testsuites name="kafka-wire-conformance"')
SARIF = _beginning(
    "SARIF of a report",
    rb'\{\s*"\$schema":[^\n]*sarif[^\n]*,\s*"version":[^\n]*,\s*"runs":\s*\[\s*'
    rb'\{\s*"tool":\s*\{\s*"driver":\s*\{\s*"name":\s*"kafka-wire-conformance"',
)
BADGE = _beginning(
    "a badge", rb'\{\s*"schemaVersion":\s*1,\s*"label":[^\n]*Kafka |<svg [^>]* role="img" aria-label="[^"]*Kafka [^"]*"'
)
ISSUE = _beginning("the text of such an issue", rb"# Definitions of Apache Kafka's trunk are refused: ")
HASH = _beginning("the SHA-256 of an archive of vectors", rb"[0-9a-f]{64}  vectors-[^\n]*\.tar\.gz\n")


def _is_archive(head: bytes) -> bool:
    try:
        return zlib.decompressobj(_GZIP).decompress(head, HEAD).startswith(b"vectors-")
    except zlib.error:
        return False


ARCHIVE = FileKind("an archive of vectors", _is_archive)
