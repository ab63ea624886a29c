"""The mock cluster of librdkafka, of one broker, as a program of its own interpreter.

It writes its address into a named file, and ends with its standard input.
"""

import sys
from pathlib import Path

from confluent_kafka import Producer

SECONDS = 10.0


def main(file: Path) -> None:
    """Start the cluster, which lives as long as its producer."""
    producer = Producer({"test.mock.num.brokers": 1, "bootstrap.servers": ""})
    [broker] = producer.list_topics(timeout=SECONDS).brokers.values()
    new = file.with_suffix(".new")
    new.write_text(f"{broker.host}:{broker.port}", encoding="ascii")
    new.rename(file)  # appears with its content
    sys.stdin.buffer.read()


main(Path(sys.argv[1]))
