"""A codec under test, with an outcome for every call.

This package loads the adapter in `--impl`, checks it, and performs its calls. Each call gives a value, bytes, or the
reason for neither. `bridge` reaches a codec in a child process, or in another language.
"""
