"""The command `kafka-conformance`."""
