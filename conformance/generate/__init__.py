"""Test cases made from a schema.

They are drawn values, edge values, broken bytes, and values without an encoding. The modules take a schema and choices,
made by Hypothesis or by a seed, and return values and bytes. They call no implementation.
"""
