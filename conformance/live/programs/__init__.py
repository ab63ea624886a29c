"""Servers and clients of others that run here: fetched and built into the cache, started, asked, stopped.

Everything listens on 127.0.0.1. README.md beside this file lists what there is, and what each needs.
"""
