"""Harnesses, which are programs in other languages, built once in the user's cache, for codecs of these languages."""
