"""Values and bytes of `records` fields.

They are edge values, random values, values to be refused, and damaged bytes.
"""
