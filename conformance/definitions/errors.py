"""Errors of importing and finding definitions."""

from __future__ import annotations

from reference.errors import ConformanceError


class ImportFailedError(ConformanceError):
    """The release cannot be imported; nothing has been changed."""


class NoSuchArtifactError(ImportFailedError):
    """The Maven repository has no such artifact in that version."""
