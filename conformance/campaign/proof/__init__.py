"""The comparison of the reference with Apache Kafka's own classes.

Both get the same values, bytes and definitions.
"""
