"""The output of a run on a terminal, with its progress and the summary at its end."""
