"""The output of a run on a terminal: its progress, and the summary at its end."""
