"""Names the rule that is broken where record batches are read or written wrong."""
