"""Servers in Python, each a program for an environment of its own."""
