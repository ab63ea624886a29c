"""Files, processes and terminals for the whole suite.

This is the only package to write and delete files, to start programs, and to print. It takes paths, commands and texts.
Its files are whole or absent, and its programs leave no process running.
"""
