"""Bytes in, meaning out: what each byte of a message, a frame or a field of record batches is. README.md here."""
