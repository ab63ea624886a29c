"""The bridge protocol to child processes, its client, and the child for a Python adapter.

Hostile bytes may crash or hang a codec; in a child process the suite survives it.
"""
