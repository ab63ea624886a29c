"""aiokafka: topics, records, a group, a transaction, and questions, on the cluster that KAFKA_BOOTSTRAP names."""

import asyncio
import os
import sys
import threading
import uuid

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

BOOTSTRAP = os.environ["KAFKA_BOOTSTRAP"]
NAME = f"conformance-aiokafka-{uuid.uuid4().hex[:8]}"
HEADERS = [("first", b"1"), ("empty", b"")]
RECORDS = 23


async def main() -> None:
    """Use the cluster, and leave no topic there; this client has no way to delete a group."""
    admin = AIOKafkaAdminClient(bootstrap_servers=BOOTSTRAP)
    await admin.start()
    await admin.create_topics([NewTopic(NAME, num_partitions=2, replication_factor=1)])
    try:
        await produce()
        await consume()
        await transact()
        await ask(admin)
    finally:
        await admin.delete_topics([NAME])
        await admin.close()


async def produce() -> None:
    """Write records with and without key, value and headers, and a compressed batch."""
    async with AIOKafkaProducer(bootstrap_servers=BOOTSTRAP, acks="all", enable_idempotence=True) as producer:
        await producer.send_and_wait(NAME, b"without a key")
        await producer.send_and_wait(NAME, b"with headers", key=b"key", headers=HEADERS)
        await producer.send_and_wait(NAME, None, key=b"key", partition=0)
    async with AIOKafkaProducer(bootstrap_servers=BOOTSTRAP, compression_type="gzip", linger_ms=50) as producer:
        for number in range(20):
            await producer.send(NAME, b"x" * 100, key=b"%d" % number)
        await producer.flush()


async def consume() -> None:
    """Read everything in a group, and commit."""
    consumer = AIOKafkaConsumer(
        NAME, bootstrap_servers=BOOTSTRAP, group_id=NAME, auto_offset_reset="earliest", enable_auto_commit=False
    )
    async with consumer:
        for _ in range(RECORDS):
            await consumer.getone()
        await consumer.commit()
        partitions = consumer.assignment()
        await consumer.beginning_offsets(partitions)
        await consumer.offsets_for_times(dict.fromkeys(partitions, 0))
        await consumer.committed(min(partitions))


async def transact() -> None:
    """Write in two transactions: one that commits offsets as well, one that is aborted."""
    async with AIOKafkaProducer(bootstrap_servers=BOOTSTRAP, transactional_id=NAME) as producer:
        async with producer.transaction():
            await producer.send_and_wait(NAME, b"in a transaction", key=b"key")
            await producer.send_offsets_to_transaction({TopicPartition(NAME, 0): 1}, NAME)
        await producer.begin_transaction()
        await producer.send_and_wait(NAME, b"in an aborted transaction")
        await producer.abort_transaction()


async def ask(admin: AIOKafkaAdminClient) -> None:
    """Ask about the cluster, the topic and the group."""
    await admin.describe_cluster()
    await admin.list_topics()
    await admin.describe_topics([NAME])
    await admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, NAME)])
    await admin.list_consumer_groups()
    await admin.describe_consumer_groups([NAME])
    await admin.list_consumer_group_offsets(NAME)


def _give_up() -> None:
    sys.stderr.write("the client has taken 30 s\n")
    os._exit(124)


deadline = threading.Timer(30, _give_up)
deadline.daemon = True
deadline.start()
asyncio.run(main())
