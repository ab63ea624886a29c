// Offers codecs that were written by hand: they take and give the values of a message as objects of JavaScript.

import { ofAnotherType, readerOf, writerOf } from './forms.mjs'
import { HarnessError, ProtocolError, isThrownByHarness } from './outcomes.mjs'
import { suggestion } from './suggestions.mjs'

// Offer the codecs of those messages that the definitions have.
//
// `codecs` is a list of { message, versions, write, read }. `write(value, version)` gives a Buffer, or a promise of one;
// `read(wire, version)` gives { value, consumed }, or a promise of it. Leave out the one that the library does not have.
// `claims` are further words of `hello`: { capabilities, representations, hidden, limits, memoryMiB, notes }.
export function offerByHand(definitions, codecs, claims = {}) {
  const offer = { ...claims, supports: { encode: {}, decode: {} }, byName: new Map() }
  for (const codec of codecs.filter(({ message }) => definitions.has(message))) {
    const message = definitions.get(codec.message)
    const versions = codec.versions.filter(version => message.versions.has(version))
    if (codec.write) offer.supports.encode[codec.message] = versions
    if (codec.read) offer.supports.decode[codec.message] = versions
    const hidden = new Set(claims.hidden?.[codec.message]?.map(field => field.replace(/:.*/, '')))
    for (const version of versions) offer.byName.set(`${codec.message} ${version}`, codecAt(codec, message, version, hidden))
  }
  offer.codec = (name, version) => offer.byName.get(`${name} ${version}`)
  return offer
}

function codecAt({ write, read }, message, version, hidden) {
  const struct = { fields: message.fieldsAt(version), names: message.names }
  return {
    build: form => valueOf(struct, form),
    write: value => ownErrors(() => write(value, version)),
    read(wire) {
      const settled = result => ({ own: result?.value, consumed: result?.consumed })
      const result = ownErrors(() => read(wire, version))
      return result instanceof Promise ? result.then(settled) : settled(result)
    },
    show: value => formOf(struct, value, '', hidden)
  }
}

// Call the mapping. An error of the language that its own files raise is the harness's, and not the library's.
function ownErrors(action) {
  try {
    const result = action()
    return result instanceof Promise ? result.catch(rethrow) : result
  } catch (error) {
    return rethrow(error)
  }
}

function rethrow(error) {
  const isOfLanguage = error?.constructor === TypeError || error?.constructor === ReferenceError
  throw isOfLanguage && isThrownByHarness(error) ? new HarnessError(String(error), { cause: error }) : error
}

// The value of a message, or of a struct, of its JSON form. A look at a name that is no field's is the harness's mistake.
function valueOf(struct, form) {
  if (form === null) return null
  if (typeof form !== 'object' || Array.isArray(form)) {
    throw new ProtocolError(`a struct is an object, got ${JSON.stringify(form)}`)
  }
  const value = Object.create(guardOf(struct))
  if (form._tags) value._tags = form._tags.map(([tag, hex]) => [tag, Buffer.from(hex, 'hex')])
  for (const field of struct.fields) {
    if (form[field.name] !== undefined) value[field.name] = fieldOf(field, form[field.name])
  }
  return value
}

function fieldOf(field, form) {
  if (field.isArray && form !== null) {
    if (!Array.isArray(form)) throw new ProtocolError(`${field.name} is no array: ${JSON.stringify(form)}`)
    return form.map(element => fieldOf({ ...field, isArray: false }, element))
  }
  return field.isStruct ? valueOf(field, form) : readerOf(field.element)(form)
}

const guards = new WeakMap()
const ASKED_OF_ANYTHING = new Set(['_tags', 'then', 'toJSON', 'length', 'buffer', 'byteLength', 'byteOffset'])

// The prototype of a struct's values: it has what each object has, and refuses names that no version of the struct has.
function guardOf({ fields, names }) {
  if (!guards.has(fields)) {
    const known = new Set(names)
    const get = (target, name, receiver) => {
      if (typeof name !== 'symbol' && !(name in target) && !known.has(name) && !ASKED_OF_ANYTHING.has(name)) {
        throw new HarnessError(`write takes ${unknown(name, fields)}`)
      }
      return Reflect.get(target, name, receiver)
    }
    guards.set(fields, new Proxy(Object.prototype, { get }))
  }
  return guards.get(fields)
}

const unknown = (name, fields) => `${name}, which is no field of it; ${suggestion(name, fields.map(field => field.name))}`

// The JSON form of a message, or of a struct.
function formOf(struct, value, place, hidden) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw ofAnotherType(value, 'a struct', place.replace(/\.$/, '') || 'the value')
  }
  const known = new Set([...struct.names, '_tags'])
  const wrong = Object.keys(value).find(name => !known.has(name))
  if (wrong !== undefined) throw new HarnessError(`read gives ${unknown(place + wrong, struct.fields)}`)
  const form = {}
  for (const field of struct.fields) {
    if (value[field.name] !== undefined || !hidden.has(plain(place + field.name))) {
      form[field.name] = formOfField(field, value[field.name], place + field.name, hidden)
    }
  }
  if (value._tags?.length) form._tags = value._tags.map(([tag, bytes]) => [tag, bytes.toString('hex')])
  return form
}

function formOfField(field, value, place, hidden) {
  if (value === undefined) throw new HarnessError(`read gives no ${place}: a value has every field of the version`)
  if (value === null) return null
  if (field.isArray) {
    if (!Array.isArray(value)) throw ofAnotherType(value, 'an array', place)
    const element = { ...field, isArray: false }
    return value.map((item, index) => formOfField(element, item, `${place}[${index}]`, hidden))
  }
  if (field.isStruct) return formOf(field, value, `${place}.`, hidden)
  return writerOf(field.element, place)(value)
}

// The path of a field as `hidden` has it.
const plain = place => place.replace(/\[\d+\]/g, '')
