"""The command `kafka-conformance`: one module for each of its commands, and what they share.

Takes a command line; gives output, files and an exit status. Everything else is done in the rooms below.
"""
