// @platformatic/kafka: topics, records, a group, transactions, and questions, where KAFKA_BOOTSTRAP says.
import {
  Admin,
  ConfigResourceTypes,
  Consumer,
  FetchIsolationLevels,
  FindCoordinatorKeyTypes,
  IncrementalAlterConfigOperationTypes,
  Producer,
  stringDeserializers,
  stringSerializers,
} from '@platformatic/kafka'
import { COMMITTED, RECORDS, bootstrap, manyRecords, nameFor, run } from './session.mjs'

const CODECS = ['none', 'gzip', 'snappy', 'lz4'] // zstd takes a newer Node than this package needs
const name = nameFor('platformatic')
const topic = { resourceType: ConfigResourceTypes.TOPIC, resourceName: name }
// a request may take far less than the whole
const settings = { clientId: 'conformance', bootstrapBrokers: [bootstrap], requestTimeout: 5000 }

await run(async () => {
  const admin = new Admin(settings)
  await admin.createTopics({ topics: [name], partitions: 2, replicas: 1 })
  try {
    await produce()
    await consume()
    await transact()
    await readCommitted()
    await ask(admin)
    await change(admin)
    await admin.deleteGroups({ groups: [name] })
  } finally {
    await admin.deleteTopics({ topics: [name] })
    await admin.close()
  }
})

/** Writes records with and without key, value and headers, and batches of most compressions. */
async function produce() {
  const producer = new Producer({ ...settings, serializers: stringSerializers })
  const messages = [
    { topic: name, value: 'without a key' },
    { topic: name, key: 'key', value: 'with headers', headers: { first: '1', empty: '' } },
    { topic: name, key: 'key' },
  ]
  await producer.send({ messages, acks: -1 })
  await producer.close()
  for (const compression of CODECS) {
    await produceCompressed(compression, (RECORDS - messages.length) / CODECS.length)
  }
}

async function produceCompressed(compression, count) {
  const producer = new Producer({ ...settings, serializers: stringSerializers, idempotent: true })
  await producer.send({ messages: manyRecords(count).map((message) => ({ topic: name, ...message })), compression })
  await producer.close()
}

/** Reads everything in a group, and commits. */
async function consume() {
  const consumer = new Consumer({ ...settings, groupId: name, maxWaitTime: 200, deserializers: stringDeserializers })
  const stream = await consumer.consume({ topics: [name], mode: 'committed', fallbackMode: 'earliest', autocommit: false })
  let count = 0
  for await (const message of stream) {
    await message.commit()
    count += 1
    if (count === RECORDS) break
  }
  await consumer.listOffsets({ topics: [name] })
  await consumer.listCommittedOffsets({ topics: [{ topic: name, partitions: [0, 1] }] })
  await consumer.close(true)
}

/** Writes in two transactions: one that commits, one that is aborted. */
async function transact() {
  const producer = new Producer({ ...settings, serializers: stringSerializers, idempotent: true, transactionalId: name })
  const first = await producer.beginTransaction()
  await first.send({ messages: [{ topic: name, key: 'key', value: COMMITTED }] })
  await first.commit()
  const second = await producer.beginTransaction()
  await second.send({ messages: [{ topic: name, value: 'in an aborted transaction' }] })
  await second.abort()
  await producer.close()
}

/** Reads on in the same group up to the record of the transaction that was committed. */
async function readCommitted() {
  const isolationLevel = FetchIsolationLevels.READ_COMMITTED
  const consumer = new Consumer({ ...settings, groupId: name, maxWaitTime: 200, deserializers: stringDeserializers })
  const stream = await consumer.consume({ topics: [name], mode: 'committed', fallbackMode: 'earliest', isolationLevel })
  for await (const message of stream) {
    if (message.value === COMMITTED) break
  }
  await consumer.close(true)
}

/** Asks about the cluster, the topic and the group. */
async function ask(admin) {
  await admin.metadata({ topics: [name] })
  await admin.listTopics()
  await admin.describeConfigs({ resources: [topic], includeSynonyms: true })
  await admin.describeConfigs({ resources: [topic], includeDocumentation: true })
  await admin.listOffsets({ topics: [{ name, partitions: [{ partitionIndex: 0, timestamp: -1n }] }] })
  await admin.listGroups()
  await admin.describeGroups({ groups: [name] })
  await admin.listConsumerGroupOffsets({ groups: [name] })
  await admin.findCoordinator({ keyType: FindCoordinatorKeyTypes.GROUP, keys: [name] })
  await admin.findCoordinator({ keyType: FindCoordinatorKeyTypes.TRANSACTION, keys: [name] })
  await admin.describeLogDirs({ topics: [{ name, partitions: [0, 1] }] })
  await admin.describeClientQuotas({ components: [] })
}

/** Changes the topic, and what the group has committed. */
async function change(admin) {
  const retention = { name: 'retention.ms', value: '3600000' }
  await admin.alterConfigs({ resources: [{ ...topic, configs: [retention] }] })
  const setting = { ...retention, configOperation: IncrementalAlterConfigOperationTypes.SET }
  await admin.incrementalAlterConfigs({ resources: [{ ...topic, configs: [setting] }] })
  await admin.createPartitions({ topics: [{ name, count: 3 }] })
  await admin.deleteRecords({ topics: [{ name, partitions: [{ partition: 0, offset: 1n }] }] })
  await admin.alterConsumerGroupOffsets({ groupId: name, topics: [{ name, partitionOffsets: [{ partition: 0, offset: 2n }] }] })
  await admin.deleteConsumerGroupOffsets({ groupId: name, topics: [{ name, partitionIndexes: [0] }] })
}
