"""Cases made from a schema: drawn values, edge values, broken bytes, values that no writer may write.

Takes a schema and choices, which Hypothesis or a seed makes; gives values and bytes. It calls no implementation.
"""
