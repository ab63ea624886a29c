"""Golden vectors: bytes, values and verdicts for codecs of any language, as JSON files.

`enumeration` makes the vectors, `tree` writes and reads the files, `verification` checks them and runs them.
"""
