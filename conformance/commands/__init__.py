"""The command `kafka-conformance`, with a module for each of its commands.

A command turns a command line into output, files and an exit status. The other packages do all other work.
"""
