"""The bridge protocol to child processes, which survive hostile bytes in place of the suite, and their client."""
