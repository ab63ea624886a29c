"""Harnesses: programs in other languages through which a codec is tested, and Apache Kafka's own classes.

Takes a library and its language; builds the program once, in the user's cache; gives the command that `--impl` runs.
"""
