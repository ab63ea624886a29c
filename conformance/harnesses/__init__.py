"""Foreign implementations as child processes: the programs, and how each is built and driven."""
