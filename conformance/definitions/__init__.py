"""The content of `specs/`, with message definitions as testable releases, the rules by id, and the book."""
