"""The reference compared with Apache Kafka's own classes: the same values, the same bytes, the same definitions."""
