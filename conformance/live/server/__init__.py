"""Tests of a server behind a port by its answers to chosen requests."""
