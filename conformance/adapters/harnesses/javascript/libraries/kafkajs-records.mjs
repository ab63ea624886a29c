// Record batches, by KafkaJS: RecordBatch and Record write them, and what reads a fetched field delivers its records.

import { Unrepresentable } from '../bridge/outcomes.mjs'
import { CODECS, bytesOf, headerKeyOf, only, onlyBatch, present, showBytes, showInteger } from './record-forms.mjs'

const OWN_CODECS = ['none', 'gzip']

// What the bridge needs of records; `load` gives a module of the library's folder `protocol`.
export function records(load) {
  const { RecordBatch } = load('recordBatch/v0')
  const Record = load('recordBatch/record/v0')
  const decodeMessages = load('requests/fetch/v4/decodeMessages')
  const Decoder = load('decoder')
  const claims = { 'check-crc': 'never', 'legacy-message-sets': 'read', 'partial-tail': 'dropped', headers: 'map' }
  return {
    claims: { ...claims, batches: 'flattened', codecs: OWN_CODECS },
    build: form => argumentsOf(onlyBatch(form)),
    async write({ records: list, ...batch }) {
      const encoder = await RecordBatch({ ...batch, records: list.map(record => Record(record)) })
      return encoder.buffer
    },
    async read(wire) {
      const size = Buffer.alloc(4)
      size.writeInt32BE(wire.length)
      return { own: await decodeMessages(new Decoder(Buffer.concat([size, wire]))) }
    },
    show: list => ({ records: list.map(showRecord) })
  }
}

function argumentsOf(batch) {
  if (!OWN_CODECS.includes(batch.compression)) throw new Unrepresentable(`the library has no ${batch.compression}`)
  only(batch, { timestampType: 'create', control: false, deleteHorizon: false, unusedAttributes: 0 })
  return {
    compression: CODECS.indexOf(batch.compression),
    firstOffset: batch.baseOffset,
    firstTimestamp: batch.baseTimestamp,
    maxTimestamp: batch.maxTimestamp,
    partitionLeaderEpoch: batch.partitionLeaderEpoch,
    lastOffsetDelta: batch.lastOffsetDelta,
    transactional: batch.transactional,
    producerId: batch.producerId,
    producerEpoch: batch.producerEpoch,
    firstSequence: batch.baseSequence,
    records: batch.records.map(recordOf)
  }
}

function recordOf(record) {
  present(record, ['timestampDelta', 'offsetDelta', 'headers'])
  only(record, { attributes: 0 })
  const { offsetDelta, timestampDelta } = record
  return { offsetDelta, timestampDelta, key: bytesOf(record.key), value: bytesOf(record.value), headers: headersOf(record) }
}

// Headers are an object; values of the same key are an array.
function headersOf(record) {
  const headers = {}
  const keys = record.headers.map(([key]) => textKey(key))
  for (const [index, [, value]] of record.headers.entries()) (headers[keys[index]] ??= []).push(bytesOf(value))
  const order = Object.entries(headers).flatMap(([key, values]) => values.map(() => key))
  if (order.join('\0') !== keys.join('\0')) throw new Unrepresentable('an object has another order of headers')
  return Object.fromEntries(Object.entries(headers).map(([key, values]) => [key, values.length > 1 ? values : values[0]]))
}

function textKey(form) {
  if (form === null) throw new Unrepresentable('the key of a header is a name of an object')
  const bytes = headerKeyOf(form)
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes)) throw new Unrepresentable('the key of a header is text')
  return text
}

function showRecord({ offset, timestamp = -1, key, value, headers = {} }) {
  const pairs = Object.entries(headers).flatMap(([name, values]) => [values].flat().map(one => [name, showBytes(one)]))
  return {
    offset: showInteger(offset),
    timestamp: showInteger(timestamp),
    key: showBytes(key),
    value: showBytes(value),
    headers: pairs
  }
}
