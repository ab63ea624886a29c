"""Readers of files, JSON and TOML from outside, with bounds, and errors that name the place."""
