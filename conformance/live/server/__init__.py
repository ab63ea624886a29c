"""Tests of a server behind a port: what is asked of it, and what its answers show."""
