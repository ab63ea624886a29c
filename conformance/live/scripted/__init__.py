"""A broker made of the reference alone.

It answers every request of a release, and keeps nothing on disk.
"""
