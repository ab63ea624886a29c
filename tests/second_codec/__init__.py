"""A second codec of the protocol, written from the book, with a switch at every step."""
