"""The engine: asks an implementation what cases want to know, and yields the events that come of it.

It takes a session and a stream of cases, and gives events; it decides neither what is tried nor what is right.
"""
