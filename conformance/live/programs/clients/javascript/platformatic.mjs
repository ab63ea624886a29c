// @platformatic/kafka: topics, records, a group, transactions, and questions, where KAFKA_BOOTSTRAP says.
import { Admin, ConfigResourceTypes, Consumer, Producer, stringDeserializers, stringSerializers } from '@platformatic/kafka'
import { RECORDS, bootstrap, manyRecords, nameFor, run } from './session.mjs'

const name = nameFor('platformatic')
const settings = { clientId: 'conformance', bootstrapBrokers: [bootstrap] }

await run(async () => {
  const admin = new Admin(settings)
  await admin.createTopics({ topics: [name], partitions: 2, replicas: 1 })
  try {
    await produce()
    await consume()
    await transact()
    await ask(admin)
    await admin.deleteGroups({ groups: [name] })
  } finally {
    await admin.deleteTopics({ topics: [name] })
    await admin.close()
  }
})

/** Writes records with and without key, value and headers, and a compressed batch. */
async function produce() {
  const producer = new Producer({ ...settings, serializers: stringSerializers })
  const messages = [
    { topic: name, value: 'without a key' },
    { topic: name, key: 'key', value: 'with headers', headers: { first: '1', empty: '' } },
    { topic: name, key: 'key' },
  ]
  await producer.send({ messages, acks: -1 })
  const rest = manyRecords(RECORDS - messages.length).map((message) => ({ topic: name, ...message }))
  await producer.send({ messages: rest, acks: 1, compression: 'gzip' })
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
  await first.send({ messages: [{ topic: name, key: 'key', value: 'in a transaction' }] })
  await first.commit()
  const second = await producer.beginTransaction()
  await second.send({ messages: [{ topic: name, value: 'in an aborted transaction' }] })
  await second.abort()
  await producer.close()
}

/** Asks about the cluster, the topic and the group. */
async function ask(admin) {
  await admin.metadata({ topics: [name] })
  await admin.listTopics()
  const resources = [{ resourceType: ConfigResourceTypes.TOPIC, resourceName: name }]
  await admin.describeConfigs({ resources })
  await admin.listOffsets({ topics: [{ name, partitions: [{ partitionIndex: 0, timestamp: -1n }] }] })
  await admin.listGroups()
  await admin.describeGroups({ groups: [name] })
  await admin.listConsumerGroupOffsets({ groups: [name] })
}
