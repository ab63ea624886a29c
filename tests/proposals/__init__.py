"""Tests of the documents that proposed changes of the protocol, shipped or not."""
