"""Wire types alone."""
