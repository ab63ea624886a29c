"""Topics, records, a group, a transaction, and questions by confluent-kafka (librdkafka), at KAFKA_BOOTSTRAP."""

import os
import sys
import threading
import uuid
from typing import Any

from confluent_kafka import (
    Consumer,
    ConsumerGroupTopicPartitions,
    KafkaException,
    Producer,
    TopicCollection,
    TopicPartition,
)
from confluent_kafka.admin import (
    AdminClient,
    AlterConfigOpType,
    ConfigEntry,
    ConfigResource,
    NewPartitions,
    NewTopic,
    OffsetSpec,
    ResourceType,
)

CLUSTER = {"bootstrap.servers": os.environ["KAFKA_BOOTSTRAP"], "socket.timeout.ms": 5_000}  # far less than the limit
NAME = f"conformance-confluent-kafka-{uuid.uuid4().hex[:8]}"
HEADERS = [("first", b"1"), ("empty", b""), ("null", None)]
LIMIT = float(os.environ.get("CLIENT_SECONDS", "30"))
RECORDS = 23
CODECS = "gzip", "snappy", "lz4", "zstd"
COMMITTED = b"in a transaction"
SECONDS = 10.0


def main() -> None:
    """Use the cluster, and leave nothing there."""
    admin = AdminClient(CLUSTER)
    finish(admin.create_topics([NewTopic(NAME, num_partitions=2, replication_factor=1)]))
    try:
        produce()
        consume()
        transact()
        read_committed()
        ask(admin)
        change(admin)
        finish(admin.delete_consumer_groups([NAME]))
    finally:
        finish(admin.delete_topics([NAME]))


def finish(futures: dict[Any, Any]) -> None:
    """Wait for all requests, and raise the error of a failed one."""
    for future in futures.values():
        future.result(SECONDS)


def produce() -> None:
    """Write records with and without key, value and headers, and a batch of each compression."""
    producer = Producer({**CLUSTER, "message.timeout.ms": 10_000, "acks": "all", "enable.idempotence": True})
    producer.produce(NAME, b"without a key", on_delivery=delivered)
    producer.produce(NAME, b"with headers", key=b"key", headers=HEADERS, on_delivery=delivered)
    producer.produce(NAME, None, key=b"key", partition=0, on_delivery=delivered)
    flush(producer)
    for codec in CODECS:
        producer = Producer({**CLUSTER, "message.timeout.ms": 10_000, "compression.type": codec, "linger.ms": 20})
        for number in range((RECORDS - 3) // len(CODECS)):
            producer.produce(NAME, b"x" * 100, key=b"%d" % number, on_delivery=delivered)
        flush(producer)


def delivered(error: object, _message: object) -> None:
    """Raise the error of a failed delivery."""
    if error is not None:
        raise KafkaException(error)


def flush(producer: Producer) -> None:
    """Wait until everything is delivered."""
    if producer.flush(SECONDS):
        raise TimeoutError("records are not delivered")


def consume() -> None:
    """Read everything in a group, and commit."""
    settings = {"group.id": NAME, "auto.offset.reset": "earliest", "enable.auto.commit": False}
    consumer = Consumer({**CLUSTER, **settings})
    consumer.subscribe([NAME])
    count = 0
    while count < RECORDS:
        count += len(consumer.consume(RECORDS, timeout=0.5))
    consumer.commit(asynchronous=False)
    partitions = consumer.assignment()
    consumer.get_watermark_offsets(partitions[0], SECONDS)
    consumer.offsets_for_times([TopicPartition(NAME, 0, 0)], SECONDS)
    consumer.committed(partitions, SECONDS)
    consumer.close()


def transact() -> None:
    """Write in two transactions, a committed one with offsets and an aborted one."""
    consumer = Consumer({**CLUSTER, "group.id": NAME})
    producer = Producer({**CLUSTER, "message.timeout.ms": 10_000, "transactional.id": NAME})
    producer.init_transactions(SECONDS)
    producer.begin_transaction()
    producer.produce(NAME, COMMITTED, key=b"key")
    offsets = [TopicPartition(NAME, 0, 1)]
    producer.send_offsets_to_transaction(offsets, consumer.consumer_group_metadata(), SECONDS)
    producer.commit_transaction(SECONDS)
    producer.begin_transaction()
    producer.produce(NAME, b"in an aborted transaction")
    flush(producer)
    producer.abort_transaction(SECONDS)
    consumer.close()


def read_committed() -> None:
    """Read on in the same group up to the record of the committed transaction."""
    consumer = Consumer({**CLUSTER, "group.id": NAME, "auto.offset.reset": "earliest"})
    consumer.subscribe([NAME])
    while all(message.value() != COMMITTED for message in consumer.consume(RECORDS, timeout=0.5)):
        pass
    consumer.close()


def ask(admin: AdminClient) -> None:
    """Ask about the cluster, the topic and the group."""
    admin.describe_cluster().result(SECONDS)
    admin.list_topics(timeout=SECONDS)
    finish(admin.describe_configs([ConfigResource(ResourceType.TOPIC, NAME)]))
    finish(admin.list_offsets({TopicPartition(NAME, 0): OffsetSpec.latest()}))
    admin.list_consumer_groups().result(SECONDS)
    finish(admin.describe_consumer_groups([NAME]))
    finish(admin.list_consumer_group_offsets([ConsumerGroupTopicPartitions(NAME)]))
    admin.describe_topics(TopicCollection([NAME]))[NAME].result(SECONDS)


def change(admin: AdminClient) -> None:
    """Change the topic, and the group's committed offsets."""
    retention = ConfigEntry("retention.ms", "3600000", incremental_operation=AlterConfigOpType.SET)
    resource = ConfigResource(ResourceType.TOPIC, NAME, incremental_configs=[retention])
    finish(admin.incremental_alter_configs([resource]))
    finish(admin.alter_configs([ConfigResource(ResourceType.TOPIC, NAME, set_config={"retention.ms": "3600000"})]))
    finish(admin.create_partitions([NewPartitions(NAME, 3)]))
    finish(admin.delete_records([TopicPartition(NAME, 0, 1)]))
    offsets = ConsumerGroupTopicPartitions(NAME, [TopicPartition(NAME, 0, 2)])
    finish(admin.alter_consumer_group_offsets([offsets]))


def _give_up() -> None:
    sys.stderr.write(f"the client has taken {LIMIT:g} s\n")
    os._exit(124)


deadline = threading.Timer(LIMIT, _give_up)
deadline.daemon = True
deadline.start()
main()
