"""Topics, records, a group, a transaction, and questions by aiokafka, on the cluster at KAFKA_BOOTSTRAP."""

import asyncio
import os
import sys
import threading
import uuid

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewPartitions, NewTopic, RecordsToDelete
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

BOOTSTRAP = os.environ["KAFKA_BOOTSTRAP"]
CLUSTER = {"bootstrap_servers": BOOTSTRAP, "request_timeout_ms": 5_000}  # far less than the limit
NAME = f"conformance-aiokafka-{uuid.uuid4().hex[:8]}"
HEADERS = [("first", b"1"), ("empty", b"")]
LIMIT = float(os.environ.get("CLIENT_SECONDS", "30"))
RECORDS = 23
CODECS = "gzip", "snappy", "lz4", "zstd"
COMMITTED = b"in a transaction"


async def main() -> None:
    """Use the cluster, and leave no topic there, but a group, which this client cannot delete."""
    admin = AIOKafkaAdminClient(**CLUSTER)
    await admin.start()
    await admin.create_topics([NewTopic(NAME, num_partitions=2, replication_factor=1)])
    try:
        await produce()
        await consume()
        await read_without_a_group()
        await transact()
        await read_committed()
        await ask(admin)
        await change(admin)
    finally:
        await admin.delete_topics([NAME])
        await admin.close()


async def produce() -> None:
    """Write records with and without key, value and headers, and a batch of each compression."""
    async with AIOKafkaProducer(**CLUSTER, acks="all", enable_idempotence=True) as producer:
        await producer.send_and_wait(NAME, b"without a key")
        await producer.send_and_wait(NAME, b"with headers", key=b"key", headers=HEADERS)
        await producer.send_and_wait(NAME, None, key=b"key", partition=0)
    for codec in CODECS:
        async with AIOKafkaProducer(**CLUSTER, compression_type=codec, linger_ms=20) as producer:
            for number in range((RECORDS - 3) // len(CODECS)):
                await producer.send(NAME, b"x" * 100, key=b"%d" % number)
            await producer.flush()


async def consume() -> None:
    """Read everything in a group, and commit."""
    consumer = AIOKafkaConsumer(NAME, **CLUSTER, group_id=NAME, auto_offset_reset="earliest", enable_auto_commit=False)
    async with consumer:
        for _ in range(RECORDS):
            await consumer.getone()
        await consumer.commit()
        partitions = consumer.assignment()
        await consumer.beginning_offsets(partitions)
        await consumer.offsets_for_times(dict.fromkeys(partitions, 0))
        await consumer.committed(min(partitions))


async def read_without_a_group() -> None:
    """Read one partition from its beginning."""
    partition = TopicPartition(NAME, 0)
    async with AIOKafkaConsumer(**CLUSTER, group_id=None) as consumer:
        consumer.assign([partition])
        await consumer.seek_to_beginning(partition)
        await consumer.getone()
        await consumer.seek_to_end(partition)
        await consumer.position(partition)


async def transact() -> None:
    """Write in two transactions, a committed one with offsets and an aborted one."""
    async with AIOKafkaProducer(**CLUSTER, transactional_id=NAME) as producer:
        async with producer.transaction():
            await producer.send_and_wait(NAME, COMMITTED, key=b"key")
            await producer.send_offsets_to_transaction({TopicPartition(NAME, 0): 1}, NAME)
        await producer.begin_transaction()
        await producer.send_and_wait(NAME, b"in an aborted transaction")
        await producer.abort_transaction()


async def read_committed() -> None:
    """Read on in the same group up to the record of the committed transaction."""
    settings = {"auto_offset_reset": "earliest", "isolation_level": "read_committed"}
    async with AIOKafkaConsumer(NAME, **CLUSTER, group_id=NAME, **settings) as consumer:
        while (await consumer.getone()).value != COMMITTED:
            pass
        await consumer.end_offsets(consumer.assignment())


async def ask(admin: AIOKafkaAdminClient) -> None:
    """Ask about the cluster, the topic and the group."""
    cluster = await admin.describe_cluster()
    await admin.list_topics()
    await admin.describe_topics([NAME])
    for kind, name in ((ConfigResourceType.TOPIC, NAME), (ConfigResourceType.BROKER, str(cluster["controller_id"]))):
        await admin.describe_configs([ConfigResource(kind, name)], include_synonyms=True)
    await admin.list_consumer_groups()
    await admin.describe_consumer_groups([NAME])
    await admin.list_consumer_group_offsets(NAME)


async def change(admin: AIOKafkaAdminClient) -> None:
    """Change the topic."""
    await admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, NAME, {"retention.ms": "3600000"})])
    await admin.create_partitions({NAME: NewPartitions(3)})
    await admin.delete_records({TopicPartition(NAME, 0): RecordsToDelete(before_offset=1)})


def _give_up() -> None:
    sys.stderr.write(f"the client has taken {LIMIT:g} s\n")
    os._exit(124)


deadline = threading.Timer(LIMIT, _give_up)
deadline.daemon = True
deadline.start()
asyncio.run(main())
