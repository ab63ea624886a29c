// The methods of Reader and Writer of @platformatic/kafka, as they are while a function is traced.

import { source, written } from '../traced/trace.mjs'

const NUMBERS = {
  UnsignedInt8: 'uint8',
  UnsignedInt16: 'uint16',
  UnsignedInt32: 'uint32',
  UnsignedInt64: 'uint64',
  Int8: 'int8',
  Int16: 'int16',
  Int32: 'int32',
  Int64: 'int64',
  Float64: 'float64',
  VarInt: 'varint',
  VarInt64: 'varlong',
  Boolean: 'bool',
  UUID: 'uuid'
}

// What Reader is while a response is traced: it reads nothing.
export function readingMethods(reading) {
  const methods = {
    readUnsignedVarInt() {
      reading.nothing('unsigned-varint')
      return 1 // as a length, it is that of what is empty
    },
    readNullableStruct(read) {
      reading.nothing('struct')
      return read()
    },
    readTaggedFields: () => reading.nothing('tags'),
    skip() {
      return this
    }
  }
  for (const [name, type] of Object.entries(NUMBERS)) methods[`read${name}`] = () => reading.one(type)
  for (const [name, nullable] of [['', false], ['Nullable', true]]) {
    methods[`read${name}String`] = (compact = true) => reading.one('string', { compact, nullable })
    methods[`read${name}Bytes`] = (compact = true) => reading.one('bytes', { compact, nullable })
    methods[`read${name}Array`] = function array(read, compact = true, tags = true) {
      return reading.array(() => element(this, read, tags), { compact, nullable })
    }
  }
  const element = (reader, read, tags) => {
    const value = read(reader, 0)
    if (tags) reading.nothing('tags')
    return value
  }
  return methods
}

// What Writer is while a request is traced: it writes nothing.
export function writingMethods(trace) {
  const noted = (writer, entry) => {
    trace.entries.push(entry)
    return writer
  }
  const methods = {
    appendString(value, compact = true) {
      return noted(this, written('string', value, { compact }))
    },
    appendBytes(value, compact = true) {
      return noted(this, written('bytes', value, { compact }))
    },
    appendTaggedFields() {
      return noted(this, { type: 'tags' })
    },
    appendArray(value, write, compact = true, tags = true) {
      const entry = { ...written('array', value, { compact }), children: [] }
      const outer = trace.entries
      trace.entries = entry.children
      write(this, source(), 0)
      if (tags) this.appendTaggedFields()
      trace.entries = outer
      return noted(this, entry)
    }
  }
  for (const [name, type] of Object.entries(NUMBERS)) {
    methods[`append${name}`] = function number(value) {
      return noted(this, written(type, value))
    }
  }
  return methods
}
