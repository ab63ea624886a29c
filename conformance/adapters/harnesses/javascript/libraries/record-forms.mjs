// The parts of record batches that both libraries share, and their JSON forms.

import { Endless, ProtocolError, Unrepresentable } from '../bridge/outcomes.mjs'
import { converterOf, readerOf } from '../bridge/forms.mjs'

export const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd']
export const bytesOf = readerOf('bytes')
export const showBytes = converterOf('bytes')
export const showInteger = converterOf('int64')
const textOf = readerOf('string')

// The key of a header: text, or bytes that are none.
export function headerKeyOf(form) {
  if (form === null) return null
  return form.hex !== undefined ? bytesOf(form.hex) : Buffer.from(textOf(form))
}

// Show the bytes of a header's key as text if they are.
export function showHeaderKey(bytes) {
  if (bytes === null) return null
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : { hex: bytes.toString('hex') }
}

// Take an error in the Records of a response for a limit of the library: they are bytes, and need not be batches.
//
// `files` matches the files of the library that read batches. Other errors are given back.
export function batchError(files, error) {
  if (error instanceof Endless || !files.test(error.stack)) return error
  return new Unrepresentable(`the library reads Records as batches: ${error.message}`)
}

// The one batch of magic 2 of a field, which is all that a client writes in one go.
export function onlyBatch(form) {
  if (form.partial) throw new Unrepresentable('the library writes no incomplete batch')
  if (!Array.isArray(form.batches)) throw new ProtocolError('records have "batches"')
  if (form.batches.length !== 1) throw new Unrepresentable('the library writes one batch at a time')
  const [batch] = form.batches
  if (batch?.magic !== 2) throw new Unrepresentable('the library writes batches of magic 2 only')
  present(batch, ['records', 'baseTimestamp', 'maxTimestamp', 'producerId'])
  for (const record of batch.records) if (record === null) throw new Unrepresentable('a record is null')
  return batch
}

// Refuse what is null where the library is given a number or a list.
export function present(item, names) {
  const missing = names.find(name => item[name] === null || item[name] === undefined)
  if (missing) throw new Unrepresentable(`the library has no null for ${missing}`)
}

// Refuse a batch whose members are not those that the library gives them.
export function only(batch, fixed) {
  for (const [name, value] of Object.entries(fixed)) {
    if (batch[name] !== value) throw new Unrepresentable(`the library writes ${value} for ${name}`)
  }
}
