"""The ratchet: compares a file of known failures with what a run met, and rewrites the file.

judgement.py knows which messages and versions a run tested, and finds entries that are stale or too wide. update.py
computes the new entries and writes them without losing a comment. session.py is the ratchet of one run.
"""
