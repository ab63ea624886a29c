"""The conformance suite for implementations of the Kafka wire protocol.

It calls an implementation, judges its answers and reports the results.
"""

__version__ = "0.1.0"
