// Single wire types of a library: what writes and reads one value, and the JSON forms of it.

import { converterOf, readerOf } from '../bridge/forms.mjs'

export const scalar = type => ({ build: readerOf(type), show: converterOf(type) })

export const listOf = type => ({
  build: form => form?.map(readerOf(type)) ?? null,
  show: list => list?.map(converterOf(type)) ?? null
})

// Give the function that adds a type to a map, by its name.
//
// `writer()` is a new writer of the library, `reader(wire)` a new reader, and `position(reader)` how far it has read.
export function adder(types, { writer, reader, position }) {
  return (name, { build, show }, write, read) => {
    types[name] = {
      build,
      show,
      write: value => write(writer(), value).buffer,
      read(wire) {
        const source = reader(wire)
        return { own: read(source), consumed: position(source) }
      }
    }
  }
}
