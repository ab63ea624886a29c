"""Runs of the suite on many implementations and releases, side by side, each in a process of its own."""
