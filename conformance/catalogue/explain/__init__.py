"""Worked examples of the rules: right and wrong bytes, values and definitions, made by the reference when asked for."""
