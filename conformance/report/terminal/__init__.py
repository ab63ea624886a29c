"""The output of a run: the summary on the terminal, and the report as JSON Lines."""
