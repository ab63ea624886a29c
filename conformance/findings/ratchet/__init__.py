"""The ratchet: what holds a file of known failures to what a run met, and rewrites it.

patterns.py says which messages an entry is about, judgement.py which entries no longer deserve their place, update.py
what the file should say instead, document.py how to say it without losing a comment.
"""
