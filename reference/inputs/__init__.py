"""Readers of files, JSON and TOML from outside, with bounds and with errors about the place."""
