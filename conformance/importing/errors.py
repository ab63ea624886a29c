"""What can go wrong on the way from a published release to committed definitions."""

from __future__ import annotations


class ImportFailure(Exception):
    """The release cannot be imported; nothing has been changed. The text says why, and what to do."""


class NoSuchArtifact(ImportFailure):
    """The repository answers, and has no such artifact in that version."""
