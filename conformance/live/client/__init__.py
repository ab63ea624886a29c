"""Tests of a client program: it runs against a broker of ours, which chooses what it is told."""
