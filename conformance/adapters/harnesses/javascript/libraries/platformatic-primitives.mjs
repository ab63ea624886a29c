// Single wire types, by Reader and Writer of @platformatic/kafka.

import { adder, listOf, scalar } from './wire-types.mjs'

const SINGLE = {
  bool: ['Boolean', 'bool'],
  int8: ['Int8', 'int8'],
  int16: ['Int16', 'int16'],
  int32: ['Int32', 'int32'],
  int64: ['Int64', 'int64'],
  uint16: ['UnsignedInt16', 'uint16'],
  float64: ['Float64', 'float64'],
  varint: ['VarInt', 'int32'],
  varlong: ['VarInt64', 'int64'],
  'unsigned-varint': ['UnsignedVarInt', 'int32'],
  'unsigned-varlong': ['UnsignedVarInt64', 'int64'],
  uuid: ['UUID', 'uuid']
}

// A map from the names of wire types to what writes and reads them.
export function primitives(Reader, Writer) {
  const types = {}
  const add = adder(types, {
    writer: () => Writer.create(),
    reader: wire => Reader.from(wire),
    position: reader => reader.position
  })
  for (const [name, [method, type]] of Object.entries(SINGLE)) {
    const write = (writer, value) => writer[`append${method}`](value)
    add(name, scalar(type), write, reader => reader[`read${method}`]())
  }
  const writeUint32 = (writer, value) => writer.appendUnsignedInt32(Number(value))
  add('uint32', scalar('uint32'), writeUint32, reader => reader.readUnsignedInt32())
  for (const compact of [true, false]) {
    const prefix = compact ? 'compact-' : ''
    for (const [nullable, method] of [['', ''], ['nullable-', 'Nullable']]) {
      for (const [type, kind] of [['string', 'String'], ['bytes', 'Bytes']]) {
        const write = (writer, value) => writer[`append${kind}`](value, compact)
        add(`${prefix}${nullable}${type}`, scalar(type), write, reader => reader[`read${method}${kind}`](compact))
      }
      for (const [type, kind] of [['string', 'String'], ['int32', 'Int32']]) {
        const extra = kind === 'String' ? [compact] : []
        const write = (writer, value) =>
          writer.appendArray(value, (w, item) => w[`append${kind}`](item, ...extra), compact, false)
        const read = reader => reader[`read${method}Array`](r => r[`read${kind}`](...extra), compact, false)
        add(`${prefix}${nullable}array-of-${type}`, listOf(type), write, read)
      }
    }
  }
  return types
}
