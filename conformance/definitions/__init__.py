"""Taking message definitions from where Apache Kafka publishes them into the committed form."""
