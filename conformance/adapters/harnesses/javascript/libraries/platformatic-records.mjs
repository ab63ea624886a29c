// Record batches, by @platformatic/kafka's createRecordsBatch and readRecordsBatches.

import { Unrepresentable } from '../bridge/outcomes.mjs'
import { CODECS, bytesOf, headerKeyOf, only, onlyBatch, present, showBytes, showHeaderKey, showInteger } from './record-forms.mjs'

// What the bridge needs of records; the arguments are modules of the library.
export function records({ createRecordsBatch, readRecordsBatches }, { compressionsAlgorithms }, Reader) {
  const codecs = CODECS.filter(name => compressionsAlgorithms[name].available)
  return {
    claims: { 'check-crc': 'never', 'legacy-message-sets': 'no', 'partial-tail': 'dropped', codecs },
    build: form => argumentsOf(onlyBatch(form), codecs),
    write: ([messages, options]) => createRecordsBatch(messages, options).buffer,
    read: wire => ({ own: readRecordsBatches(Reader.from(wire)) }),
    show: batches => ({ batches: batches.map(showBatch), partial: '' })
  }
}

function argumentsOf(batch, codecs) {
  if (!codecs.includes(batch.compression)) throw new Unrepresentable(`the library has no ${batch.compression} here`)
  const base = BigInt(batch.baseTimestamp)
  const messages = batch.records.map((record, index) => messageOf(record, index, base))
  if (messages.length === 0) throw new Unrepresentable('the library writes no empty batch')
  const latest = messages.reduce((most, { timestamp }) => (timestamp > most ? timestamp : most), base)
  only(batch, {
    baseOffset: '0',
    lastOffsetDelta: messages.length - 1,
    timestampType: 'create',
    control: false,
    deleteHorizon: false,
    unusedAttributes: 0,
    maxTimestamp: String(latest)
  })
  only(batch.records[0], { timestampDelta: '0' })
  return [messages, optionsOf(batch)]
}

function messageOf(record, index, base) {
  present(record, ['timestampDelta', 'offsetDelta', 'headers'])
  only(record, { attributes: 0, offsetDelta: index })
  return {
    key: bytesOf(record.key),
    value: bytesOf(record.value),
    headers: new Map(record.headers.map(([key, value]) => [headerKeyOf(key), bytesOf(value)])),
    timestamp: base + BigInt(record.timestampDelta)
  }
}

function optionsOf(batch) {
  return {
    compression: batch.compression,
    producerId: BigInt(batch.producerId),
    producerEpoch: batch.producerEpoch,
    sequences: { getWithDefault: () => batch.baseSequence },
    partitionLeaderEpoch: batch.partitionLeaderEpoch,
    transactionalId: batch.transactional ? 'transaction' : undefined
  }
}

function showBatch(batch) {
  const { attributes } = batch
  return {
    magic: batch.magic,
    baseOffset: showInteger(batch.firstOffset),
    partitionLeaderEpoch: batch.partitionLeaderEpoch,
    compression: CODECS[attributes & 7] ?? null,
    timestampType: attributes & 8 ? 'log-append' : 'create',
    transactional: Boolean(attributes & 16),
    control: Boolean(attributes & 32),
    deleteHorizon: Boolean(attributes & 64),
    unusedAttributes: (attributes & 0xff80) >>> 7,
    lastOffsetDelta: batch.lastOffsetDelta,
    baseTimestamp: showInteger(batch.firstTimestamp),
    maxTimestamp: showInteger(batch.maxTimestamp),
    producerId: showInteger(batch.producerId),
    producerEpoch: batch.producerEpoch,
    baseSequence: batch.firstSequence,
    records: batch.records.map(showRecord)
  }
}

function showRecord(record) {
  return {
    attributes: record.attributes,
    timestampDelta: showInteger(record.timestampDelta),
    offsetDelta: record.offsetDelta,
    key: showBytes(record.key),
    value: showBytes(record.value),
    headers: record.headers.map(([key, value]) => [showHeaderKey(key), showBytes(value)])
  }
}
