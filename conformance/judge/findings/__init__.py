"""Findings: violations with one cause, known failures, and the results of a run."""
