"""Errors of jobs on Spark and of corpora."""

from __future__ import annotations

from reference.errors import ConformanceError


class PipelineError(ConformanceError):
    """A job cannot run with these parameters."""


class SparkUnavailable(PipelineError):
    """PySpark or its Java is missing, or too old."""


class NotThisCorpus(PipelineError):
    """A folder holds something else than the corpus that was asked for."""
