"""Data: the message definitions of Kafka's releases, and the rules that this project holds codecs to."""
