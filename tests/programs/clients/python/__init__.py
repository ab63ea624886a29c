"""Clients in Python, each a program for the environment pinned by the text file of its name."""
