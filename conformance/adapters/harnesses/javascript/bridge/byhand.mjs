// Offers codecs that were written by hand: they take and give the values of a message as objects of JavaScript.

import { readerOf, writerOf } from './forms.mjs'
import { ProtocolError } from './outcomes.mjs'

// Offer the codecs of those messages that the definitions have.
//
// `codecs` is a list of { message, versions, write, read }. `write(value, version)` gives a Buffer, or a promise of one;
// `read(wire, version)` gives { value, consumed }. Leave out the one that the library does not have.
export function offerByHand(definitions, codecs) {
  const offer = { supports: { encode: {}, decode: {} }, byName: new Map() }
  for (const codec of codecs.filter(({ message }) => definitions.has(message))) {
    const message = definitions.get(codec.message)
    const versions = codec.versions.filter(version => message.versions.has(version))
    if (codec.write) offer.supports.encode[codec.message] = versions
    if (codec.read) offer.supports.decode[codec.message] = versions
    for (const version of versions) offer.byName.set(`${codec.message} ${version}`, codecAt(codec, message, version))
  }
  offer.codec = (name, version) => offer.byName.get(`${name} ${version}`)
  return offer
}

function codecAt({ write, read }, message, version) {
  const fields = message.fieldsAt(version)
  return {
    build: form => valueOf(fields, form),
    write: value => write(value, version),
    read(wire) {
      const { value, consumed } = read(wire, version)
      return { own: value, consumed }
    },
    show: value => formOf(fields, value)
  }
}

// The value of a message, or of a struct, of its JSON form.
export function valueOf(fields, form) {
  if (form === null) return null
  if (typeof form !== 'object') throw new ProtocolError(`a message is an object, got ${JSON.stringify(form)}`)
  const value = form._tags ? { _tags: form._tags.map(([tag, hex]) => [tag, Buffer.from(hex, 'hex')]) } : {}
  for (const field of fields) if (form[field.name] !== undefined) value[field.name] = fieldOf(field, form[field.name])
  return value
}

function fieldOf(field, form) {
  if (field.isArray && form !== null) {
    if (!Array.isArray(form)) throw new ProtocolError(`${field.name} is no array: ${JSON.stringify(form)}`)
    return form.map(element => fieldOf({ ...field, isArray: false }, element))
  }
  return field.isStruct ? valueOf(field.fields, form) : readerOf(field.element)(form)
}

// The JSON form of a message, or of a struct.
export function formOf(fields, value) {
  if (value === null || value === undefined) return null
  const form = {}
  for (const field of fields) form[field.name] = formOfField(field, value[field.name])
  if (value._tags?.length) form._tags = value._tags.map(([tag, bytes]) => [tag, bytes.toString('hex')])
  return form
}

function formOfField(field, value) {
  if (field.isArray) return value?.map(element => formOfField({ ...field, isArray: false }, element)) ?? null
  return field.isStruct ? formOf(field.fields, value) : writerOf(field.element)(value)
}
