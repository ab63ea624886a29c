"""What can keep a job from running, each with what to do about it."""

from __future__ import annotations

from reference import ConformanceError


class PipelineError(ConformanceError):
    """A job that cannot run as asked; the message says why, and what to do."""


class SparkUnavailable(PipelineError):
    """PySpark or its Java is missing, or too old."""


class NotThisCorpus(PipelineError):
    """A folder that holds something else than the corpus asked for."""
