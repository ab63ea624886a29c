"""What `specs/` says: message definitions, the rules, and the book.

Takes jars, checkouts and folders of definitions, `rules.toml` and the book; gives releases that can be tested against,
rules by id, statements and examples.
"""
