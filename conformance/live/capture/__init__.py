"""Frames of real connections, recorded, read from files, redacted, and judged."""
