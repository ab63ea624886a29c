"""Findings, known failures, and the results of a run.

A finding has the violations with one rule, outcome and cluster.
"""
