"""Apache Kafka in child processes: its message classes and its generator, how they are built and run."""
