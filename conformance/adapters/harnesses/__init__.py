"""Harnesses, the programs in other languages for their codecs, and Apache Kafka's own classes.

Each builds the program of a library once, in the user's cache, and returns the command for `--impl`.
"""
