"""A second codec of the protocol, written from the book, that asks at every step how it is done."""
