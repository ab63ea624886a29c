// What @platformatic/kafka can be asked: its Reader and Writer for single values and headers, and its response parsers.
// The package exports a client only, so these are imported by path.

import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import zlib from 'node:zlib'

const dist = dirname(createRequire(import.meta.url).resolve('@platformatic/kafka'))
const load = path => import(pathToFileURL(join(dist, path)).href)
const { Reader } = await load('protocol/reader.js')
const { Writer } = await load('protocol/writer.js')
const { readRecordsBatches } = await load('protocol/records.js')

// A codec reads a Reader to a value, and writes a JSON value to a Writer; either may be missing.
const same = (read, write) => ({ read, write })
const asBytes = hex => (hex === null ? null : Buffer.from(hex, 'hex'))
const asFloat = bits => Buffer.from(bits, 'hex').readDoubleBE()
const items = (compact, nullable, element, write) =>
  same(
    r => (nullable ? r.readNullableArray(element, compact, false) : r.readArray(element, compact, false)),
    (w, values) => w.appendArray(values, write, compact, false)
  )

const PRIMITIVES = {
  bool: same(r => r.readBoolean(), (w, v) => w.appendBoolean(v)),
  int8: same(r => r.readInt8(), (w, v) => w.appendInt8(v)),
  int16: same(r => r.readInt16(), (w, v) => w.appendInt16(v)),
  int32: same(r => r.readInt32(), (w, v) => w.appendInt32(v)),
  int64: same(r => r.readInt64(), (w, v) => w.appendInt64(BigInt(v))),
  uint16: same(r => r.readUnsignedInt16(), (w, v) => w.appendUnsignedInt16(v)),
  uint32: same(r => r.readUnsignedInt32(), (w, v) => w.appendUnsignedInt32(Number(v))),
  float64: same(r => r.readFloat64(), (w, v) => w.appendFloat64(asFloat(v))),
  uuid: same(r => r.readUUID(), (w, v) => w.appendUUID(v)),
  varint: same(r => r.readVarInt(), (w, v) => w.appendVarInt(v)),
  varlong: same(r => r.readVarInt64(), (w, v) => w.appendVarInt64(BigInt(v))),
  'unsigned-varint': same(r => r.readUnsignedVarInt(), (w, v) => w.appendUnsignedVarInt(v)),
  'unsigned-varlong': same(r => r.readUnsignedVarInt64(), (w, v) => w.appendUnsignedVarInt64(BigInt(v)))
}
for (const compact of [false, true]) {
  for (const nullable of [false, true]) {
    const name = type => (compact ? 'compact-' : '') + (nullable ? 'nullable-' : '') + type
    const read = type => (nullable ? `readNullable${type}` : `read${type}`)
    const string = (w, v) => w.appendString(v, compact)
    PRIMITIVES[name('string')] = same(r => r[read('String')](compact), string)
    PRIMITIVES[name('bytes')] = same(r => r[read('Bytes')](compact), (w, v) => w.appendBytes(asBytes(v), compact))
    PRIMITIVES[name('array-of-int32')] = items(compact, nullable, r => r.readInt32(), (w, v) => w.appendInt32(v))
    PRIMITIVES[name('array-of-string')] = items(compact, nullable, r => r.readString(compact), string)
  }
}

// Headers as dist/network/connection.js writes and reads them; there is no function to call.
const HEADERS = {
  'RequestHeader v1': { write: writeRequestHeader },
  'RequestHeader v2': { write: (w, header) => writeRequestHeader(w, header).appendTaggedFields() },
  'ResponseHeader v0': { read: r => ({ correlationId: r.readInt32() }) },
  'ResponseHeader v1': {
    read(r) {
      const correlationId = r.readInt32()
      r.skip(1) // the tagged fields, taken to be none
      return { correlationId }
    }
  }
}

function writeRequestHeader(w, header) {
  return w
    .appendInt16(header.RequestApiKey)
    .appendInt16(header.RequestApiVersion)
    .appendInt32(header.CorrelationId)
    .appendString(header.ClientId, false)
}

// Response parsers by "key version", of whichever file says that it has them.
const PARSERS = new Map()
for (const group of ['admin', 'consumer', 'metadata', 'producer', 'security', 'telemetry']) {
  for (const file of readdirSync(join(dist, 'apis', group)).filter(name => /-v\d+\.js$/.test(name))) {
    const { api, parseResponse } = await load(`apis/${group}/${file}`)
    PARSERS.set(`${api.key} ${api.version}`, reader => responseOf(() => parseResponse(0, api.key, api.version, reader)))
  }
}

// A response that carries an error code is thrown, with all that was read.
function responseOf(parse) {
  try {
    return parse()
  } catch (error) {
    if (error.response !== undefined) return error.response
    throw error
  }
}

// A field of records, as dist/protocol/records.js reads it: the attributes of a batch are one number there, and keys of
// headers are bytes. The client writes batches from messages only, with numbers of its own.
const COMPRESSIONS = ['none', 'gzip', 'snappy', 'lz4', 'zstd']
const RECORDS = {
  read(r) {
    const batches = readRecordsBatches(r).map(batchOf)
    return { batches, partial: Buffer.from(r.buffer.slice(r.position, r.position + r.remaining)) }
  }
}

function recordsCodecOf(byteAt) {
  if (byteAt(16) < 2) return { why: 'no message sets' } // the magic
  if ((byteAt(22) & 7) === 4 && !zlib.zstdDecompressSync) return { why: 'no zstd in this version of Node.js' }
  return RECORDS
}

function batchOf({ firstOffset, firstTimestamp, firstSequence, attributes, records, ...rest }) {
  return {
    ...rest,
    baseOffset: firstOffset,
    baseTimestamp: firstTimestamp,
    baseSequence: firstSequence,
    compression: COMPRESSIONS[attributes & 7],
    timestampType: attributes & 8 ? 'log-append' : 'create',
    transactional: (attributes & 16) !== 0,
    control: (attributes & 32) !== 0,
    deleteHorizon: (attributes & 64) !== 0,
    unusedAttributes: (attributes >> 7) & 0x1ff,
    records: records.map(record => ({ ...record, headers: record.headers.map(([key, value]) => [String(key), value]) }))
  }
}

// The codec for a vector: { read, write }, or { why } it has none.
export function codecOf({ file, version, wire }) {
  const name = `${file.message} v${version}`
  switch (file.kind) {
    case 'primitive':
      return PRIMITIVES[file.message] ?? { why: `no ${file.message}` }
    case 'header':
      return HEADERS[name] ?? { why: `no ${name}` }
    case 'response': {
      if (file.message === 'FetchResponse') return { why: 'FetchResponse: records are parsed, not handed over as bytes' }
      const read = PARSERS.get(`${file.apiKey} ${version}`)
      return read ? { read } : { why: `no ${name}` }
    }
    case 'request':
      return { why: 'requests are made from the arguments of a client, not from fields' }
    case 'records':
      return recordsCodecOf(byte => parseInt(wire.slice(2 * byte, 2 * byte + 2), 16))
    default:
      return { why: `no ${file.kind}` }
  }
}

export const readerOf = wire => Reader.from(wire)

export function bytesOf(write, value) {
  const writer = Writer.create()
  write(writer, value)
  return writer.buffer
}
