"""Names the rule that is broken where bytes are written wrong, or values read wrong."""
