"""The meaning of each byte of a message, a frame or a field of record batches (docs/how-to/explain.md)."""
