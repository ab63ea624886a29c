"""Codecs with one mistake each, and the rule that each breaks."""
