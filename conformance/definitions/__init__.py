"""The content of `specs/`, with message definitions, the rules, and the book.

Takes jars, checkouts and folders of definitions, `rules.toml` and the book; gives testable releases, rules by id,
statements and examples.
"""
