// KafkaJS: topics, records, a group, transactions, and questions, on the cluster that KAFKA_BOOTSTRAP names.
import kafkajs from 'kafkajs'
import { COMMITTED, RECORDS, bootstrap, manyRecords, nameFor, run } from './session.mjs'

const { CompressionTypes, ConfigResourceTypes, Kafka, logLevel } = kafkajs
const CODECS = [CompressionTypes.None, CompressionTypes.GZIP]
const name = nameFor('kafkajs')
const requestTimeout = 5000 // far less than the limit of the whole
const kafka = new Kafka({ clientId: 'conformance', brokers: [bootstrap], logLevel: logLevel.WARN, requestTimeout })

await run(async () => {
  const admin = kafka.admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic: name, numPartitions: 2, replicationFactor: 1 }] })
  try {
    await produce()
    await consume()
    await transact()
    await readCommitted()
    await ask(admin)
    await change(admin)
    await admin.deleteGroups([name])
  } finally {
    await admin.deleteTopics({ topics: [name] })
    await admin.disconnect()
  }
})

/** Writes records with and without key, value and headers, and batches compressed in the one way that it has. */
async function produce() {
  const producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner })
  await producer.connect()
  const headers = { first: '1', empty: '' }
  const messages = [{ value: 'without a key' }, { key: 'key', value: 'with headers', headers }, { key: 'key', value: null }]
  await producer.send({ topic: name, messages, acks: -1 })
  for (const compression of CODECS) {
    const rest = manyRecords((RECORDS - messages.length) / CODECS.length)
    await producer.send({ topic: name, messages: rest, compression, acks: 1 })
  }
  await producer.disconnect()
}

/** Reads everything in a group, and commits. */
async function consume() {
  let count = 0
  await readUpTo(() => ++count === RECORDS)
}

/** Reads on in the same group up to the record of the transaction that was committed. */
async function readCommitted() {
  await readUpTo((message) => message.value?.toString() === COMMITTED)
}

async function readUpTo(isLast) {
  const consumer = kafka.consumer({ groupId: name, maxWaitTimeInMs: 200 })
  await consumer.connect()
  await consumer.subscribe({ topics: [name], fromBeginning: true })
  await new Promise((resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
    const eachMessage = async ({ topic, partition, message }) => {
      const offset = String(BigInt(message.offset) + 1n)
      await consumer.commitOffsets([{ topic, partition, offset }])
      if (isLast(message)) resolve()
    }
    consumer.run({ autoCommit: false, eachMessage }).catch(reject)
  })
  await consumer.disconnect()
}

/** Writes in two transactions: one that commits offsets as well, one that is aborted. */
async function transact() {
  const producer = kafka.producer({
    createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
    transactionalId: name,
    idempotent: true,
    maxInFlightRequests: 1,
  })
  await producer.connect()
  const first = await producer.transaction()
  await first.send({ topic: name, messages: [{ key: 'key', value: COMMITTED }] })
  const topics = [{ topic: name, partitions: [{ partition: 0, offset: '1' }] }]
  await first.sendOffsets({ consumerGroupId: name, topics })
  await first.commit()
  const second = await producer.transaction()
  await second.send({ topic: name, messages: [{ value: 'in an aborted transaction' }] })
  await second.abort()
  await producer.disconnect()
}

/** Asks about the cluster, the topic and the group. */
async function ask(admin) {
  await admin.describeCluster()
  await admin.listTopics()
  await admin.fetchTopicMetadata({ topics: [name] })
  await admin.fetchTopicOffsets(name)
  await admin.describeConfigs({ includeSynonyms: false, resources: [{ type: ConfigResourceTypes.TOPIC, name }] })
  await admin.listGroups()
  await admin.describeGroups([name])
  await admin.fetchOffsets({ groupId: name, topics: [name] })
  await admin.fetchTopicOffsetsByTimestamp(name, 0)
  await admin.listPartitionReassignments({ topics: [{ topic: name, partitions: [0, 1] }] })
}

/** Changes the topic, and what the group has committed. */
async function change(admin) {
  const configEntries = [{ name: 'retention.ms', value: '3600000' }]
  await admin.alterConfigs({ validateOnly: false, resources: [{ type: ConfigResourceTypes.TOPIC, name, configEntries }] })
  await admin.deleteTopicRecords({ topic: name, partitions: [{ partition: 0, offset: '1' }] })
  await admin.setOffsets({ groupId: name, topic: name, partitions: [{ partition: 0, offset: '2' }] })
  // last, as a new partition has no leader at first, and deleteTopicRecords asks for the offsets of all of them
  await admin.createPartitions({ topicPartitions: [{ topic: name, count: 3 }] })
}
