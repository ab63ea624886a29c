"""Generated definitions, valid, broken and changed."""
