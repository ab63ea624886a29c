"""Tests of a client program against a broker of ours, with chosen answers."""
