"""Jobs that are too long for one process: the golden vectors, and corpora of millions of rows, on Spark."""
