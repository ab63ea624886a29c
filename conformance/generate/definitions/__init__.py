"""Definitions that nobody wrote: sound ones, broken ones and changed ones."""
