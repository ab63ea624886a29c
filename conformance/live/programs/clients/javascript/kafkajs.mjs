// KafkaJS: topics, records, a group, transactions, and questions, on the cluster that KAFKA_BOOTSTRAP names.
import kafkajs from 'kafkajs'
import { RECORDS, bootstrap, manyRecords, nameFor, run } from './session.mjs'

const { CompressionTypes, ConfigResourceTypes, Kafka, logLevel } = kafkajs
const name = nameFor('kafkajs')
const kafka = new Kafka({ clientId: 'conformance', brokers: [bootstrap], logLevel: logLevel.WARN })

await run(async () => {
  const admin = kafka.admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic: name, numPartitions: 2, replicationFactor: 1 }] })
  try {
    await produce()
    await consume()
    await transact()
    await ask(admin)
    await admin.deleteGroups([name])
  } finally {
    await admin.deleteTopics({ topics: [name] })
    await admin.disconnect()
  }
})

/** Writes records with and without key, value and headers, and a compressed batch. */
async function produce() {
  const producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner })
  await producer.connect()
  const headers = { first: '1', empty: '' }
  const messages = [{ value: 'without a key' }, { key: 'key', value: 'with headers', headers }, { key: 'key', value: null }]
  await producer.send({ topic: name, messages, acks: -1 })
  const rest = manyRecords(RECORDS - messages.length)
  await producer.send({ topic: name, messages: rest, compression: CompressionTypes.GZIP, acks: 1 })
  await producer.disconnect()
}

/** Reads everything in a group, and commits. */
async function consume() {
  const consumer = kafka.consumer({ groupId: name, maxWaitTimeInMs: 200 })
  await consumer.connect()
  await consumer.subscribe({ topics: [name], fromBeginning: true })
  let count = 0
  await new Promise((resolve, reject) => {
    consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
    const eachMessage = async ({ topic, partition, message }) => {
      const offset = String(BigInt(message.offset) + 1n)
      await consumer.commitOffsets([{ topic, partition, offset }])
      count += 1
      if (count === RECORDS) resolve()
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
  await first.send({ topic: name, messages: [{ key: 'key', value: 'in a transaction' }] })
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
}
