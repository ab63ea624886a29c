"""Record batches of an implementation: what it says of itself, and the parts of a value that it therefore shows."""
