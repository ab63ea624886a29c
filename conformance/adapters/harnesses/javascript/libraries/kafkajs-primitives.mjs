// Single wire types, by Encoder and Decoder of KafkaJS. Its strings and bytes may all be null, its arrays may not.

import { adder, listOf, scalar } from './wire-types.mjs'

const SINGLE = {
  bool: ['Boolean', 'bool'],
  int8: ['Int8', 'int8'],
  int16: ['Int16', 'int16'],
  int32: ['Int32', 'int32'],
  int64: ['Int64', 'int64'],
  float64: ['Double', 'float64'],
  varint: ['VarInt', 'int32'],
  varlong: ['VarLong', 'int64'],
  'unsigned-varint': ['UVarInt', 'int32'],
  'nullable-string': ['String', 'string'],
  'compact-nullable-string': ['UVarIntString', 'string'],
  'nullable-bytes': ['Bytes', 'bytes'],
  'compact-nullable-bytes': ['UVarIntBytes', 'bytes']
}

// A map from the names of wire types to what writes and reads them.
export function primitives(Encoder, Decoder) {
  const types = {}
  const add = adder(types, {
    writer: () => new Encoder(),
    reader: wire => new Decoder(wire),
    position: decoder => decoder.offset
  })
  for (const [name, [method, type]] of Object.entries(SINGLE)) {
    const write = (encoder, value) => encoder[`write${method}`](value)
    add(name, scalar(type), write, decoder => decoder[`read${method}`]())
  }
  for (const [type, kind] of [['string', 'String'], ['int32', 'Int32']]) {
    const write = (encoder, list) => encoder.writeArray(list, type)
    add(`array-of-${type}`, listOf(type), write, decoder => decoder.readArray(d => d[`read${kind}`]()))
  }
  const element = value => new Encoder().writeInt32(value)
  add(
    'compact-nullable-array-of-int32',
    listOf('int32'),
    (encoder, list) => encoder.writeUVarIntArray(list && list.map(element)),
    decoder => decoder.readUVarIntArray(d => d.readInt32())
  )
  return types
}
