"""Guided search: inputs that an implementation answered in a new way are kept, and changed further.

novelty.py says what is new, moves.py makes a message's bytes from others, places.py finds what in a value can be
changed, search.py keeps the queue. Everything here is a pure function of a seed and of the answers.
"""
