"""The errors of jobs on Spark."""

from __future__ import annotations

from reference.errors import ConformanceError


class SparkUnavailable(ConformanceError):
    """PySpark or its Java is missing, or no session of Spark is the one that was asked for."""


class NotThisCorpus(ConformanceError):
    """A folder holds something else than the corpus that was asked for."""


class JobFailed(ConformanceError):
    """A job of Spark that ended without a result.

    Attributes:
        job: its description.
        reason: one line.
        advice: how to go on.
    """

    def __init__(self, job: str, reason: str, advice: str) -> None:
        super().__init__(job, reason, advice)
        self.job = job
        self.reason = reason
        self.advice = advice

    def __str__(self) -> str:
        return f"Spark's job ({self.job}) failed: {self.reason}\n{self.advice}"
