"""The conformance suite: what judges, drives and reports on an implementation of the Kafka wire protocol."""

__version__ = "0.1.0"
