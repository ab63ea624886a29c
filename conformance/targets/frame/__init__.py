"""Whole frames."""
