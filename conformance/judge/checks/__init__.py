"""Checks: the kinds of cases, what each asks of a codec, and how the answers are judged."""
