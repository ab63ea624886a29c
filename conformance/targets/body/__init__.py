"""Message bodies."""
