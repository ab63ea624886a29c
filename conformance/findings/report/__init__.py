"""What a run has to say: on the terminal, and as JSON Lines."""
