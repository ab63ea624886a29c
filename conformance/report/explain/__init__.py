"""Bytes in, meaning out: what each byte of a message, a frame or a field of record batches is.

docs/how-to/explain.md describes it.
"""
