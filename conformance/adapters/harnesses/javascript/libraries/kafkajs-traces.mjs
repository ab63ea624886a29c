// The methods of Encoder and Decoder of KafkaJS, as they are while a function is traced.

import { List, TraceFault, pathOf, written } from '../traced/trace.mjs'

const NUMBERS = { Int8: 'int8', Int16: 'int16', Int32: 'int32', Int64: 'int64', Double: 'float64', Boolean: 'bool' }

// What Decoder is while a response is traced: it reads nothing.
export function readingMethods(reading) {
  const array = details =>
    function read(element) {
      return reading.array(() => element(this), details)
    }
  const methods = {
    readString: () => reading.one('string', { compact: false }),
    readUVarIntString: () => reading.one('string', { compact: true }),
    readBytes: () => reading.one('bytes', { compact: false }),
    readUVarIntBytes: () => reading.one('bytes', { compact: true }),
    readArray: array({ compact: false }),
    readArrayAsync: array({ compact: false }),
    readUVarIntArray: array({ compact: true }),
    readTaggedFields: () => reading.nothing('tags'),
    canReadBytes: () => false, // no records follow
    canReadInt32: () => true,
    slice: () => ({ offset: Infinity }),
    forward: () => undefined
  }
  for (const [name, type] of Object.entries(NUMBERS)) methods[`read${name}`] = () => reading.one(type)
  return methods
}

const TRACES = new WeakMap()

// The entries that an encoder was told to write while it was traced.
export function entriesOf(encoder) {
  if (!TRACES.has(encoder)) TRACES.set(encoder, [])
  return TRACES.get(encoder)
}

function noted(encoder, ...entries) {
  entriesOf(encoder).push(...entries)
  return encoder
}

const single = (type, details) =>
  function write(value) {
    return noted(this, written(type, value, details))
  }

const array = details =>
  function write(list, type) {
    const path = list instanceof List ? list.path : pathOf(list)
    if (!path) throw new TraceFault('the library writes an array that cannot be followed')
    return noted(this, { type: 'array', path, children: elementsOf(list, type), ...details })
  }

function elementsOf(list, type) {
  if (!(list instanceof List)) return [{ type: type ?? 'unknown', path: [] }]
  return TRACES.get(list.element) ?? [{ type: 'unknown', path: [] }]
}

// What Encoder is while a request is traced: it writes nothing.
export const writingMethods = {
  writeString: single('string', { compact: false }),
  writeUVarIntString: single('string', { compact: true }),
  writeBytes: single('bytes', { compact: false }),
  writeBuffer: single('raw', { sized: true }),
  writeArray: array({ compact: false }),
  writeNullableArray: array({ compact: false, emptyIsNull: true }),
  writeUVarIntArray: array({ compact: true }),
  writeUVarIntBytes(value) {
    return noted(this, value === undefined ? { type: 'tags' } : written('bytes', value, { compact: true }))
  },
  writeEncoder(encoder) {
    return noted(this, ...entriesOf(encoder))
  }
}
for (const [name, type] of Object.entries(NUMBERS)) writingMethods[`write${name}`] = single(type)
