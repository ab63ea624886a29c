"""The proof of the reference: everything that it says, compared with what Apache Kafka does, run from its jars."""
