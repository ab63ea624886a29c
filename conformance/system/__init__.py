"""Files, processes and terminals: the one way to write, to delete, to start a program, and to print.

Takes paths, commands and texts; gives files that are whole or absent, and programs that leave nothing running.
"""
