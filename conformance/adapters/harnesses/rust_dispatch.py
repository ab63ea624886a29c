"""Generates the Rust that gives the structs of two crates their forms, from the sources of the crates.

Rust has no reflection: the harness in `../rust` needs, for each struct, the names of its fields in order, and for each
message the struct that it is. Both are in the crates' sources, which are generated themselves and uniform. What is
generated here is made at build time, and never committed; the definitions of a release are lined up with it at `hello`.
"""
