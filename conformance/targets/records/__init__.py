"""The contents of `records` fields.

They are edge values, values to be refused, and damaged bytes. Random values are in `conformance.generate`, as messages
hold them as well.
"""
