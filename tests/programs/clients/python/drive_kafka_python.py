"""Topics, records, a group, a transaction, and questions by kafka-python, on the cluster at KAFKA_BOOTSTRAP."""

import os
import sys
import threading
import uuid
from collections.abc import Iterator

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import ConfigResource, ConfigResourceType, NewTopic, OffsetSpec
from kafka.structs import OffsetAndMetadata

BOOTSTRAP = os.environ["KAFKA_BOOTSTRAP"]
CLUSTER = {"bootstrap_servers": BOOTSTRAP, "request_timeout_ms": 5_000}  # far less than the limit
NAME = f"conformance-kafka-python-{uuid.uuid4().hex[:8]}"
HEADERS = [("first", b"1"), ("empty", b"")]
LIMIT = float(os.environ.get("CLIENT_SECONDS", "30"))
RECORDS = 23
CODECS = "gzip", "snappy", "lz4", "zstd"
COMMITTED = b"in a transaction"


def main() -> None:
    """Use the cluster, and leave nothing there."""
    admin = KafkaAdminClient(**CLUSTER)
    admin.create_topics([NewTopic(NAME, num_partitions=2, replication_factor=1)])
    try:
        produce()
        consume()
        transact()
        read_committed()
        ask(admin)
        ask_about_brokers(admin)
        change(admin)
        admin.delete_groups([NAME])
    finally:
        admin.delete_topics([NAME])
        admin.close()


def produce() -> None:
    """Write records with and without key, value and headers, and a batch of each compression."""
    producer = KafkaProducer(**CLUSTER, max_block_ms=10_000, delivery_timeout_ms=10_000, acks="all", linger_ms=20)
    futures = [
        producer.send(NAME, value=b"without a key"),
        producer.send(NAME, key=b"key", value=b"with headers", headers=HEADERS),
        producer.send(NAME, key=b"key", value=None, partition=0),
    ]
    for future in futures:
        future.get(timeout=10)
    producer.close()
    for codec in CODECS:
        producer = KafkaProducer(
            **CLUSTER, max_block_ms=10_000, delivery_timeout_ms=10_000, acks=1, compression_type=codec, linger_ms=20
        )
        for number in range((RECORDS - len(futures)) // len(CODECS)):
            producer.send(NAME, key=b"%d" % number, value=b"x" * 100)
        producer.flush(timeout=10)
        producer.close()


def consume() -> None:
    """Read everything in a group, and commit."""
    consumer = KafkaConsumer(NAME, **CLUSTER, group_id=NAME, auto_offset_reset="earliest", enable_auto_commit=False)
    for _ in received(consumer):
        pass
    consumer.commit()
    partitions = consumer.assignment()
    consumer.beginning_offsets(partitions)
    consumer.offsets_for_times(dict.fromkeys(partitions, 0))
    consumer.committed(min(partitions))
    consumer.close()


def received(consumer: KafkaConsumer) -> Iterator[object]:
    """Yield the produced records."""
    count = 0
    while count < RECORDS:
        for records in consumer.poll(timeout_ms=500).values():
            yield from records
            count += len(records)


def transact() -> None:
    """Write in two transactions, a committed one with offsets and an aborted one."""
    producer = KafkaProducer(**CLUSTER, max_block_ms=10_000, delivery_timeout_ms=10_000, transactional_id=NAME)
    producer.init_transactions()
    producer.begin_transaction()
    producer.send(NAME, key=b"key", value=COMMITTED).get(timeout=10)
    producer.send_offsets_to_transaction({TopicPartition(NAME, 0): OffsetAndMetadata(1, "", -1)}, NAME)
    producer.commit_transaction()
    producer.begin_transaction()
    producer.send(NAME, value=b"in an aborted transaction").get(timeout=10)
    producer.abort_transaction()
    producer.close()


def read_committed() -> None:
    """Read on in the same group up to the record of the committed transaction."""
    settings = {"auto_offset_reset": "earliest", "isolation_level": "read_committed"}
    consumer = KafkaConsumer(NAME, **CLUSTER, group_id=NAME, **settings)
    next(record for record in consumer if record.value == COMMITTED)
    consumer.close()


def ask(admin: KafkaAdminClient) -> None:
    """Ask about the cluster, the topic, the group and the transaction."""
    admin.describe_cluster()
    admin.list_topics()
    admin.describe_topics([NAME])
    admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, NAME)])
    admin.list_groups()
    admin.describe_groups([NAME])
    admin.list_group_offsets({NAME: None})
    admin.describe_topic_partitions([NAME])
    partitions = [TopicPartition(NAME, 0), TopicPartition(NAME, 1)]
    admin.list_partition_offsets(dict.fromkeys(partitions, OffsetSpec.LATEST))
    admin.describe_producers(partitions)
    admin.list_transactions()
    admin.describe_transactions([NAME])


def ask_about_brokers(admin: KafkaAdminClient) -> None:
    """Ask about brokers, their configurations and users."""
    broker = str(admin.describe_cluster()["brokers"][0]["broker_id"])
    admin.describe_configs([ConfigResource(ConfigResourceType.BROKER, broker)])
    admin.describe_log_dirs({NAME: [0, 1]})
    admin.list_partition_reassignments({NAME: [0, 1]})
    admin.list_config_resources()
    admin.describe_user_scram_credentials()


def change(admin: KafkaAdminClient) -> None:
    """Change the topic, and the group's committed offsets."""
    for incremental in (True, False):
        resource = ConfigResource(ConfigResourceType.TOPIC, NAME, {"retention.ms": "3600000"})
        admin.alter_configs([resource], incremental=incremental)
    admin.create_partitions({NAME: 3})
    admin.wait_for_topics([NAME])
    partition = TopicPartition(NAME, 0)
    admin.delete_records({partition: 1})
    admin.alter_group_offsets(NAME, {partition: OffsetAndMetadata(2, "", -1)})
    admin.delete_group_offsets(NAME, [partition])


def _give_up() -> None:
    sys.stderr.write(f"the client has taken {LIMIT:g} s\n")
    os._exit(124)


deadline = threading.Timer(LIMIT, _give_up)
deadline.daemon = True
deadline.start()
main()
