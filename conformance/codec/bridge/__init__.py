"""Child processes that decode what may kill them: the protocol, its client, and a Python adapter behind it."""
