"""The errors of the pipeline."""

from __future__ import annotations

from reference.errors import ConformanceError


class SparkUnavailable(ConformanceError):
    """A missing PySpark or Java, or a session other than requested."""


class EngineUnavailable(ConformanceError):
    """Neither Spark nor the packages for work in processes are installed."""


class NotThisCorpus(ConformanceError):
    """A folder with something else than the requested corpus."""


class PartLost(ConformanceError):
    """A part ended by the machine, which may be run again."""


class JobFailed(ConformanceError):
    """A job without a result, with the reason as one line, and advice how to continue."""

    def __init__(self, job: str, reason: str, advice: str) -> None:
        super().__init__(job, reason, advice)
        self.job = job
        self.reason = reason
        self.advice = advice

    def __str__(self) -> str:
        return f"the job ({self.job}) failed: {self.reason}\n{self.advice}"
