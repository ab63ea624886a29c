"""Tests of programs behind a port and of the traffic between them, with the same events and findings as for a codec.

`server` and `client` test one side, `scripted` is the broker of tested clients, `capture` records and judges frames.
"""
