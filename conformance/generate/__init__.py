"""Cases, all made from a schema: random values, edges, broken bytes, values that must not be written."""
