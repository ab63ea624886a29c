"""The contents of `records` fields."""
