// The JSON forms of single values, and the values of JavaScript that they stand for.
//
// 64 bits are a BigInt, bytes a Buffer; everything else is a number, a string or a boolean. null is null.

import { HarnessError, NoForm, ProtocolError, Unrepresentable } from './outcomes.mjs'

// Whether a text is bytes in hex: a group that is repeated would take the stack for each of many.
export const isHex = text => text.length % 2 === 0 && !/[^0-9a-f]/.test(text)

function isNumber(form, type) {
  if (!Number.isInteger(form)) throw new ProtocolError(`${type} is a number without fraction, got ${JSON.stringify(form)}`)
  return form
}

function integerOf(form, type) {
  if (typeof form !== 'string' || !/^-?\d+$/.test(form)) {
    throw new ProtocolError(`${type} is decimal text, got ${JSON.stringify(form)}`)
  }
  return BigInt(form)
}

function floatOf(form) {
  if (typeof form !== 'string' || !/^[0-9a-f]{16}$/.test(form)) {
    throw new ProtocolError(`float64 is 16 hex digits, got ${JSON.stringify(form)}`)
  }
  return Buffer.from(form, 'hex').readDoubleBE(0)
}

function textOf(form) {
  if (typeof form === 'string') return form
  if (typeof form?.utf16 === 'string' && isHex(form.utf16)) return fromUnits(Buffer.from(form.utf16, 'hex'))
  if (typeof form?.utf8 === 'string') throw new Unrepresentable('no string of JavaScript holds bytes that are not UTF-8')
  throw new ProtocolError(`string is text, or an object with utf16 or utf8, got ${JSON.stringify(form)}`)
}

function fromUnits(bytes) {
  return Buffer.from(bytes).swap16().toString('utf16le')
}

function bytesOf(form, type) {
  if (typeof form !== 'string' || !isHex(form)) {
    throw new ProtocolError(`${type} is lower-case hex, got ${JSON.stringify(form)}`)
  }
  return Buffer.from(form, 'hex')
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function isUuid(form) {
  if (typeof form !== 'string' || !UUID.test(form)) {
    throw new ProtocolError(`uuid is 36 characters in lower case, got ${JSON.stringify(form)}`)
  }
  return form
}

function isBoolean(form) {
  if (typeof form !== 'boolean') throw new ProtocolError(`bool is true or false, got ${JSON.stringify(form)}`)
  return form
}

// The function that makes a value of JavaScript of a JSON form of a type.
export function readerOf(type) {
  const { read } = SCALARS.get(type) ?? NUMBER
  return form => (form === null ? null : read(form, type))
}

function mustBe(condition, value, type) {
  if (!condition) throw new NoForm(`the library gave ${typeof value} ${JSON.stringify(String(value).slice(0, 80))} for ${type}`)
}

function showNumber(value, type) {
  const number = typeof value === 'number' ? value : Number(value)
  mustBe(Number.isSafeInteger(number), value, type)
  return number
}

function showInteger(value, type) {
  const text = String(value)
  mustBe(/^-?\d+$/.test(text), value, type)
  return text
}

function showFloat(value) {
  mustBe(typeof value === 'number', value, 'float64')
  const bits = Buffer.alloc(8)
  bits.writeDoubleBE(value)
  return bits.toString('hex')
}

function showText(value, type) {
  mustBe(typeof value === 'string', value, type)
  return value.isWellFormed() ? value : { utf16: Buffer.from(value, 'utf16le').swap16().toString('hex') }
}

function showUuid(value, type) {
  mustBe(UUID.test(value), value, type)
  return value
}

function showBytes(value, type) {
  mustBe(value instanceof Uint8Array, value, type)
  return Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')
}

function showBoolean(value) {
  mustBe(typeof value === 'boolean', value, 'bool')
  return value
}

const isNumeric = value => typeof value === 'number' || typeof value === 'bigint'
const isString = value => typeof value === 'string'

const NUMBER = { read: isNumber, show: showNumber, holds: isNumeric, zero: 0 }
const DIGITS = { read: integerOf, show: showInteger, holds: isNumeric, zero: '0' }
const OCTETS = { read: bytesOf, show: showBytes, holds: value => value instanceof Uint8Array, zero: '' }

// The types that are not structs: what makes values of their JSON forms, what makes these, whether a value is of the type,
// and the JSON form of its zero.
export const SCALARS = new Map([
  ['bool', { read: isBoolean, show: showBoolean, holds: value => typeof value === 'boolean', zero: false }],
  ['int8', NUMBER],
  ['int16', NUMBER],
  ['int32', NUMBER],
  ['int64', DIGITS],
  ['uint16', NUMBER],
  ['uint32', DIGITS],
  ['float64', { read: floatOf, show: showFloat, holds: value => typeof value === 'number', zero: '0'.repeat(16) }],
  ['string', { read: textOf, show: showText, holds: isString, zero: '' }],
  ['uuid', { read: isUuid, show: showUuid, holds: isString, zero: '00000000-0000-0000-0000-000000000000' }],
  ['bytes', OCTETS],
  ['records', OCTETS]
])

export const isInteger = type => [NUMBER, DIGITS].includes(SCALARS.get(type))

// The function that makes the JSON form of a value of a type. undefined is null; a value of another type is the harness's
// mistake, told with the place, and is not converted.
export function writerOf(type, place = '') {
  const { holds } = SCALARS.get(type) ?? NUMBER
  const convert = converterOf(type)
  return value => {
    if (value !== null && value !== undefined && !holds(value)) throw ofAnotherType(value, type, place)
    return convert(value)
  }
}

// The same for a library that has other types, as text for int64, or a boolean for a number.
export function converterOf(type) {
  const { show } = SCALARS.get(type) ?? NUMBER
  return value => (value === null || value === undefined ? null : show(value, type))
}

// The error about a value of another type at a place, if it is known.
export function ofAnotherType(value, type, place = '') {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof value)
  const got = isPlain ? `${typeof value} ${JSON.stringify(value)}`.slice(0, 80) : (value?.constructor?.name ?? String(value))
  return new HarnessError(`read gives ${got}${place && ` at ${place}`}, where the definition has ${type}`)
}
