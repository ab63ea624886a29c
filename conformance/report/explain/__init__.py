"""The meaning of each byte of a message, a frame or a field of record batches.

README.md in this folder has examples.
"""
