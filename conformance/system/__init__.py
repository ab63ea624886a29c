"""Files and folders that the suite writes: one way to write, to delete, to lock, and to try a place before a run."""
