"""Generated definitions: sound ones, broken ones and changed ones."""
