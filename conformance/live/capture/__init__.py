"""Frames as they went over a connection: recorded, read from captures and packets, redacted, and judged."""
