"""Clients in Python, each a program for the environment that the text file of its name pins."""
