"""Checks of a tree of golden vectors, and runs of its vectors on an implementation."""
