"""The message definitions of Kafka's releases as data, and the rules for codecs."""
