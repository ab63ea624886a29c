"""A codec under test: its adapter is loaded and checked, and every call of it becomes an outcome.

Takes what `--impl` names, and calls by target; gives values, bytes, or what went wrong. `targets` are what is on the
wire; `bridge` reaches a codec in a child process, or in another language.
"""
