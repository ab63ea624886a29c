"""What can go wrong on the way from a published release to committed definitions."""

from __future__ import annotations

from reference import ConformanceError


class ImportFailedError(ConformanceError):
    """The release cannot be imported; nothing has been changed. The text says why, and what to do."""


class NoSuchArtifactError(ImportFailedError):
    """The repository answers, and has no such artifact in that version."""
