"""Captured traffic: files of frames, a proxy that records them, and the verdict on every frame of a file."""
