"""Definition files, with their model, their reader and their rules."""
