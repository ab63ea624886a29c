"""The suite as pytest runs it: options, selection, items and tests."""
