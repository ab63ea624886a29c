"""The comparison of the reference with Apache Kafka's own classes, which get the same values, bytes and definitions."""
