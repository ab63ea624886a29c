"""Checks on record batches, the contents of a `records` field: values, values that must be refused, and any bytes."""
